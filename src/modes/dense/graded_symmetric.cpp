#include "modes/dense/graded_symmetric.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "algebra/dense/blas.h"
#include "base/at.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;

// Beside a value this many times as large, that part of the digits of a smaller one is lost.
constexpr double wide = 1e6;

/// The slow part of a spectrum, in place: columns and values in ascending order of magnitude.
class SlowMotions {
 public:
  SlowMotions(const Matrix& K, const Matrix& M, SymmetricEigen& all) : K_(K), M_(M), all_(all) {}

  /// Replaces the slowest motions by the free ones and combinations of the others that are M-orthogonal to these.
  void put_free(const Matrix& free);
  /// Solves for the slow ones among those from `begin`, until none of them is slow beside another.
  void solve_from(Eigen::Index begin);

 private:
  // Returns the first of a range whose value is not small beside the last one.
  Eigen::Index end_of_slow(Eigen::Index begin, Eigen::Index end) const {
    const double least = std::abs(all_.values[end - 1]) / wide;
    Eigen::Index k = begin;
    while (k < end && std::abs(all_.values[k]) < least) ++k;
    return k;
  }
  // The directions without their components along all motions from `end`, to first order.
  Matrix without_fast(Matrix slow, Eigen::Index end) const {
    const Eigen::Index fast = all_.values.size() - end;
    if (fast == 0) return slow;
    const auto X = all_.vectors.rightCols(fast);
    const Matrix forces = X.transpose() * product(K_, slow);
    return slow - X * all_.values.tail(fast).cwiseInverse().asDiagonal() * forces;
  }
  // Puts the combinations of these directions that vibrate independently from `begin`; false if one has no mass.
  bool put_independent(const Matrix& directions, Eigen::Index begin);

  const Matrix &K_, &M_;
  SymmetricEigen& all_;
};

Matrix symmetric(const Matrix& A) { return (A + A.transpose()) / 2; }

void sort_by_magnitude(SymmetricEigen& found) {
  std::vector<Eigen::Index> order(at(found.values.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) {
    return std::abs(found.values[i]) < std::abs(found.values[j]);
  });
  found = {found.values(order), found.vectors(Eigen::all, order)};
}

bool SlowMotions::put_independent(const Matrix& directions, Eigen::Index begin) {
  const auto on_directions = [&](const Matrix& A) {
    return symmetric(directions.transpose() * product(A, directions));
  };
  std::optional<SymmetricEigen> found = solve_symmetric(on_directions(K_), on_directions(M_));
  if (!found) return false;
  sort_by_magnitude(*found);
  all_.vectors.middleCols(begin, directions.cols()) = directions * found->vectors;
  all_.values.segment(begin, directions.cols()) = found->values;
  return true;
}

void SlowMotions::put_free(const Matrix& free) {
  const Eigen::Index z = free.cols(), slow = std::max(z, end_of_slow(0, all_.values.size()));
  const Matrix MN = product(M_, free), mass = free.transpose() * MN;
  const auto X = all_.vectors.leftCols(slow);
  const Matrix rest = without_fast(X - free * mass.partialPivLu().solve(MN.transpose() * X), slow);
  // The columns of the rest depend on each other as often as there are free motions, which are no longer in them.
  const SymmetricEigen by_mass = solve_symmetric(symmetric(rest.transpose() * product(M_, rest)));
  const Eigen::Index others = slow - z;
  const Matrix directions = rest * by_mass.vectors.rightCols(others);
  if (others > 0 && !(by_mass.values[z] > 0 && put_independent(directions, z))) return;
  for (Eigen::Index k = 0; k < z; ++k) {
    all_.vectors.col(k) = free.col(k) / std::sqrt(mass(k, k));
    all_.values[k] = all_.vectors.col(k).dot(K_ * all_.vectors.col(k));
  }
}

void SlowMotions::solve_from(Eigen::Index begin) {
  for (Eigen::Index end = all_.values.size(); end > begin;) {
    const Eigen::Index slow = end_of_slow(begin, end);
    if (slow == begin || !put_independent(without_fast(all_.vectors.middleCols(begin, slow - begin), slow), begin))
      return;
    end = slow;
  }
}

}  // namespace

std::optional<SymmetricEigen> solve_graded(const Matrix& K, const Matrix& M, const Matrix& free) {
  std::optional<SymmetricEigen> found = solve_symmetric(K, M);
  if (!found) return {};
  sort_by_magnitude(*found);
  SlowMotions slow(K, M, *found);
  if (free.cols() > 0) slow.put_free(free);
  slow.solve_from(free.cols());
  return found;
}

}  // namespace stillpoint
