#include "motion/newton_matrix.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "motion/kkt.h"

namespace stillpoint {

namespace {

using Entries = std::vector<Eigen::Triplet<double, Index>>;

/// Calls a function with row, column and number of each entry.
template <class Function>
void for_entries(const SparseMatrix& A, const Function& function) {
  Eigen::Index number = 0;
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry)
      function(static_cast<Index>(entry.row()), j, number++);
  }
}

Index place_of(const SparseMatrix& A, Index row, Index column) {
  const Index* const rows = A.innerIndexPtr();
  const Index* const found =
      std::lower_bound(rows + A.outerIndexPtr()[column], rows + A.outerIndexPtr()[column + 1], row);
  return static_cast<Index>(found - rows);
}

void add_values(SparseMatrix& sum, const std::vector<Index>& places, double factor, const SparseMatrix& A) {
  for (Eigen::Index k = 0; k < A.nonZeros(); ++k) sum.valuePtr()[places[at(k)]] += factor * A.valuePtr()[k];
}

}  // namespace

NewtonMatrix::NewtonMatrix(const Model& model, double proximal)
    : proximal_(proximal_for(proximal, model.constraints())), assembly_(model, Assembly::Motion::moving) {
  State state = model.initial_state();
  state.v = Eigen::VectorXd::Zero(model.coordinates());
  assemble(state);
  lay_out();
}

const Matrices& NewtonMatrix::assemble(const State& state) {
  assembled_ = &assembly_.at(state);
  return *assembled_;
}

void NewtonMatrix::lay_out() {
  const auto& [M, C, K, J, F, G] = *assembled_;
  const auto n = static_cast<Index>(M.rows()), m = static_cast<Index>(J.rows());
  Entries entries;
  for (const SparseMatrix* A : {&M, &C, &K})
    for_entries(*A, [&](Index i, Index j, Eigen::Index) { entries.emplace_back(i, j, 0); });
  for_entries(J, [&](Index i, Index j, Eigen::Index) {
    entries.emplace_back(n + i, j, 0);
    entries.emplace_back(j, n + i, 0);
  });
  for (Index i = 0; i < m; ++i) entries.emplace_back(n + i, n + i, 0);
  matrix_.resize(n + m, n + m);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  const auto places = [&](const SparseMatrix& A, Index below) {
    std::vector<Index> found;
    found.reserve(at(A.nonZeros()));
    for_entries(A, [&](Index i, Index j, Eigen::Index) { found.push_back(place_of(matrix_, below + i, j)); });
    return found;
  };
  of_M_ = places(M, 0);
  of_C_ = places(C, 0);
  of_K_ = places(K, 0);
  of_J_ = places(J, n);
  for_entries(J, [&](Index i, Index j, Eigen::Index) { transposed_.push_back(place_of(matrix_, j, n + i)); });
  for (Index i = 0; i < m; ++i) diagonal_.push_back(place_of(matrix_, n + i, n + i));
  lu_ = std::make_unique<SparseLu>(matrix_, m);
}

void NewtonMatrix::set_proximal(double proximal) { proximal_ = proximal_for(proximal, assembled_->J.rows()); }

bool NewtonMatrix::factor(double of_rates, double of_positions) {
  const auto& [M, C, K, J, F, G] = *assembled_;
  matrix_.coeffs().setZero();
  add_values(matrix_, of_M_, 1, M);
  add_values(matrix_, of_C_, of_rates, C);
  add_values(matrix_, of_K_, of_positions, K);
  add_values(matrix_, of_J_, 1, J);
  add_values(matrix_, transposed_, 1, J);
  // Stiff coordinates move as if they were heavy; those without inertia of their own count as in (13.3).
  const Eigen::ArrayXd own = M.diagonal(),
                       all = own + of_rates * C.diagonal().array() + of_positions * K.diagonal().array();
  const Eigen::VectorXd mobility = mobility_of_rows((own > 0).select(own.max(all), 0.0).matrix(), J);
  E_ = proximal_ * mobility;
  for (Eigen::Index i = 0; i < E_.size(); ++i) matrix_.valuePtr()[diagonal_[at(i)]] = -E_[i];
  ++factorisations_;
  return matrix_.rows() == 0 || lu_->factor(matrix_);
}

// Without −E, by generalised conjugate residuals [Eisenstat et al. 1983] with the factors as preconditioner.
// Constraints that are weak beside E, as between light bodies among heavy ones, leave a few directions in which plain
// repetitions contract slowly; each costs one repetition here. What redundant constraints leave open no combination
// reduces.
Eigen::VectorXd NewtonMatrix::solve(const Eigen::VectorXd& right) {
  constexpr int most_repetitions = 8;
  constexpr double worthwhile = 0.9, most_magnified = 10, negligible = 1e-14;
  struct Correction {
    Eigen::VectorXd step, effect, scaled;  ///< and its effect on the rows of the constraints, of length one
  };
  const Eigen::Index n = right.size() - E_.size(), m = E_.size();
  Eigen::VectorXd both = lu_->solve_once(right);
  if (m == 0) return both;
  const Eigen::ArrayXd weights = E_.array().sqrt().inverse();
  Eigen::VectorXd left = left_without_proximal(matrix_, E_, right, both);
  std::vector<Correction> made;
  for (int k = 0; k < most_repetitions; ++k) {
    if (largest_entry(left.tail(m)) <= negligible * largest_entry(both.head(n))) break;
    const double before = (weights * left.tail(m).array()).matrix().norm();
    Correction now{.step = lu_->solve_once(left), .effect = {}, .scaled = {}};
    now.effect = -left_without_proximal(matrix_, E_, Eigen::VectorXd::Zero(n + m), now.step);
    now.scaled = weights * now.effect.tail(m).array();
    for (const Correction& earlier : made) {
      const double part = earlier.scaled.dot(now.scaled);
      now.step -= part * earlier.step;
      now.effect -= part * earlier.effect;
      now.scaled -= part * earlier.scaled;
    }
    const double size = now.scaled.norm(), along = now.scaled.dot((weights * left.tail(m).array()).matrix()) / size;
    if (!(std::abs(along) <= most_magnified * size)) break;  // along redundant rows
    now.step /= size;
    now.effect /= size;
    now.scaled /= size;
    both += along * now.step;
    left -= along * now.effect;
    if (!((weights * left.tail(m).array()).matrix().norm() < worthwhile * before)) break;
    made.push_back(std::move(now));
  }
  return both;
}

}  // namespace stillpoint
