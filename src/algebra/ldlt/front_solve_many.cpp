#include "algebra/ldlt/front_solve_many.h"

#include <algorithm>
#include <vector>

#include "algebra/dense/blas.h"
#include "algebra/ldlt/front_blocks.h"
#include "algebra/ldlt/front_walk.h"

namespace stillpoint {

namespace {

constexpr std::int64_t worth_blas = 200;  ///< number of entries of a front from which BLAS is faster

class Solution {
 public:
  Solution(const BranchFactors& factors, Eigen::MatrixXd& X);
  void eliminate(const FrontFactor& front);
  void substitute_back(const FrontFactor& front);
  void apply_transposed(const FrontRotation& rotation);
  void apply(const FrontRotation& rotation);
  void add(Index to, Index from) { X_.col(to) += X_.col(from); }
  void copy(Index to, Index from) { X_.col(to) = X_.col(from); }

 private:
  int rows() const { return static_cast<int>(X_.rows()); }
  void gather(const FrontFactor& front);
  void scatter(const FrontFactor& front, Index count);
  void divide_by_D(const FrontFactor& front);
  void unpack(const FrontFactor& front);
  double* below(const FrontFactor& front) { return W_.data() + W_.rows() * front.count; }
  DenseBlock upper_part(const FrontFactor& front) const { return {L_.data(), front.count, front.count, front.size}; }
  DenseBlock lower_part(const FrontFactor& front) const {
    return {L_.data() + front.count, front.size - front.count, front.count, front.size};
  }

  Eigen::MatrixXd& X_;
  Eigen::MatrixXd W_;      ///< one column for each row of the front
  std::vector<double> L_;  ///< columns of L in full, `front.size` apart
};

Solution::Solution(const BranchFactors& factors, Eigen::MatrixXd& X) : X_(X), W_(X.rows(), largest_front(factors)) {
  std::int64_t most = 0;
  for (const FrontFactor& front : factors.fronts) most = std::max(most, std::int64_t{front.count} * front.size);
  L_.resize(static_cast<std::size_t>(most));
}

void Solution::gather(const FrontFactor& front) {
  for (Index i = 0; i < front.size; ++i) W_.col(i) = X_.col(front.place[i]);
}

void Solution::scatter(const FrontFactor& front, Index count) {
  for (Index i = 0; i < count; ++i) X_.col(front.place[i]) = W_.col(i);
}

bool is_small(const FrontFactor& front) { return std::int64_t{front.count} * front.size < worth_blas; }

void Solution::unpack(const FrontFactor& front) {
  const double* l = front.L;
  for (Index j = 0; j < front.count; ++j) {
    const Index length = front.size - 1 - j;
    std::copy(l, l + length, L_.data() + std::int64_t{j} * front.size + j + 1);
    l += length;
  }
}

void Solution::divide_by_D(const FrontFactor& front) {
  for_each_block(
      front,
      [&](Index k, double d) {
        if (d == 0) W_.col(k).setZero();
        else W_.col(k) /= d;
      },
      [&](Index k, double a, double b, double c) {
        const auto [x_a, x_b] = divided_by_pair<Eigen::VectorXd>(W_.col(k), W_.col(k + 1), a, b, c);
        W_.col(k) = x_a;
        W_.col(k + 1) = x_b;
      });
}

void Solution::eliminate(const FrontFactor& front) {
  gather(front);
  if (is_small(front)) {
    const double* l = front.L;
    for (Index j = 0; j < front.count; ++j) {
      for (Index i = j + 1; i < front.size; ++i) W_.col(i) -= *l++ * W_.col(j);
    }
  } else {
    unpack(front);
    divide_by_unit_triangle(upper_part(front), Triangle::transposed, W_.data(), rows());
    const DenseBlock eliminated{W_.data(), rows(), front.count, rows()};
    subtract_transposed_product(eliminated, lower_part(front), below(front), rows());
  }
  divide_by_D(front);
  scatter(front, front.size);
}

void Solution::substitute_back(const FrontFactor& front) {
  gather(front);
  if (is_small(front)) {
    const std::int64_t count = front.count;
    const double* l = front.L + count * front.size - count * (count + 1) / 2;
    for (Index j = front.count - 1; j >= 0; --j) {
      l -= front.size - 1 - j;
      for (Index i = j + 1; i < front.size; ++i) W_.col(j) -= l[i - j - 1] * W_.col(i);
    }
  } else {
    unpack(front);
    const DenseBlock known{below(front), rows(), front.size - front.count, rows()};
    subtract_product(known, lower_part(front), W_.data(), rows());
    divide_by_unit_triangle(upper_part(front), Triangle::as_it_is, W_.data(), rows());
  }
  scatter(front, front.count);
}

void Solution::apply_transposed(const FrontRotation& rotation) {
  for (int row = 0; row < rows(); ++row) stillpoint::apply_transposed(rotation, X_.data() + row, rows());
}

void Solution::apply(const FrontRotation& rotation) {
  for (int row = 0; row < rows(); ++row) stillpoint::apply(rotation, X_.data() + row, rows());
}

}  // namespace

void solve_rows_in_place(const FrontFactors& factors, Eigen::MatrixXd& X) {
  walk(factors, [&](const BranchFactors& branch) { return Solution(branch, X); });
}

}  // namespace stillpoint
