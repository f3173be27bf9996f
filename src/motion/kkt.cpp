#include "motion/kkt.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr int usual_repetitions = 2, most_repetitions = 8;
constexpr double enough = 4 * std::numeric_limits<double>::epsilon();
// Further refinements are for constraints that are weak beside ε, as between light bodies among heavy ones, not for
// those that no refinement satisfies: they must reduce what is left of J x − c to less than half.
constexpr double satisfied = 1e-14, contraction = 0.5;

}  // namespace

Eigen::VectorXd inertia_or_largest(Eigen::VectorXd diagonal) {
  const double most = diagonal.size() > 0 ? diagonal.maxCoeff() : 0;
  for (double& mass : diagonal) mass = mass > 0 ? mass : most > 0 ? most : 1;
  return diagonal;
}

Eigen::VectorXd mobility_of_rows(const Eigen::VectorXd& diagonal, const SparseMatrix& J) {
  const Eigen::VectorXd inertia = inertia_or_largest(diagonal);
  Eigen::VectorXd mobility = Eigen::VectorXd::Zero(J.rows());
  for (Index j = 0; j < J.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry)
      mobility[entry.row()] += entry.value() * entry.value() / inertia[j];
  }
  const double largest = mobility.size() > 0 ? mobility.maxCoeff() : 0;
  for (double& x : mobility) x = x > 0 ? x : largest > 0 ? largest : 1;
  return mobility;
}

double proximal_for(double proximal, Eigen::Index rows) {
  constexpr double few_rows = 3000;  // for which 10⁻⁸ is small enough
  const double ratio = few_rows / std::max(few_rows, static_cast<double>(rows));
  return proximal * ratio * ratio;
}

Eigen::VectorXd left_without_proximal(const SparseMatrix& matrix, const Eigen::VectorXd& E,
                                      const Eigen::VectorXd& right, const Eigen::VectorXd& x) {
  Eigen::VectorXd left = right - matrix * x;
  left.tail(E.size()) -= E.cwiseProduct(x.tail(E.size()));
  return left;
}

MotionKkt::MotionKkt(const Model& model, double proximal)
    : assembly_(model), proximal_(proximal_for(proximal, model.constraints())) {
  lay_out();
}

// Column j < n holds M(:, j) and J(:, j), column n + i row i of J and the diagonal entry.
void MotionKkt::lay_out() {
  const SparseMatrix &M = this->M(), &J = this->J();
  const auto n = static_cast<Index>(M.rows()), m = static_cast<Index>(J.rows());
  std::vector<Index> in_row(at(m), 1);
  for (Eigen::Index k = 0; k < J.nonZeros(); ++k) ++in_row[at(J.innerIndexPtr()[k])];
  kkt_.resize(n + m, n + m);
  kkt_.resizeNonZeros(M.nonZeros() + 2 * J.nonZeros() + m);
  Index* const starts = kkt_.outerIndexPtr();
  Index* const rows = kkt_.innerIndexPtr();
  starts[0] = 0;
  for (Index j = 0; j < n; ++j) {
    Index next = starts[j];
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry) rows[next++] = static_cast<Index>(entry.row());
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) rows[next++] = n + static_cast<Index>(entry.row());
    starts[j + 1] = next;
  }
  std::vector<Index> next(at(m));
  for (Index i = 0; i < m; ++i) {
    next[at(i)] = starts[n + i];
    starts[n + i + 1] = starts[n + i] + in_row[at(i)];
  }
  transposed_.clear();
  transposed_.reserve(at(J.nonZeros()));
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      Index& place = next[at(entry.row())];
      rows[place] = j;
      transposed_.push_back(place++);
    }
  }
  diagonal_.resize(at(m));
  for (Index i = 0; i < m; ++i) {
    rows[next[at(i)]] = n + i;
    diagonal_[at(i)] = next[at(i)];
  }
  kkt_.coeffs().setZero();
  lu_ = std::make_unique<SparseLu>(kkt_);
}

void MotionKkt::put_values() {
  const SparseMatrix &M = this->M(), &J = this->J();
  const Eigen::Index n = M.rows();
  double* const values = kkt_.valuePtr();
  Index next = 0, of_J = 0;
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry) {
      values[next++] = entry.value();
    }
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      values[next++] = entry.value();
      values[transposed_[at(of_J++)]] = entry.value();
    }
  }
  row_norms_ = Eigen::VectorXd::Zero(J.rows());
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry)
      row_norms_[entry.row()] += entry.value() * entry.value();
  }
  row_norms_ = row_norms_.cwiseSqrt();
  E_ = proximal_ * mobility_of_rows(M.diagonal(), J);
  for (Eigen::Index i = 0; i < E_.size(); ++i) values[diagonal_[at(i)]] = -E_[i];
}

void MotionKkt::assemble(const State& state) {
  assembly_.at(state);
  put_values();
}

bool MotionKkt::factor(const State& state) {
  assemble(state);
  ++factorisations_;
  return kkt_.rows() == 0 || lu_->factor(kkt_);
}

MotionKkt::Solution MotionKkt::solve(const Eigen::VectorXd& b, const Eigen::VectorXd& c) {
  const Eigen::Index n = b.size(), m = c.size();
  Solution found{b, Eigen::VectorXd::Zero(m)};
  if (n + m == 0) return found;
  Eigen::VectorXd right(n + m);
  right << b, c;
  // A repetition λ ← λ' of (13.3) is a correction by the residual for E = 0, which removes rounding errors as well.
  Eigen::VectorXd both = lu_->solve_once(right);
  const double longest_row = m > 0 ? row_norms_.maxCoeff() : 0;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_repetitions; ++k) {
    const Eigen::VectorXd left = left_without_proximal(kkt_, E_, right, both);
    const double size = both.lpNorm<Eigen::Infinity>() + right.lpNorm<Eigen::Infinity>();
    const double open = largest_entry(left.tail(m)),
                 terms = longest_row * largest_entry(both.head(n)) + largest_entry(c);
    const bool is_satisfied = !(open > satisfied * terms);
    if (is_satisfied && !(largest_entry(left.head(n)) > enough * size)) break;
    if (k >= usual_repetitions && (is_satisfied || !(open < contraction * before))) break;
    before = open;
    both += lu_->solve_once(left);
  }
  found.x = both.head(n);
  found.lambda = both.tail(m);
  if (m == 0) return found;
  const Eigen::VectorXd left = (J() * found.x - c).cwiseAbs();
  const Eigen::VectorXd size = J().cwiseAbs() * found.x.cwiseAbs() + c.cwiseAbs();
  const double floor = size.maxCoeff() * 1e-6;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double part = size[i] > 0 ? left[i] / std::max(size[i], floor) : 0;
    if (part >= found.residual) {
      found.residual = part;
      found.worst = static_cast<Index>(i);
    }
  }
  return found;
}

Eigen::VectorXd MotionKkt::solve_multipliers(const Eigen::VectorXd& r) {
  const Eigen::Index n = M().rows(), m = r.size();
  const Eigen::VectorXd root = (E_ / proximal_).cwiseSqrt();  // D⁻¹
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
  right.tail(m) = -root.cwiseProduct(r);
  return root.cwiseProduct(lu_->solve(right).tail(m));
}

}  // namespace stillpoint
