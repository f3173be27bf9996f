#include "motion/kkt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.h"
#include "base/in_parallel.h"

namespace stillpoint {

namespace {

constexpr int usual_repetitions = 2, most_repetitions = 8;
constexpr double enough = 4 * std::numeric_limits<double>::epsilon();
// Further refinements are for constraints that are weak beside ε, as between light bodies among heavy ones, not for
// those that no refinement satisfies: they must reduce what is left of J x − c to less than half.
constexpr double satisfied = 1e-14, contraction = 0.5;
constexpr Index entries_together = 50'000;  // entries of vectors

/// Sizes that are not positive count with the largest one.
double or_largest(double size, double most) { return size > 0 ? size : most > 0 ? most : 1; }
Eigen::VectorXd or_largest(Eigen::VectorXd sizes) {
  const double most = sizes.size() > 0 ? sizes.maxCoeff() : 0;
  for (double& size : sizes) size = or_largest(size, most);
  return sizes;
}

struct Largest {
  double size = 0;
  void operator+=(const Largest& other) { size = std::max(size, other.size); }
};

/// Σ x_i y_i / E_i
template <class Weights, class X, class Y>
double product(const Weights& E, const X& x, const Y& y) {
  return (E.array().inverse() * x.array() * y.array()).sum();
}

/// Steps of conjugate residuals on the rows of the constraints [Eisenstat et al. 1983], where products of two vectors
/// weigh the rows by E⁻¹.
class ConjugateResiduals {
 public:
  explicit ConjugateResiduals(const Eigen::VectorXd& E) : E_(E) {}
  /// Adds a step to x, where this is left and the plain step is that of a repetition.
  void advance(const Eigen::VectorXd& left, Eigen::VectorXd plain, Eigen::VectorXd& x);

 private:
  struct Products {
    double of_effect = 0, along = 0, of_left = 0;
    void operator+=(const Products& other) {
      of_effect += other.of_effect;
      along += other.along;
      of_left += other.of_left;
    }
  };
  const Eigen::VectorXd& E_;
  Eigen::VectorXd step_{}, effect_{};  ///< of the step before, on the rows
  double square_ = 0;                  ///< of the effect; 0: there was none
};

void ConjugateResiduals::advance(const Eigen::VectorXd& left, Eigen::VectorXd plain, Eigen::VectorXd& x) {
  constexpr double half_of_it = 0.5, longest = 10;  // relative to a plain step
  const auto m = static_cast<Index>(E_.size()), size = static_cast<Index>(x.size()), n = size - m;
  const bool goes_on = square_ > 0;
  Eigen::VectorXd effect(m);
  const double shared = joined_chunks(m, entries_together, 0.0, [&](Index begin, Index end) {
    const Index count = end - begin;
    const auto weights = E_.segment(begin, count);
    effect.segment(begin, count) =
        left.segment(n + begin, count) + weights.cwiseProduct(plain.segment(n + begin, count));
    return goes_on ? product(weights, effect_.segment(begin, count), effect.segment(begin, count)) : 0;
  });
  const double repeated = goes_on ? shared / square_ : 0;
  const auto products = joined_chunks(m, entries_together, Products{}, [&](Index begin, Index end) {
    const Index count = end - begin;
    const auto weights = E_.segment(begin, count), open = left.segment(n + begin, count);
    auto now = effect.segment(begin, count);
    if (goes_on) now -= repeated * effect_.segment(begin, count);
    return Products{product(weights, now, now), product(weights, now, open), product(weights, open, open)};
  });
  // What redundant constraints leave open has no effect: where that is most of what is left, the step is a plain one.
  const bool pays = products.along * products.along > half_of_it * products.of_effect * products.of_left &&
                    products.along < longest * products.of_effect;
  const double length = pays ? products.along / products.of_effect : 1;
  in_parallel_chunks(size, entries_together, [&](Index begin, Index end) {
    auto step = plain.segment(begin, end - begin);
    if (pays && goes_on) step -= repeated * step_.segment(begin, end - begin);
    x.segment(begin, end - begin) += length * step;
  });
  step_ = std::move(plain);
  effect_ = std::move(effect);
  square_ = pays ? products.of_effect : 0;
}

}  // namespace

Eigen::VectorXd inertia_or_largest(Eigen::VectorXd diagonal) { return or_largest(std::move(diagonal)); }

Eigen::VectorXd mobility_of_rows(const Eigen::VectorXd& diagonal, const SparseMatrix& J) {
  const Eigen::VectorXd inertia = inertia_or_largest(diagonal);
  Eigen::VectorXd mobility = Eigen::VectorXd::Zero(J.rows());
  for (Index j = 0; j < J.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry)
      mobility[entry.row()] += entry.value() * entry.value() / inertia[j];
  }
  return or_largest(std::move(mobility));
}

double proximal_for(double proximal, Eigen::Index rows) {
  constexpr double few_rows = 300;  // for which 10⁻⁸ is small enough
  const double ratio = few_rows / std::max(few_rows, static_cast<double>(rows));
  return proximal * ratio * ratio;
}

Eigen::VectorXd left_without_proximal(const SparseMatrix& matrix, const Eigen::VectorXd& E,
                                      const Eigen::VectorXd& right, const Eigen::VectorXd& x) {
  Eigen::VectorXd left = right - matrix * x;
  left.tail(E.size()) -= E.cwiseProduct(x.tail(E.size()));
  return left;
}

namespace {

// Joints of bodies in space couple so many coordinates that partial pivoting leaves the order of the parts, and the
// factors fill up: a chain of 10 000 was not factored in 100 s, and takes 2 s as a whole.
SparseLu::Use in_parts_or_whole(const Model& model) {
  return model.initial_state().orientations.empty() ? SparseLu::Use::often : SparseLu::Use::seldom;
}

}  // namespace

MotionKkt::MotionKkt(const Model& model, double proximal)
    : assembly_(model), proximal_(proximal_for(proximal, model.constraints())) {
  lay_out(in_parts_or_whole(model));
}

// Column j < n holds M(:, j) and J(:, j), column n + i row i of J and the diagonal entry.
void MotionKkt::lay_out(SparseLu::Use use) {
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
  diagonal_of_M_.assign(at(n), -1);
  for (Index j = 0; j < n; ++j) {
    for (Index k = M.outerIndexPtr()[j]; k < M.outerIndexPtr()[j + 1]; ++k) {
      if (M.innerIndexPtr()[k] == j) diagonal_of_M_[at(j)] = k;
    }
  }
  kkt_.coeffs().setZero();
  lu_ = std::make_unique<SparseLu>(kkt_, use);
}

void MotionKkt::put_values() {
  const SparseMatrix &M = this->M(), &J = this->J();
  const auto n = static_cast<Index>(M.rows()), m = static_cast<Index>(J.rows());
  const Index* const starts = kkt_.outerIndexPtr();
  double* const values = kkt_.valuePtr();
  Eigen::VectorXd masses(n), mobility(m);
  const double most_mass = joined_chunks(n, entries_together, Largest{}, [&](Index begin, Index end) {
                             Largest most;
                             for (Index j = begin; j < end; ++j) {
                               Index next = starts[j];
                               for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry)
                                 values[next++] = entry.value();
                               for (Index k = J.outerIndexPtr()[j]; k < J.outerIndexPtr()[j + 1]; ++k)
                                 values[next++] = values[transposed_[at(k)]] = J.valuePtr()[k];
                               const Index place = diagonal_of_M_[at(j)];
                               masses[j] = place < 0 ? 0 : M.valuePtr()[place];
                               most += {masses[j]};
                             }
                             return most;
                           }).size;
  row_norms_.resize(m);  // row i of J stands in column n + i, above the diagonal entry
  struct OfRows {
    Largest mobility{}, norm{};
    void operator+=(const OfRows& other) {
      mobility += other.mobility;
      norm += other.norm;
    }
  };
  const auto largest = joined_chunks(m, entries_together, OfRows{}, [&](Index begin, Index end) {
    OfRows most;
    for (Index i = begin; i < end; ++i) {
      double squares = 0, of_unit_force = 0;
      for (Index k = starts[n + i]; k < diagonal_[at(i)]; ++k) {
        const double square = values[k] * values[k];
        squares += square;
        of_unit_force += square / or_largest(masses[kkt_.innerIndexPtr()[k]], most_mass);
      }
      row_norms_[i] = std::sqrt(squares);
      mobility[i] = of_unit_force;
      most += {{of_unit_force}, {row_norms_[i]}};
    }
    return most;
  });
  longest_row_ = largest.norm.size;
  E_.resize(m);
  in_parallel_chunks(m, entries_together, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      E_[i] = proximal_ * or_largest(mobility[i], largest.mobility.size);
      values[diagonal_[at(i)]] = -E_[i];
    }
  });
}

void MotionKkt::Configuration::put(const State& state) {
  q = state.q;
  u = state.u;
  orientations = state.orientations;
  is_valid = true;
}

bool MotionKkt::Configuration::is_at(const State& state) const {
  const auto are_equal = [](const Rotation<double>& a, const Rotation<double>& b) {
    return a.w == b.w && a.x == b.x && a.y == b.y && a.z == b.z;
  };
  return is_valid && q.size() == state.q.size() && u.size() == state.u.size() && q == state.q && u == state.u &&
         std::equal(orientations.begin(), orientations.end(), state.orientations.begin(), state.orientations.end(),
                    are_equal);
}

void MotionKkt::assemble(const State& state) {
  if (assembled_.is_at(state)) return;
  assembly_.at(state);
  put_values();
  assembled_.put(state);
}

bool MotionKkt::factor(const State& state) {
  assemble(state);
  if (kkt_.rows() == 0 || factored_.is_at(state)) return true;
  ++factorisations_;
  factored_.is_valid = false;
  if (!lu_->factor(kkt_)) return false;
  factored_.put(state);
  return true;
}

void MotionKkt::set_proximal(double proximal, double least) {
  const double before = std::exchange(proximal_, std::max(least, proximal_for(proximal, J().rows())));
  if (proximal_ == before) return;
  assembled_.is_valid = factored_.is_valid = false;
}

MotionKkt::Left MotionKkt::joined(const Eigen::VectorXd& b, const Eigen::VectorXd& c) {
  const auto n = static_cast<Index>(b.size()), size = n + static_cast<Index>(c.size());
  Left right{.all = Eigen::VectorXd(size)};
  right.sizes = joined_chunks(size, entries_together, Sizes{}, [&](Index begin, Index end) {
    const Index middle = std::clamp(n, begin, end);
    const auto put = [&](const Eigen::VectorXd& from, Index first, Index last, Index offset) {
      if (first == last) return 0.0;
      right.all.segment(first, last - first) = from.segment(first - offset, last - first);
      return largest_entry(right.all.segment(first, last - first));
    };
    return Sizes{.of_forces = put(b, begin, middle, 0), .of_rows = put(c, middle, end, n)};
  });
  return right;
}

// The matrix is symmetric: its columns are its rows.
MotionKkt::Left MotionKkt::left_without_proximal_at(const Eigen::VectorXd& right, const Eigen::VectorXd& both) const {
  const auto n = static_cast<Index>(M().rows()), size = static_cast<Index>(right.size());
  const Index* const starts = kkt_.outerIndexPtr();
  const Index* const rows = kkt_.innerIndexPtr();
  const double* const values = kkt_.valuePtr();
  Left left{.all = Eigen::VectorXd(size)};
  left.sizes = joined_chunks(size, entries_together, Sizes{}, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      double sum = right[i];
      for (Index k = starts[i]; k < starts[i + 1]; ++k) sum -= values[k] * both[rows[k]];
      left.all[i] = i < n ? sum : sum - E_[i - n] * both[i];
    }
    const Index middle = std::clamp(n, begin, end);
    const auto largest = [](const Eigen::VectorXd& of, Index first, Index last) {
      return largest_entry(of.segment(first, last - first));
    };
    return Sizes{.of_forces = largest(left.all, begin, middle),
                 .of_rows = largest(left.all, middle, end),
                 .x = largest(both, begin, middle),
                 .lambda = largest(both, middle, end)};
  });
  return left;
}

void MotionKkt::Sizes::operator+=(const Sizes& other) {
  of_forces = std::max(of_forces, other.of_forces);
  of_rows = std::max(of_rows, other.of_rows);
  x = std::max(x, other.x);
  lambda = std::max(lambda, other.lambda);
}

// A repetition λ ← λ' of (13.3) is a correction by the residual for E = 0, which removes rounding errors as well. It
// contracts by ε/(σ² + ε); where that is slow, steps of conjugate residuals take fewer.
MotionKkt::Solution MotionKkt::solve(const Eigen::VectorXd& b, const Eigen::VectorXd& c, double accuracy) {
  const Eigen::Index n = b.size(), m = c.size();
  if (n + m == 0) return {b, c};
  const Left right = joined(b, c);
  const double size_of_c = right.sizes.of_rows, size_of_right = std::max(right.sizes.of_forces, size_of_c);
  Eigen::VectorXd both = lu_->solve_once(right.all);
  ConjugateResiduals steps(E_);
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_repetitions; ++k) {
    const Left left = left_without_proximal_at(right.all, both);
    const auto& [of_forces, of_rows, x, lambda] = left.sizes;
    const bool is_satisfied = !(of_rows > std::max(satisfied, accuracy) * (longest_row_ * x + size_of_c));
    if (is_satisfied && !(of_forces > std::max(enough, accuracy) * (std::max(x, lambda) + size_of_right))) break;
    if (k >= usual_repetitions && (is_satisfied || !(of_rows < contraction * before))) break;
    before = of_rows;
    steps.advance(left.all, lu_->solve_once(left.all), both);
  }
  return {both.head(n), both.tail(m)};
}

double MotionKkt::open_part(const Eigen::VectorXd& x, const Eigen::VectorXd& c) const {
  if (c.size() == 0) return 0;
  const SparseMatrix& J = this->J();
  Eigen::VectorXd left = c, size = c.cwiseAbs();
  for (Index j = 0; j < J.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      const double term = entry.value() * x[j];
      left[entry.row()] -= term;
      size[entry.row()] += std::abs(term);
    }
  }
  const double floor = size.maxCoeff() * 1e-6;
  double most = 0;
  for (Eigen::Index i = 0; i < left.size(); ++i) {
    if (size[i] > 0) most = std::max(most, std::abs(left[i]) / std::max(size[i], floor));
  }
  return most;
}

MotionKkt::Response MotionKkt::respond(const Eigen::MatrixXd& r) {
  const Eigen::Index n = M().rows(), m = r.rows(), count = r.cols();
  Eigen::VectorXd root(m);  // D⁻¹
  Eigen::MatrixXd both(n + m, count);
  in_parallel_chunks(static_cast<Index>(m), entries_together, [&](Index begin, Index end) {
    const Index rows = end - begin;
    root.segment(begin, rows) = (E_.segment(begin, rows) / proximal_).cwiseSqrt();
    both.middleRows(n + begin, rows) = -(root.segment(begin, rows).asDiagonal() * r.middleRows(begin, rows));
  });
  both.topRows(n).setZero();
  both = lu_->solve_columns(std::move(both));
  Response found{Eigen::MatrixXd(m, count), Eigen::MatrixXd(n, count), Eigen::MatrixXd(m, count)};
  in_parallel_chunks(static_cast<Index>(m), entries_together, [&](Index begin, Index end) {
    const Index rows = end - begin;
    found.lambda.middleRows(begin, rows) = both.middleRows(n + begin, rows);
    found.scaled.middleRows(begin, rows) =
        root.segment(begin, rows).asDiagonal() * found.lambda.middleRows(begin, rows);
  });
  in_parallel_chunks(static_cast<Index>(n), entries_together, [&](Index begin, Index end) {
    found.motion.middleRows(begin, end - begin) = both.middleRows(begin, end - begin);
  });
  return found;
}

}  // namespace stillpoint
