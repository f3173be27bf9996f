#include "support/engines/dense_engine.h"

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

extern "C" {
void dsyev_(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*);
void dggev_(const char*, const char*, const int*, double*, const int*, double*, const int*, double*, double*, double*,
            double*, const int*, double*, const int*, double*, const int*, int*);
}

namespace stillpoint::testing {

namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

// ----- Files

std::uint64_t big_endian(std::istream& file, int bytes) {
  std::uint64_t number = 0;
  for (int k = 0; k < bytes; ++k) number = number << 8 | static_cast<std::uint64_t>(file.get() & 0xff);
  if (!file) throw std::runtime_error("a matrix file is too short");
  return number;
}

int integer(std::istream& file) { return static_cast<int>(static_cast<std::uint32_t>(big_endian(file, 4))); }

Matrix read_matrix(const std::string& path, bool is_complex) {
  std::ifstream file(path, std::ios::binary);
  if (integer(file) != 1211216) throw std::runtime_error(path + " is no matrix");
  const int rows = integer(file), columns = integer(file), entries = integer(file);
  std::vector<int> lengths, places;
  for (int i = 0; i < rows; ++i) lengths.push_back(integer(file));
  for (int k = 0; k < entries; ++k) places.push_back(integer(file));
  Matrix A = Matrix::Zero(rows, columns);
  std::size_t k = 0;
  for (int i = 0; i < rows; ++i) {
    for (int l = 0; l < lengths[static_cast<std::size_t>(i)]; ++l) {
      A(i, places[k++]) = std::bit_cast<double>(big_endian(file, 8));
      if (is_complex) big_endian(file, 8);
    }
  }
  return A;
}

void put(std::ostream& file, std::uint64_t number, int bytes) {
  for (int k = bytes - 1; k >= 0; --k) file.put(static_cast<char>(number >> (8 * k) & 0xff));
}

void write_vector(std::ostream& file, const Eigen::VectorXcd& z, bool is_complex) {
  put(file, 1211214, 4);
  put(file, static_cast<std::uint64_t>(z.size()), 4);
  for (const Complex x : z) {
    put(file, std::bit_cast<std::uint64_t>(x.real()), 8);
    if (is_complex) put(file, std::bit_cast<std::uint64_t>(x.imag()), 8);
  }
}

// ----- Eigenvalues

Eigen::VectorXd symmetric_eigenvalues(Matrix& A) {  // vectors in A
  const int n = static_cast<int>(A.rows()), size = 64 * n + 64;
  Eigen::VectorXd values(n), work(size);
  int info = 0;
  if (n > 0) dsyev_("V", "U", &n, A.data(), &n, values.data(), work.data(), &size, &info);
  if (info != 0) throw std::runtime_error("dsyev failed");
  return values;
}

Json inertia(const std::vector<Matrix>& A, double a0, double a1, double a2) {
  Matrix sum = a0 * A[0] + a2 * A[2];
  if (a1 != 0) sum += a1 * A[1];
  sum = (0.5 * (sum + sum.transpose())).eval();
  const double size = sum.cwiseAbs().rowwise().sum().maxCoeff();
  const Eigen::VectorXd values = symmetric_eigenvalues(sum);
  const double nothing = 1e-15 * size;
  return {{"of", {a0, a1, a2}},
          {"negative", (values.array() < -nothing).count()},
          {"zero", (values.array().abs() <= nothing).count()}};
}

struct Found {
  std::vector<Complex> values;  // μ, or ŝ with Im ≥ 0
  std::vector<Eigen::VectorXcd> vectors;

  void sort_by(const auto& distance) {
    std::vector<std::size_t> order(values.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return distance(values[a]) < distance(values[b]); });
    Found sorted;
    for (const std::size_t k : order) {
      sorted.values.push_back(values[k]);
      sorted.vectors.push_back(vectors[k]);
    }
    *this = sorted;
  }
};

// All of A0 z = μ A2 z, A2 ≥ 0: of Lᵀ (A0 − σ A2)⁻¹ L, A2 = L Lᵀ.
Found all_symmetric(const Matrix& A0, const Matrix& A2) {
  Matrix V = A2;
  const Eigen::VectorXd d = symmetric_eigenvalues(V);
  const double least = 1e-14 * std::max(1e-300, d.size() > 0 ? d.maxCoeff() : 0);
  const auto rank = static_cast<Eigen::Index>((d.array() > least).count());
  const Matrix L = V.rightCols(rank) * d.tail(rank).cwiseSqrt().asDiagonal();
  const double sigma = -0.0137;
  const Eigen::FullPivLU<Matrix> shifted(A0 - sigma * A2);
  Matrix T = L.transpose() * shifted.solve(L);
  T = (0.5 * (T + T.transpose())).eval();
  const Eigen::VectorXd theta = symmetric_eigenvalues(T);
  Found found;
  for (Eigen::Index k = 0; k < theta.size(); ++k) {
    if (std::abs(theta[k]) < 1e-13 * theta.cwiseAbs().maxCoeff()) continue;
    Eigen::VectorXd z = shifted.solve(L * T.col(k));
    z = shifted.solve(A2 * z).eval();  // once more: multipliers, and what the mass does not see
    z = (shifted.solve(A2 * z)).normalized().eval();
    found.values.emplace_back(z.dot(A0 * z) / z.dot(A2 * z));
    found.vectors.emplace_back(z.cast<Complex>());
  }
  return found;
}

// One step of inverse iteration beside the eigenvalue. It keeps the part of a multiple eigenvalue's space in which z
// is; at a double zero it would make nothing of the vector.
Eigen::VectorXcd refined(const std::vector<Matrix>& A, Complex s, const Eigen::VectorXcd& z) {
  const auto P = [&](Complex at) -> Eigen::MatrixXcd { return at * at * A[2] + at * A[1] + A[0]; };
  const Eigen::FullPivLU<Eigen::MatrixXcd> lu(P(s + 1e-11 * std::max(std::abs(s), 1e-3)));
  const Eigen::VectorXcd next = lu.solve((2.0 * s * A[2] + A[1]) * z).normalized();
  return (P(s) * next).norm() < (P(s) * z).norm() ? next : z;
}

// All of (ŝ² A2 + ŝ A1 + A0) z = 0 with Im ŝ ≥ 0 and moderate |ŝ|, by QZ of the companion form.
Found all_quadratic(const std::vector<Matrix>& A) {
  const int n = static_cast<int>(A[0].rows()), size = 2 * n, work_size = 64 * size;
  Matrix left = Matrix::Zero(size, size), right = Matrix::Identity(size, size), vectors(size, size);
  left.topRightCorner(n, n).setIdentity();
  left.bottomLeftCorner(n, n) = -A[0];
  left.bottomRightCorner(n, n) = -A[1];
  right.bottomRightCorner(n, n) = A[2];
  Eigen::VectorXd real(size), imaginary(size), beta(size), work(work_size);
  int info = 0;
  dggev_("N", "V", &size, left.data(), &size, right.data(), &size, real.data(), imaginary.data(), beta.data(), nullptr,
         &size, vectors.data(), &size, work.data(), &work_size, &info);
  if (info != 0) throw std::runtime_error("dggev failed");
  Found found;
  for (int k = 0; k < size; ++k) {
    if (!(std::abs(beta[k]) > 0) || imaginary[k] < 0) continue;
    const Complex s(real[k] / beta[k], imaginary[k] / beta[k]);
    constexpr double beyond_all = 1e3;  // constraints put infinite eigenvalues at the cube root of 1/ε
    if (std::abs(s) > beyond_all) continue;
    Eigen::VectorXcd z = vectors.col(k).head(n).cast<Complex>();
    if (imaginary[k] > 0) z.imag() = vectors.col(k + 1).head(n);
    found.values.push_back(s);
    found.vectors.push_back(refined(A, s, z.normalized()));
  }
  return found;
}

// ----- Answers

/// The end of a region behind at least `count` of the ascending distances, in a gap.
double end_behind(const std::vector<double>& distances, std::size_t count, double zero, double& next) {
  for (std::size_t k = std::min(count, distances.size()); k < distances.size(); ++k) {
    const double last = k > 0 ? distances[k - 1] : 0;
    next = distances[k];
    if (next > zero && next - last > 1e-6 * next) return 0.5 * (last + next);
  }
  next = 2 * (distances.empty() ? 1 : distances.back()) + zero;
  return 0.75 * next;
}

template <class Distance>
std::vector<double> distances_of(const Found& found, const Distance& distance) {
  std::vector<double> distances;
  for (const Complex value : found.values) distances.push_back(distance(value));
  return distances;
}

void keep(Found& found, const auto& is_wanted) {
  Found kept;
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    if (!is_wanted(found.values[k])) continue;
    kept.values.push_back(found.values[k]);
    kept.vectors.push_back(found.vectors[k]);
  }
  found = kept;
}

/// The place beyond `from` that is half as far as the next eigenvalue, and not farther than `most`.
double beyond(const Found& found, double from, double direction, double most) {
  double distance = most;
  for (const Complex value : found.values) {
    const double ahead = direction * (value.real() - from);
    if (ahead >= 0) distance = std::min(distance, 0.5 * ahead);
  }
  return from + direction * distance;
}

void answer_symmetric(const Json& request, const std::vector<Matrix>& A, Found& found, Json& answer) {
  const Json& asked = request["asked"];
  const double zero = request["zero"];
  found = all_symmetric(A[0], A[2]);
  double begin = 0, end = 0, next = 0;
  if (asked["kind"] == "lowest") {
    const auto distance = [](Complex mu) { return std::abs(mu); };
    found.sort_by(distance);
    end = end_behind(distances_of(found, distance), asked["count"], zero, next);
    begin = -end;
  } else if (asked["kind"] == "near") {
    const double omega = asked["at"][1];
    const auto distance = [&](Complex mu) { return std::abs(std::sqrt(std::max(0.0, mu.real())) - omega); };
    found.sort_by(distance);
    const double h = end_behind(distances_of(found, distance), asked["count"], zero, next);
    if (h >= 0.9 * omega) {
      answer["status"] = "failed";
      answer["message"] = "there are not so many modes near the point";
      return;
    }
    begin = (omega - h) * (omega - h);
    end = (omega + h) * (omega + h);
  } else {
    const double from = asked["from"], to = asked["to"], width = to * to - from * from;
    begin = beyond(found, from * from, -1, 1e-3 * width);
    end = beyond(found, to * to, 1, 1e-3 * width);
  }
  keep(found, [&](Complex mu) { return mu.real() > begin && mu.real() < end; });
  answer["region"] = {begin, end};
  for (const double mu : {begin, end, -zero, zero}) answer["inertia"].push_back(inertia(A, 1, 0, -mu));
}

void answer_quadratic(const Json& request, const std::vector<Matrix>& A, Found& found, Json& answer) {
  const Json& asked = request["asked"];
  const bool is_band = asked["kind"] == "band";
  const Complex centre = is_band ? Complex(0) : Complex(asked["at"][0], asked["at"][1]);
  const auto distance = [&](Complex s) { return std::abs(s - centre); };
  found = all_quadratic(A);
  found.sort_by(distance);
  const std::vector<double> distances = distances_of(found, distance);
  std::size_t count = is_band ? 0 : asked["count"].get<std::size_t>();
  if (is_band) {
    const double to = asked["to"];
    count =
        static_cast<std::size_t>(std::count_if(distances.begin(), distances.end(), [&](double d) { return d <= to; }));
  }
  double next = 0;
  const double middle = end_behind(distances, count, request["zero"], next);
  keep(found, [&](Complex s) { return distance(s) < middle; });
  const double last = found.values.empty() ? 0 : distance(found.values.back());
  answer["region"] = {last, next};
  if (!request["symmetric_matrices"].get<bool>() || centre != 0.0) return;
  const double low = last + 0.05 * (next - last), high = next - 0.05 * (next - last);
  for (const double end : {low, high}) answer["inertia"].push_back(inertia(A, 1, 0, -end * end));
}

void misbehave(Misdeed misdeed, Found& found, Json& answer) {
  if (misdeed == Misdeed::no_inertia) answer["inertia"] = Json::array();
  if (found.values.empty()) return;
  if (misdeed == Misdeed::spoil_a_vector) found.vectors.back()[0] += 0.1 * found.vectors.back().cwiseAbs().maxCoeff();
  if (misdeed == Misdeed::drop_a_mode) {
    found.values.erase(found.values.begin());
    found.vectors.erase(found.vectors.begin());
  }
  if (misdeed == Misdeed::give_one_of_two_real_values) {
    found.values = {found.values[0] + Complex(0, 1e-14)};
    found.vectors.resize(1);
  }
  if (misdeed == Misdeed::repeat_a_mode && found.values.size() > 1) {
    found.values[0] = found.values[1];
    found.vectors[0] = 2 * found.vectors[1];
  }
}

}  // namespace

void run_dense_engine(const std::string& folder, Misdeed misdeed) {
  const Json request = Json::parse(std::ifstream(folder + "/request.json"));
  const bool is_complex = request["scalar"] == "complex", is_quadratic = request["problem"] == "quadratic";
  std::vector<Matrix> A(3);
  for (const int k : {0, 1, 2}) {
    if (k != 1 || is_quadratic)
      A[static_cast<std::size_t>(k)] = read_matrix(folder + "/A" + std::to_string(k) + ".petsc", is_complex);
  }
  Json answer = {{"schema", "stillpoint.engine.answer/1"},
                 {"identity", request["identity"]},
                 {"engine", "dense LAPACK of the tests"},
                 {"scalar", request["scalar"]},
                 {"ranks", 1},
                 {"status", "converged"},
                 {"values", Json::array()},
                 {"region", {0, 1}},
                 {"inertia", Json::array()}};
  Found found;
  if (is_quadratic) answer_quadratic(request, A, found, answer);
  else answer_symmetric(request, A, found, answer);
  misbehave(misdeed, found, answer);
  std::ofstream vectors(folder + "/vectors.petsc", std::ios::binary);
  for (std::size_t k = 0; k < found.values.size(); ++k) {
    const Complex value = found.values[k];
    if (is_quadratic) answer["values"].push_back({value.real(), value.imag()});
    else answer["values"].push_back(value.real());
    write_vector(vectors, found.vectors[k], is_complex);
    if (is_quadratic && !is_complex) write_vector(vectors, found.vectors[k].imag().cast<Complex>(), false);
  }
  vectors.close();
  std::ofstream(folder + "/answer.json.part") << answer.dump(1);
  std::filesystem::rename(folder + "/answer.json.part", folder + "/answer.json");
}

}  // namespace stillpoint::testing
