#include "stillpoint/elements/flexible_matrices.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "algebra/dense/lapack.h"
#include "algebra/ldlt/definiteness.h"
#include "algebra/sparse/random_start.h"
#include "algebra/sparse/symmetry.h"
#include "base/at.h"
#include "formats/matrix_market.h"
#include "stillpoint/detail/symmetric_factor.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double like_rounding = 1e-9;  // relative accuracy of numbers in a text file

void require_symmetric(const SparseMatrix& A, Index size, const std::string& path) {
  if (A.rows() != size || A.cols() != size) {
    throw Error({path, 0, 0}, fmt::format("is {} x {}; it must be {} x {}, as M is", A.rows(), A.cols(), size, size));
  }
  if (!is_symmetric(A, like_rounding)) throw Error({path, 0, 0}, "is not symmetric; it must be");
}

// Each entry of K R is compared with the magnitudes |K| |R| of its column.
void require_free(const FlexibleMatrices& body, const std::string& path) {
  const MatrixXd forces = body.K * body.R, size = body.K.cwiseAbs() * body.R.cwiseAbs();
  for (Eigen::Index j = 0; j < forces.cols(); ++j) {
    const double largest = size.col(j).maxCoeff();
    Eigen::Index worst = 0;
    if (forces.col(j).cwiseAbs().maxCoeff(&worst) <= like_rounding * largest) continue;
    throw Error(
        {path, 0, 0},
        fmt::format("column {} is no rigid motion of the free body: K R is {:.3g} in row {}, where rounding would "
                    "leave at most {:.1e}; K must not constrain the body, and R must fit its degrees of freedom",
                    j + 1, forces(worst, j), worst + 1, like_rounding * largest));
  }
}

}  // namespace

FlexibleMatrices read_flexible_matrices(const std::string& folder) {
  const std::string path_M = folder + "/M.mtx", path_K = folder + "/K.mtx", path_R = folder + "/R.mtx";
  FlexibleMatrices body;
  body.M = read_matrix_market(path_M);
  body.K = read_matrix_market(path_K);
  body.R = read_matrix_market(path_R);
  require_symmetric(body.M, static_cast<Index>(body.M.rows()), path_M);
  require_symmetric(body.K, body.size(), path_K);
  if (has_negative_eigenvalue(body.M))
    throw Error({path_M, 0, 0}, "has a negative eigenvalue; a mass matrix must be positive semidefinite");
  if (body.R.rows() != body.size() || body.R.cols() != 6) {
    throw Error({path_R, 0, 0}, fmt::format("is {} x {}; it must be {} x 6: a row for each of M, and the three "
                                            "translations and three rotations",
                                            body.R.rows(), body.R.cols(), body.size()));
  }
  require_free(body, path_R);
  return body;
}

Eigen::Matrix<double, 6, 6> rigid_motions_of_node(const Vec3<double>& p) {
  Eigen::Matrix<double, 6, 6> rows = Eigen::Matrix<double, 6, 6>::Identity();
  rows.topRightCorner<3, 3>() << 0, p.z, -p.y, -p.z, 0, p.x, p.y, -p.x, 0;
  return rows;
}

Vec3<double> place_of_node(const FlexibleMatrices& body, Index row) {
  return {body.R(row + 1, 5), body.R(row + 2, 3), body.R(row, 4)};
}

FlexibleMatrices with_nodes_first(const FlexibleMatrices& body, const std::vector<Index>& first_rows) {
  const Index size = body.size();
  std::vector<Index> order;
  std::vector<char> taken(at(size), 0);
  for (const Index first : first_rows) {
    if (first < 0 || first + 6 > size) {
      throw Error(fmt::format("a node cannot start at degree of freedom {}: the body has {}, and a node takes six",
                              first + 1, size));
    }
    const Eigen::Matrix<double, 6, 6> expected = rigid_motions_of_node(place_of_node(body, first));
    const double off = (body.R.middleRows<6>(first) - expected).cwiseAbs().maxCoeff();
    if (!(off <= like_rounding * std::max(1.0, expected.cwiseAbs().maxCoeff()))) {
      throw Error(
          fmt::format("there is no node at degree of freedom {}: the rigid motions R do not have three displacements "
                      "and three rotations in the six rows from there on",
                      first + 1));
    }
    for (Index i = first; i < first + 6; ++i) {
      if (taken[at(i)]++) throw Error(fmt::format("two nodes share degree of freedom {}", i + 1));
      order.push_back(i);
    }
  }
  for (Index i = 0; i < size; ++i) {
    if (!taken[at(i)]) order.push_back(i);
  }
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> P(size);  // from old to new indices
  for (Index k = 0; k < size; ++k) P.indices()[order[at(k)]] = k;
  FlexibleMatrices sorted;
  sorted.M = P * body.M * P.transpose();
  sorted.K = P * body.K * P.transpose();
  sorted.R = P * body.R;
  if (body.D.size() > 0) sorted.D = P * body.D * P.transpose();
  return sorted;
}

// ---------------------------------------------------------------------------------------------------------------------
// Reduction

namespace {

MatrixXd solve(const SymmetricFactor& factor, const MatrixXd& B) {
  MatrixXd X(B.rows(), B.cols());
  for (Eigen::Index j = 0; j < B.cols(); ++j) X.col(j) = factor.solve(B.col(j));
  return X;
}

struct LowModes {
  VectorXd squares;  ///< ω², ascending
  MatrixXd vectors;  ///< orthonormal in M
};

/// Subspace iteration [Bathe & Wilson 1973], which converges for clusters of eigenvalues; a Sturm count by the signs of
/// K − ω² M proves that no mode was missed.
LowModes low_modes(const SparseMatrix& K, const SparseMatrix& M, const SymmetricFactor& factor, Index wanted) {
  constexpr int most_rounds = 300;
  constexpr double still = 1e-13;
  const Index n = static_cast<Index>(K.rows()), size = std::min(n, std::max(2 * wanted, wanted + 8));
  MatrixXd X = solve(factor, random_start(n * size).reshaped(n, size));
  VectorXd before = VectorXd::Zero(wanted);
  for (int round = 0; round < most_rounds; ++round) {
    const MatrixXd MX = M * X;
    // The pencil is projected with the product of K, in which the directions stay independent even if M is singular.
    const auto ritz = solve_symmetric(X.transpose() * MX, X.transpose() * (K * X));
    if (!ritz) throw Error("the stiffness of a flexible body with fixed nodes is not positive definite");
    const Eigen::Index last = size - 1;
    VectorXd squares(wanted);
    for (Index k = 0; k < wanted; ++k) squares[k] = 1 / ritz->values[last - k];
    MatrixXd vectors = X * ritz->vectors.rowwise().reverse();
    const bool is_still = ((squares - before).array().abs() <= still * squares.array().abs()).all();
    before = squares;
    if (is_still) {
      if (!(squares[wanted - 1] > 0 && std::isfinite(squares[wanted - 1]))) {
        throw Error(fmt::format("a flexible body has fewer than {} modes with fixed nodes", wanted));
      }
      SymmetricFactor shifted(K);
      shifted.factor(K - (squares[wanted - 1] * (1 - 1e-8)) * M);
      const auto below =
          std::count_if(squares.begin(), squares.end(), [&](double s) { return s < squares[wanted - 1] * (1 - 1e-8); });
      if (shifted.signs().negative != below) {
        throw Error(fmt::format(
            "{} modes of a flexible body with fixed nodes were found below {:.6g} rad/s, where there are {}", below,
            std::sqrt(squares[wanted - 1]), shifted.signs().negative));
      }
      vectors = vectors.leftCols(wanted).eval();
      for (Index k = 0; k < wanted; ++k) vectors.col(k) *= std::sqrt(squares[k]);
      return {squares, vectors};
    }
    X = solve(factor, M * vectors);
    for (Eigen::Index j = 0; j < X.cols(); ++j) X.col(j).normalize();
  }
  throw Error(fmt::format("the lowest {} modes of a flexible body with fixed nodes were not found", wanted));
}

SparseMatrix block(const SparseMatrix& A, Index row, Index column, Index rows, Index columns) {
  return SparseMatrix(A.middleCols(column, columns)).middleRows(row, rows);
}

}  // namespace

// Component mode synthesis of [Craig & Bampton 1968]: u_others = Ψ u_kept + Φ η, Ψ = −K_oo⁻¹ K_ok. Rigid motions of the
// kept degrees of freedom move the others rigidly, so η has no part in them.
FlexibleMatrices craig_bampton(const FlexibleMatrices& body, Index kept, Index modes) {
  const Index others = body.size() - kept;
  if (modes < 0 || modes > others) {
    throw Error(
        fmt::format("{} modes were requested; besides its nodes the body has {} degrees of freedom", modes, others));
  }
  const SparseMatrix K_oo = block(body.K, kept, kept, others, others), M_oo = block(body.M, kept, kept, others, others);
  const SparseMatrix K_ok = block(body.K, kept, 0, others, kept);
  SymmetricFactor factor(K_oo);
  factor.factor(K_oo);
  const SignCount signs = factor.signs();
  if (signs.positive != others) {
    throw Error(
        fmt::format("with fixed nodes the body can still move: K has {} eigenvalues there that are not positive; give "
                    "it more nodes, or do not reduce it",
                    others - signs.positive));
  }
  MatrixXd T(body.size(), kept + modes);  // all degrees of freedom as functions of the reduced ones
  T.setZero();
  T.topLeftCorner(kept, kept).setIdentity();
  T.bottomLeftCorner(others, kept) = -solve(factor, MatrixXd(K_ok));
  VectorXd squares(modes);
  if (modes > 0) {
    const LowModes low = low_modes(K_oo, M_oo, factor, modes);
    T.bottomRightCorner(others, modes) = low.vectors;
    squares = low.squares;
  }
  const auto reduced = [&](const SparseMatrix& A) -> MatrixXd {
    const MatrixXd projected = T.transpose() * (A * T);
    return 0.5 * (projected + projected.transpose());
  };
  MatrixXd K = reduced(body.K);  // known zeros and the diagonal are exact
  K.topRightCorner(kept, modes).setZero();
  K.bottomLeftCorner(modes, kept).setZero();
  K.bottomRightCorner(modes, modes) = squares.asDiagonal();
  MatrixXd M = reduced(body.M);
  M.bottomRightCorner(modes, modes).setIdentity();
  FlexibleMatrices result;
  result.M = M.sparseView();
  result.K = K.sparseView();
  result.R = MatrixXd::Zero(kept + modes, 6);
  result.R.topRows(kept) = body.R.topRows(kept);
  if (body.D.size() > 0) result.D = reduced(body.D).sparseView();
  return result;
}

// D = Σ 2 ζ ω M x xᵀ M over the elastic modes x of the free body.
SparseMatrix modal_damping(const FlexibleMatrices& body, double ratio) {
  const auto modes = solve_symmetric(MatrixXd(body.K), MatrixXd(body.M));
  if (!modes) throw Error("modal damping needs a mass for every degree of freedom of the body; reduce it with 'modes'");
  const Eigen::Index rigid = Eigen::ColPivHouseholderQR<MatrixXd>(body.R).rank();
  const MatrixXd momenta = body.M * modes->vectors;
  MatrixXd D = MatrixXd::Zero(body.size(), body.size());
  for (Eigen::Index k = rigid; k < modes->values.size(); ++k) {
    D += 2 * ratio * std::sqrt(std::max(0.0, modes->values[k])) * momenta.col(k) * momenta.col(k).transpose();
  }
  return D.sparseView();
}

}  // namespace stillpoint
