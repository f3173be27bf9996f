#include "support/forms/systems.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "stillpoint/linearize.h"
#include "support/dense_reference.h"

namespace stillpoint {

LinearSystem system_of_case(const std::string& name, const Parameters& parameters) {
  const Model model = read_model(std::string(STILLPOINT_SOURCE_DIR) + "/cases/" + name, parameters);
  return linearize(model, find_equilibrium(model));
}

const std::vector<NamedSystem>& all_systems() {
  static const std::vector<NamedSystem> systems = [] {
    std::vector<NamedSystem> result;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(STILLPOINT_SOURCE_DIR) + "/cases")) {
      const std::string name = entry.path().filename();
      if (entry.is_directory()) result.push_back({name, system_of_case(name)});
    }
    result.push_back({"four_bar N=20", system_of_case("four_bar", {{"N", 20}, {"c", 1}})});
    result.push_back(
        {"four_bar flat", system_of_case("four_bar", {{"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}})});
    result.push_back({"n_pendulum N=30", system_of_case("n_pendulum", {{"N", 30}})});
    result.push_back({"bent chain", bent_chain(10, 3)});
    return result;
  }();
  return systems;
}

LinearSystem system_of(const Eigen::MatrixXd& M, const Eigen::MatrixXd& K, const Eigen::MatrixXd& J,
                       const Eigen::MatrixXd& C, const Eigen::MatrixXd& G, const Eigen::MatrixXd& F) {
  LinearSystem system;
  system.M = M.sparseView();
  system.K = K.sparseView();
  system.J = J.sparseView();
  system.C = C.sparseView();
  system.G = G.sparseView();
  system.F = F.sparseView();
  return checked(std::move(system));
}

LinearSystem rigid_pendulum(double m, double I, double l, double g) {
  Eigen::Matrix3d M = Eigen::Vector3d(m, m, I).asDiagonal(), K = Eigen::Vector3d(0, 0, m * g * l).asDiagonal();
  Eigen::MatrixXd J(2, 3);
  J << 1, 0, -l, 0, 1, 0;
  return system_of(M, K, J);
}

LinearSystem bent_chain(int N, double bend) {
  std::mt19937 engine(7);
  std::vector<Eigen::Triplet<double, Index>> M, J;
  double before = 0;
  for (int i = 0; i < N; ++i) {
    const double angle = bend * (2 * static_cast<double>(engine()) / static_cast<double>(engine.max()) - 1);
    const auto add_end = [&](int body, double sign, double at_angle, double half) {
      J.emplace_back(2 * i, 3 * body, sign);
      J.emplace_back(2 * i, 3 * body + 2, -sign * half * std::sin(at_angle));
      J.emplace_back(2 * i + 1, 3 * body + 1, sign);
      J.emplace_back(2 * i + 1, 3 * body + 2, sign * half * std::cos(at_angle));
    };
    add_end(i, 1, angle, -0.5);
    if (i > 0) add_end(i - 1, -1, before, 0.5);
    for (const int k : {0, 1}) M.emplace_back(3 * i + k, 3 * i + k, 1.0);
    M.emplace_back(3 * i + 2, 3 * i + 2, 1.0 / 12);
    before = angle;
  }
  LinearSystem system;
  system.M.resize(3 * N, 3 * N);
  system.M.setFromTriplets(M.begin(), M.end());
  system.K = system.M;
  system.J.resize(2 * N, 3 * N);
  system.J.setFromTriplets(J.begin(), J.end());
  return checked(std::move(system));
}

std::vector<std::complex<double>> spectrum(const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K) {
  const Eigen::Index n = M.rows();
  // In units that make the diagonal of M one.
  const Eigen::VectorXd d = Eigen::MatrixXd(M).diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd unit_mass = d.asDiagonal() * Eigen::MatrixXd(M) * d.asDiagonal();
  Eigen::MatrixXd companion(2 * n, 2 * n);
  companion << Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Identity(n, n),
      -dense::solve(unit_mass, d.asDiagonal() * Eigen::MatrixXd(K) * d.asDiagonal()),
      -dense::solve(unit_mass, d.asDiagonal() * Eigen::MatrixXd(C) * d.asDiagonal());
  const Eigen::VectorXcd values = dense::eigenvalues(companion);
  return {values.begin(), values.end()};
}

double distance(const std::vector<std::complex<double>>& from, const std::vector<std::complex<double>>& to,
                double least) {
  double largest = 0;
  for (const std::complex<double>& s : from) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const std::complex<double>& t : to) nearest = std::min(nearest, std::abs(s - t));
    largest = std::max(largest, nearest / std::max(std::abs(s), least));
  }
  return largest;
}

}  // namespace stillpoint
