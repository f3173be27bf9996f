#include "modes/accuracy/vector_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/dense/blas.h"
#include "base/at.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;

constexpr double accurate = 0.01;    // relative, of a bound
constexpr Eigen::Index block = 256;  // pairs at a time, each with all others

// Of k eigenvalues about to separate, each is at least √g / 2k from the next, so up to eight contribute in full.
double contribution_of(double g, double apart) {
  constexpr double together = 16;
  const double at_most = std::sqrt(g);
  return at_most * apart > together * g ? together * g / apart : at_most;
}

// Solves δ Π (1 + δ/|s_j − s|) = error: of k eigenvalues about to separate, rounding changes δᵏ and not the derivative.
double root_among(double error, const std::vector<double>& distances) {
  const auto excess = [&](double delta) {
    double product = delta;
    for (const double apart : distances) {
      if (apart > 0 && apart < error) product *= 1 + delta / apart;
      if (product > error) return true;
    }
    return false;
  };
  double least = 0, most = error;
  while (most - least > accurate * most) {
    const double middle = (least + most) / 2;
    (excess(middle) ? most : least) = middle;
  }
  return most;
}

// Magnitudes of the entries of Aᴴ B and Aᵀ B, and what the rounding of B leaves in them: a product that came out as
// zero by chance says nothing about its vector.
struct Magnitudes {
  Eigen::MatrixXd plain, conjugate, rounding;
};

Magnitudes magnitudes_of_products(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B,
                                  const Eigen::MatrixXd& B_rounding) {
  const Eigen::MatrixXd A_real = A.real(), A_imag = A.imag(), B_real = B.real(), B_imag = B.imag();
  const Eigen::ArrayXXd rr = transposed_product(A_real, B_real).array(),
                        ii = transposed_product(A_imag, B_imag).array();
  const Eigen::ArrayXXd ri = transposed_product(A_real, B_imag).array(),
                        ir = transposed_product(A_imag, B_real).array();
  return {((rr + ii).square() + (ri - ir).square()).sqrt(), ((rr - ii).square() + (ri + ir).square()).sqrt(),
          B_rounding.size() > 0 ? transposed_product(A.cwiseAbs(), B_rounding)
                                : Eigen::MatrixXd(Eigen::MatrixXd::Zero(A.cols(), B.cols()))};
}

// The derivative of a value that rounding u has put upon another by chance is at least that beside δ = √(u/m), which is
// how far u moves the two apart.
Eigen::VectorXd derivatives_apart_by_rounding(const QuotientVectors& pairs) {
  if (pairs.right_rounding.size() == 0) return pairs.derivatives;
  const Eigen::VectorXd u = pairs.Y.cwiseAbs().cwiseProduct(pairs.right_rounding).colwise().sum().transpose();
  return pairs.derivatives.cwiseMax(u.cwiseProduct(pairs.mass.cwiseAbs()).cwiseSqrt());
}

double error_of(Eigen::Index i, const Magnitudes& right, const Magnitudes& left, Eigen::Index k,
                const QuotientVectors& pairs, const Eigen::VectorXd& apart_by_rounding) {
  if (pairs.derivatives[i] == 0) return 0;
  const Complex s = pairs.s[at(i)];
  double sum = 0;
  std::vector<double> distances;
  const auto rounding_beside = [&](Eigen::Index j, double of_right, double of_left) {
    return of_right * left.rounding(j, k) + of_left * right.rounding(j, k) + right.rounding(j, k) * left.rounding(j, k);
  };
  const auto add = [&](Eigen::Index j, double of_right, double of_left, Complex other) {
    distances.push_back(std::abs(other - s));
    sum += contribution_of(of_right * of_left / (pairs.derivatives[i] * pairs.derivatives[j]), distances.back());
    sum += contribution_of(rounding_beside(j, of_right, of_left) / (apart_by_rounding[i] * apart_by_rounding[j]),
                           distances.back());
  };
  for (Eigen::Index j = 0; j < pairs.X.cols(); ++j) {
    const Complex other = pairs.s[at(j)];
    if (other == 0.0 && pairs.mass.size() > 0) {
      const double resistance = std::abs(s * (s * pairs.mass[j] + pairs.damping[j]));
      const double of_right = right.plain(j, k), of_left = left.plain(j, k);
      if (resistance > 0)
        sum += (of_right * of_left + rounding_beside(j, of_right, of_left)) / (pairs.derivatives[i] * resistance);
      continue;
    }
    if (pairs.derivatives[j] == 0) continue;
    if (i != j) add(j, right.plain(j, k), left.plain(j, k), other);
    if (other.imag() != 0) add(j, right.conjugate(j, k), left.conjugate(j, k), std::conj(other));
  }
  return tolerance::safety_of_vector_errors * (pairs.are_orthogonal ? sum : root_among(sum, distances));
}

// What rounding leaves in the products with the summed matrices.
Eigen::MatrixXd rounding_of_residuals(const BorderedProblem& problem, bool transposed, const Matrix& both,
                                      const Eigen::VectorXd& rates) {
  const Eigen::Index n = problem.coordinate_scale().size();
  const Eigen::MatrixXd q = both.topRows(n).cwiseAbs(), lambda = both.bottomRows(both.rows() - n).cwiseAbs();
  const auto terms = [&](const ScaledMatrix& A) {
    return transposed ? A.transposed_magnitudes_times(q) : A.magnitudes_times(q);
  };
  Eigen::MatrixXd result(both.rows(), both.cols());
  result.topRows(n) = (terms(problem.M()) * rates.asDiagonal() + terms(problem.C())) * rates.asDiagonal() +
                      terms(problem.K()) + problem.J().transposed_magnitudes_times(lambda);
  result.bottomRows(lambda.rows()) = problem.J().magnitudes_times(q);
  return std::numeric_limits<double>::epsilon() * result;
}

QuotientVectors quotient_vectors(const BorderedProblem& problem, const std::vector<BorderedPair>& pairs,
                                 const std::vector<std::size_t>& chosen) {
  const Eigen::Index n = problem.coordinate_scale().size(), r = problem.multiplier_scale().size();
  const auto count = static_cast<Eigen::Index>(chosen.size());
  const auto scaled = [&](const BorderedVector& vector) {
    Eigen::VectorXcd both(n + r);
    both << vector.coordinates.cwiseQuotient(problem.coordinate_scale()),
        vector.multipliers.cwiseQuotient(problem.multiplier_scale());
    return both;
  };
  QuotientVectors all{.X = Matrix(n + r, count), .Y = Matrix(n + r, count)};
  Eigen::VectorXcd rates(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const BorderedPair& pair = pairs[chosen[at(i)]];
    all.X.col(i) = scaled(*pair.x);
    all.Y.col(i) = scaled(*pair.y);
    rates[i] = pair.s / problem.frequency_scale();
  }
  const auto residuals = [&](const Matrix& both, bool transposed, const Eigen::VectorXcd& at) {
    const Matrix q = both.topRows(n);
    const auto times = [&](const ScaledMatrix& A) { return transposed ? A.transposed_times(q) : A * q; };
    Matrix result(n + r, count);
    result.topRows(n) =
        (times(problem.M()) * at.asDiagonal() + times(problem.C())) * at.asDiagonal() + times(problem.K());
    result.topRows(n) += problem.J().transposed_times(both.bottomRows(r));
    result.bottomRows(r) = problem.J() * q;
    return result;
  };
  all.right = residuals(all.X, false, rates);
  all.left = residuals(all.Y, true, rates.conjugate());
  if (problem.strains().empty()) {  // products with strains are known better than those with their sum
    all.right_rounding = rounding_of_residuals(problem, false, all.X, rates.cwiseAbs());
    all.left_rounding = rounding_of_residuals(problem, true, all.Y, rates.cwiseAbs());
  }
  const Matrix q = all.X.topRows(n), p = all.Y.topRows(n).conjugate(), Mq = problem.M() * q, Cq = problem.C() * q;
  const auto products = [&](const Matrix& B) -> Eigen::VectorXcd {
    return p.cwiseProduct(B).colwise().sum().transpose();
  };
  all.mass = products(Mq);
  all.damping = products(Cq);
  all.are_orthogonal =
      problem.C().nonZeros() == 0 &&
      std::all_of(pairs.begin(), pairs.end(), [](const BorderedPair& pair) { return pair.x == pair.y; });
  all.derivatives = (2.0 * all.mass.cwiseProduct(rates) + all.damping).cwiseAbs();
  all.s.assign(rates.begin(), rates.end());
  for (Eigen::Index i = 0; i < count; ++i) {
    if (rates[i] == 0.0) all.derivatives[i] = 0;
  }
  return all;
}

}  // namespace

bool are_near_each_other(const std::vector<Complex>& s) {
  constexpr double widest = 1e4;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Complex value : s) {
    if (value == 0.0) continue;
    least = std::min(least, std::abs(value));
    most = std::max(most, std::abs(value));
  }
  return most <= widest * least;
}

ConjugatePairs find_conjugates(const std::vector<Complex>& s) {
  ConjugatePairs result{{}, std::vector<std::size_t>(s.size())};
  const auto choose = [&](std::size_t i) {
    result.of[i] = result.chosen.size();
    result.chosen.push_back(i);
  };
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i].imag() >= 0) choose(i);
  }
  std::vector<std::size_t> partners = result.chosen;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i].imag() >= 0) continue;
    const Complex other = std::conj(s[i]);
    const auto nearest = std::min_element(partners.begin(), partners.end(), [&](std::size_t a, std::size_t b) {
      return std::norm(s[a] - other) < std::norm(s[b] - other);
    });
    if (nearest == partners.end()) {
      choose(i);
      continue;
    }
    result.of[i] = result.of[*nearest];
    partners.erase(nearest);
  }
  return result;
}

Eigen::VectorXd spread(const Eigen::VectorXd& of_chosen, const ConjugatePairs& conjugates) {
  Eigen::VectorXd of_all(static_cast<Eigen::Index>(conjugates.of.size()));
  for (Eigen::Index i = 0; i < of_all.size(); ++i)
    of_all[i] = of_chosen[static_cast<Eigen::Index>(conjugates.of[at(i)])];
  return of_all;
}

Eigen::VectorXd errors_of_vectors(const BorderedProblem& problem, const std::vector<BorderedPair>& pairs) {
  std::vector<Complex> s;
  for (const BorderedPair& pair : pairs) s.push_back(pair.s);
  const ConjugatePairs conjugates = find_conjugates(s);
  return problem.frequency_scale() *
         spread(errors_of_vectors(quotient_vectors(problem, pairs, conjugates.chosen)), conjugates);
}

Eigen::VectorXd errors_of_vectors(const QuotientVectors& pairs) {
  const Eigen::Index count = pairs.X.cols();
  const bool is_symmetric = pairs.Y == pairs.X.conjugate() && pairs.left == pairs.right.conjugate();
  const Eigen::VectorXd apart_by_rounding = derivatives_apart_by_rounding(pairs);
  Eigen::VectorXd errors = Eigen::VectorXd::Zero(count);
  for (Eigen::Index first = 0; first < count; first += block) {
    const Eigen::Index some = std::min(block, count - first);
    const auto columns = [&](const auto& all) { return all.size() > 0 ? all.middleCols(first, some).eval() : all; };
    const Magnitudes right = magnitudes_of_products(pairs.Y, columns(pairs.right), columns(pairs.right_rounding));
    const Magnitudes left =
        is_symmetric ? right : magnitudes_of_products(pairs.X, columns(pairs.left), columns(pairs.left_rounding));
    for (Eigen::Index k = 0; k < some; ++k)
      errors[first + k] = error_of(first + k, right, left, k, pairs, apart_by_rounding);
  }
  return errors;
}

}  // namespace stillpoint
