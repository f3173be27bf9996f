#include "support/dense_reference.h"

#include <Eigen/Dense>
#include <limits>
#include <stdexcept>

namespace stillpoint::dense {

Matrices matrices_at(const Model& model, const State& state) {
  Assembly assembly(model);
  const auto& at = assembly.at(state);
  return {at.M.toDense(), at.C.toDense(), at.K.toDense(), at.J.toDense()};
}

Eigen::Index rank(const Eigen::MatrixXd& A) { return A.size() == 0 ? 0 : Eigen::FullPivLU<Eigen::MatrixXd>(A).rank(); }

Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return Eigen::FullPivLU<Eigen::MatrixXd>(A).solve(B);
}

Eigen::VectorXd singular_values(const Eigen::MatrixXd& A) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(A).singularValues();
}

Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::EigenSolver<Eigen::MatrixXd>(A, false).eigenvalues();
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  if (A.size() == 0) return Eigen::VectorXd::Zero(A.cols());
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(rank_tolerance);
  return decomposition.compute(A).solve(b);
}

Eigen::MatrixXd null_space(const Eigen::MatrixXd& J) {
  if (J.rows() == 0) return Eigen::MatrixXd::Identity(J.cols(), J.cols());
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(J, Eigen::ComputeFullV);
  svd.setThreshold(rank_tolerance);
  return svd.matrixV().rightCols(J.cols() - svd.rank());
}

State close_loops(const Model& model, State state) {
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 100; ++i) {
    const Eigen::VectorXd phi = constraint_residual(model, state);
    const double residual = phi.norm();
    if (residual < 1e-12 && residual >= 0.5 * before) return state;
    before = residual;
    state = model.displaced(state, -least_norm_solution(matrices_at(model, state).J, phi));
  }
  throw std::runtime_error("the constraints cannot be met near here");
}

Eigen::VectorXd multipliers(const Model& model, const State& state) {
  return least_norm_solution(matrices_at(model, state).J.transpose(), applied_forces(model, state));
}

State find_rest(const Model& model, State guess) {
  guess.lambda.resize(0);
  State state = close_loops(model, guess);
  double before = 0;
  for (int i = 0; i < 50; ++i) {
    state.lambda = multipliers(model, state);
    const Matrices at = matrices_at(model, state);
    const Eigen::MatrixXd R = null_space(at.J);
    const Eigen::VectorXd push = R.transpose() * applied_forces(model, state);
    const Eigen::VectorXd step = R * least_norm_solution(R.transpose() * at.K * R, push);
    // Lengths count against the size of the mechanism, turns (whose q is zero) against one radian.
    // Stiff ones are soft beside their own rounding: then steps stop becoming smaller.
    const bool is_still = step.norm() < 1e-12 * (1 + state.q.norm());
    const bool is_rounding = step.norm() < 1e-7 * (1 + state.q.norm()) && step.norm() > 0.5 * before;
    before = step.norm();
    if (is_still || is_rounding) {
      const double size = 1 + applied_forces(model, state).norm() + 1e-6 * at.K.norm() * (1 + state.q.norm());
      if (push.norm() > 1e-9 * size) break;  // pushed, and nothing gives way
      return state;
    }
    state = close_loops(model, model.displaced(state, step));
  }
  throw std::runtime_error("Newton's method finds no rest position from here");
}

namespace {

/// All eigenvalues of s² M + s C + K where motions N without mass (M N = 0) are damped: NᵀCN ż = … is of first order,
/// so each of them gives one. Throws std::runtime_error if they are not.
std::vector<std::complex<double>> spectrum_with_massless(const Matrices& at) {
  const Eigen::MatrixXd N = null_space(at.M), Y = null_space(N.transpose());
  const Eigen::Index y = Y.cols(), n = N.cols();
  const Eigen::FullPivLU<Eigen::MatrixXd> damping(N.transpose() * at.C * N);
  if (!(damping.rcond() > rank_tolerance)) throw std::runtime_error("a direction of motion is without mass");
  const Eigen::FullPivLU<Eigen::MatrixXd> mass(Y.transpose() * at.M * Y);

  // x = (z_Y, ż_Y, z_N)
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(y + y + n, y + y + n);
  const auto row_of = [&](const Eigen::MatrixXd& side) {
    Eigen::MatrixXd row(side.cols(), y + y + n);
    row << side.transpose() * at.K * Y, side.transpose() * at.C * Y, side.transpose() * at.K * N;
    return row;
  };
  A.block(0, y, y, y).setIdentity();
  A.bottomRows(n) = -damping.solve(row_of(N));
  A.middleRows(y, y) = -mass.solve(row_of(Y) + Y.transpose() * at.C * N * A.bottomRows(n));
  const Eigen::VectorXcd all = eigenvalues(A);
  return {all.begin(), all.end()};
}

}  // namespace

std::vector<std::complex<double>> dense_spectrum(const Model& model, const State& rest) {
  const Matrices at = matrices_at(model, rest);
  const Eigen::MatrixXd R = null_space(at.J);
  const Eigen::Index n = R.cols();
  if (n == 0) return {};

  // In coordinates in which M_r is the identity.
  const Eigen::LLT<Eigen::MatrixXd> mass(R.transpose() * at.M * R);
  const Eigen::MatrixXd factor = mass.matrixL();
  if (mass.info() != Eigen::Success || factor.diagonal().minCoeff() < rank_tolerance * factor.diagonal().maxCoeff()) {
    return spectrum_with_massless({R.transpose() * at.M * R, R.transpose() * at.C * R, R.transpose() * at.K * R, {}});
  }
  const Eigen::MatrixXd L = factor.inverse() * R.transpose();
  const Eigen::MatrixXd C = L * at.C * L.transpose(), K = L * at.K * L.transpose();

  std::vector<std::complex<double>> spectrum;
  if (C.isZero(0)) {
    const Eigen::VectorXcd squares = eigenvalues(K);
    for (const std::complex<double>& mu : squares) {
      const std::complex<double> s = std::sqrt(-mu);
      spectrum.push_back(s);
      spectrum.push_back(-s);
    }
    return spectrum;
  }
  Eigen::MatrixXd companion(2 * n, 2 * n);
  companion << Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Identity(n, n), -K, -C;
  const Eigen::VectorXcd all = eigenvalues(companion);
  spectrum.assign(all.begin(), all.end());
  return spectrum;
}

}  // namespace stillpoint::dense
