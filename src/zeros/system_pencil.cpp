#include "zeros/system_pencil.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "algebra/dense/lapack.h"
#include "algebra/sparse/chosen_rows.h"
#include "base/at.h"
#include "base/power_of_two.h"
#include "modes/problem/bordered_problem.h"

namespace stillpoint {

namespace {

using PencilEntries = std::vector<Eigen::Triplet<double, Index>>;

/// Adds factor × diag(rows) A diag(columns) at a place of the pencil.
void add_block(PencilEntries& entries, const SparseMatrix& A, Index row, Index column, double factor,
               const Eigen::VectorXd& rows, const Eigen::VectorXd& columns) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const double value = factor * rows[entry.row()] * entry.value() * columns[j];
      if (value != 0) entries.emplace_back(row + static_cast<Index>(entry.row()), column + j, value);
    }
  }
}

/// Raises `largest` to the largest magnitude in each row of diag(1) A diag(columns) × factor.
void take_rows(Eigen::VectorXd& largest, const SparseMatrix& A, const Eigen::VectorXd& columns, double factor) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      largest[entry.row()] = std::max(largest[entry.row()], factor * std::abs(entry.value()) * columns[j]);
  }
}

Eigen::VectorXd inverse_powers_of_two(const Eigen::VectorXd& sizes) {
  return sizes.unaryExpr([](double size) { return size > 0 ? std::exp2(-std::round(std::log2(size))) : 1.0; });
}

SparseMatrix from_entries(Index rows, Index columns, const PencilEntries& entries) {
  SparseMatrix A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// The matrix that turns the rows from `own` on of A into `count` combinations of them, and adds others to the first
/// `injected` rows.
SparseMatrix combining(Index size, Index own, Index count, Index injected) {
  std::mt19937 generator(1);  // any fixed combination will do
  const auto number = [&generator] {
    const double value = 0.5 + static_cast<double>(generator()) / static_cast<double>(std::mt19937::max());
    return generator() % 2 == 0 ? value : -value;
  };
  PencilEntries entries;
  for (Index i = 0; i < own; ++i) entries.emplace_back(i, i, 1.0);
  for (Index j = own; j < size; ++j) {
    for (Index i = 0; i < injected; ++i) entries.emplace_back(i, j, number());
    for (Index i = 0; i < count; ++i) entries.emplace_back(own + i, j, number());
  }
  return from_entries(own + count, size, entries);
}

SparseMatrix identity(Index size) {
  SparseMatrix I(size, size);
  I.setIdentity();
  return I;
}

/// Scales rows and columns by powers of two until the largest entry of each is about one [Ruiz 2001].
void equilibrate(SystemPencil& pencil) {
  constexpr int sweeps = 8;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    Eigen::VectorXd rows = Eigen::VectorXd::Zero(pencil.rows()), columns = Eigen::VectorXd::Zero(pencil.columns());
    for (const SparseMatrix* const matrix : {&pencil.second, &pencil.first, &pencil.zeroth}) {
      take_rows(rows, *matrix, Eigen::VectorXd::Ones(pencil.columns()), 1);
      take_rows(columns, matrix->transpose(), Eigen::VectorXd::Ones(pencil.rows()), 1);
    }
    const Eigen::VectorXd left = inverse_powers_of_two(rows.cwiseSqrt()),
                          right = inverse_powers_of_two(columns.cwiseSqrt());
    for (SparseMatrix* const matrix : {&pencil.second, &pencil.first, &pencil.zeroth})
      *matrix = left.asDiagonal() * *matrix * right.asDiagonal();
    pencil.column_scale = pencil.column_scale.cwiseProduct(right);
  }
}

/// An orthonormal basis of the vectors with [A, B] z = 0, where [A, B] has full row rank. Where B is zero, the basis
/// does not mix the unknowns of both.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, std::vector<RankOfStep>& steps) {
  Eigen::MatrixXd both(A.rows(), A.cols() + B.cols());
  both << A, B;
  const bool is_separate = B.isZero(0);
  const SingularValues svd = decompose(is_separate ? A : both);
  const Eigen::Index rank = A.rows();
  RankOfStep step{static_cast<Index>(both.rows()), static_cast<Index>(both.cols()), static_cast<Index>(rank)};
  step.smallest_kept = svd.values[rank - 1] / svd.values.norm();
  steps.push_back(step);
  if (!is_separate) return svd.V.rightCols(both.cols() - rank);
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(both.cols(), both.cols() - rank);
  Z.topLeftCorner(A.cols(), A.cols() - rank) = svd.V.rightCols(A.cols() - rank);
  Z.bottomRightCorner(B.cols(), B.cols()).setIdentity();
  return Z;
}

SystemPencil part_of(const SystemPencil& pencil, Index outputs, Index inputs) {
  SystemPencil part = pencil;
  part.outputs = outputs;
  part.inputs = inputs;
  for (SparseMatrix* const matrix : {&part.second, &part.first, &part.zeroth})
    *matrix = SparseMatrix(matrix->topLeftCorner(part.rows(), part.columns()));
  part.column_scale.conservativeResize(part.columns());
  return part;
}

}  // namespace

Eigen::MatrixXcd SystemPencil::at(std::complex<double> s) const {
  return s * s * second.toDense() + s * first.toDense() + zeroth.toDense();
}

Eigen::MatrixXcd SystemPencil::derivative(std::complex<double> s) const {
  return 2.0 * s * second.toDense() + first.toDense();
}

Eigen::MatrixXd SystemPencil::magnitudes(double size_of_s) const {
  return size_of_s * size_of_s * second.toDense().cwiseAbs() + size_of_s * first.toDense().cwiseAbs() +
         zeroth.toDense().cwiseAbs();
}

SystemPencil system_pencil(const LinearSystem& system, const SparseMatrix& reactions) {
  const BorderedProblem problem(system);
  const Eigen::VectorXd &S = problem.coordinate_scale(), &W = problem.multiplier_scale();
  const SparseMatrix G = chosen_rows(system.G, system.rows.independent),
                     Hl = SparseMatrix(chosen_rows(reactions.transpose(), system.rows.independent)).transpose();
  const Index n = system.coordinates(), r = static_cast<Index>(problem.J().rows()), inputs = system.inputs(),
              outputs = system.outputs(), m = n + r;
  const double gamma = problem.frequency_scale();
  const Eigen::VectorXd one_n = Eigen::VectorXd::Ones(n), one_r = Eigen::VectorXd::Ones(r);

  Eigen::VectorXd of_inputs = Eigen::VectorXd::Zero(inputs), of_outputs = Eigen::VectorXd::Zero(outputs);
  take_rows(of_inputs, system.F.transpose(), S, 1);
  take_rows(of_inputs, G.transpose(), W, 1);
  take_rows(of_outputs, system.Hq, S, 1);
  take_rows(of_outputs, system.Hv, S, gamma);
  take_rows(of_outputs, system.Ha, S, gamma * gamma);
  take_rows(of_outputs, Hl, W, 1);
  const Eigen::VectorXd U = inverse_powers_of_two(of_inputs), Y = inverse_powers_of_two(of_outputs);

  const SparseMatrix J = problem.J().copy();
  PencilEntries second, first, zeroth;
  add_block(second, problem.M().copy(), 0, 0, 1, one_n, one_n);
  add_block(first, problem.C().copy(), 0, 0, 1, one_n, one_n);
  add_block(zeroth, problem.K().copy(), 0, 0, 1, one_n, one_n);
  add_block(zeroth, J, n, 0, 1, one_r, one_n);
  add_block(zeroth, J.transpose(), 0, n, 1, one_n, one_r);
  add_block(zeroth, system.F, 0, m, -1, S, U);
  add_block(zeroth, G, n, m, -1, W, U);
  add_block(second, system.Ha, m, 0, gamma * gamma, Y, S);
  add_block(first, system.Hv, m, 0, gamma, Y, S);
  add_block(zeroth, system.Hq, m, 0, 1, Y, S);
  add_block(zeroth, Hl, m, n, 1, Y, W);
  add_block(zeroth, system.Hu, m, m, 1, Y, U);

  SystemPencil pencil;
  pencil.coordinates = n;
  pencil.constraints = r;
  pencil.inputs = inputs;
  pencil.outputs = outputs;
  pencil.gamma = gamma;
  pencil.second = from_entries(pencil.rows(), pencil.columns(), second);
  pencil.first = from_entries(pencil.rows(), pencil.columns(), first);
  pencil.zeroth = from_entries(pencil.rows(), pencil.columns(), zeroth);
  pencil.column_scale.resize(pencil.columns());
  pencil.column_scale << S, W, U;
  return pencil;
}

SquaredPencil squared(const SystemPencil& pencil, Index rank, bool mixes) {
  const Index own = pencil.coordinates + pencil.constraints, injected = mixes ? pencil.coordinates : 0;
  SquaredPencil square{pencil, identity(pencil.rows()), identity(pencil.columns())};
  if (pencil.outputs > rank) square.left = combining(pencil.rows(), own, rank, injected);
  if (pencil.inputs > rank) square.right = combining(pencil.columns(), own, rank, injected).transpose();
  square.pencil.inputs = square.pencil.outputs = rank;
  for (SparseMatrix* const matrix : {&square.pencil.second, &square.pencil.first, &square.pencil.zeroth})
    *matrix = square.left * *matrix * square.right;
  square.pencil.column_scale = Eigen::VectorXd::Ones(square.pencil.columns());
  return square;
}

FreePencil without_constraints(const SystemPencil& pencil) {
  FreePencil free{pencil, {}};
  if (pencil.constraints == 0) return free;
  const Index n = pencil.coordinates, r = pencil.constraints;
  const Eigen::MatrixXd zeroth = pencil.zeroth.toDense();
  const Eigen::MatrixXd Z = null_space(zeroth.block(n, 0, r, n), zeroth.block(n, n + r, r, pencil.inputs), free.steps),
                        Y = null_space(zeroth.block(0, n, n, r).transpose(),
                                       zeroth.block(n + r, n, pencil.outputs, r).transpose(), free.steps);
  for (SparseMatrix* const matrix : {&free.pencil.second, &free.pencil.first, &free.pencil.zeroth}) {
    const Eigen::MatrixXd all = matrix->toDense();
    Eigen::MatrixXd own(n + pencil.outputs, n + pencil.inputs);
    own << all.topLeftCorner(n, n), all.topRightCorner(n, pencil.inputs), all.bottomLeftCorner(pencil.outputs, n),
        all.bottomRightCorner(pencil.outputs, pencil.inputs);
    *matrix = Eigen::MatrixXd(Y.transpose() * own * Z).sparseView();
  }
  free.pencil.coordinates = n - r;
  free.pencil.constraints = 0;
  free.pencil.column_scale = Eigen::VectorXd::Ones(free.pencil.columns());
  return free;
}

FastPencil with_even_masses(const SystemPencil& pencil) {
  double fastest = 1;
  for (Index i = 0; i < pencil.coordinates; ++i) {
    const double mass = std::abs(pencil.second.coeff(i, i)), stiffness = std::abs(pencil.zeroth.coeff(i, i));
    if (mass > 0) fastest = std::max(fastest, std::sqrt(stiffness / mass));
  }
  FastPencil fast{pencil, nearest_power_of_two(fastest)};
  fast.pencil.second *= fast.factor * fast.factor;
  fast.pencil.first *= fast.factor;
  equilibrate(fast.pencil);
  return fast;
}

SystemPencil without_outputs(const SystemPencil& pencil) { return part_of(pencil, 0, pencil.inputs); }

SystemPencil without_inputs(const SystemPencil& pencil) { return part_of(pencil, pencil.outputs, 0); }

// The rows are ŝ x − v = 0 and those of P, with second · ŝ v in the place of second · ŝ² x.
LinearPencil linearized(const SystemPencil& pencil) {
  const Eigen::MatrixXd second = pencil.second.toDense(), first = pencil.first.toDense();
  std::vector<Eigen::Index> moving;
  for (Eigen::Index j = 0; j < pencil.columns(); ++j) {
    if (!second.col(j).isZero(0) || !first.col(j).isZero(0)) moving.push_back(j);
  }
  const Eigen::Index n = std::ssize(moving), rows = pencil.rows(), columns = pencil.columns();
  LinearPencil linear{Eigen::MatrixXd::Zero(n + rows, n + columns), Eigen::MatrixXd::Zero(n + rows, n + columns)};
  linear.A.bottomRightCorner(rows, columns) = -pencil.zeroth.toDense();
  for (Eigen::Index k = 0; k < n; ++k) {
    linear.E(k, n + moving[at(k)]) = 1;
    linear.A(k, k) = 1;
    linear.E.block(n, k, rows, 1) = second.col(moving[at(k)]);
    linear.A.block(n, k, rows, 1) = -first.col(moving[at(k)]);
  }
  return linear;
}

}  // namespace stillpoint
