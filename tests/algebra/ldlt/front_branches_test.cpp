// The assembly tree cut into branches: each front belongs to one of them, and factorisations and solutions do not
// depend on the number of threads.
#include "algebra/ldlt/front_branches.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <set>
#include <vector>

#include "algebra/ldlt/front_tree.h"
#include "stillpoint/detail/symmetric_factor.h"
#include "support/algebra/symmetric_matrices.h"
#include "support/at_most.h"

using namespace stillpoint;

namespace {

/// A grid whose nodes are bound to each other by `rows` constraints, which have no diagonal entry, and nearly free
/// nodes: many pivots are delayed.
SparseMatrix bound_grid(Index side, Index rows) {
  std::mt19937 random(7);
  std::uniform_int_distribution<Index> node(0, side * side - 1);
  Symmetric sum(side * side + rows);
  for (Index i = 0; i < side; ++i) {
    for (Index j = 0; j < side; ++j) {
      const Index at = i * side + j;
      sum.add(at, at, at % 3 == 0 ? 1e-9 : 4);
      if (j > 0) sum.add(at, at - 1, -1 - 0.001 * static_cast<double>(at % 7));
      if (i > 0) sum.add(at, at - side, -1);
    }
  }
  for (Index k = 0; k < rows; ++k) {
    const Index first = node(random), row = side * side + k;
    sum.add(row, first, 1);
    sum.add(row, (first + 2) % (side * side), -0.7);
    sum.add(row, row, 0);
  }
  return sum.matrix();
}

SparseMatrix star(Index arms) {
  Symmetric sum(arms + 1);
  sum.add(0, 0, static_cast<double>(arms));
  for (Index k = 1; k <= arms; ++k) {
    sum.add(k, k, 1 + 0.5 * std::cos(static_cast<double>(k)));
    sum.add(k, 0, 0.1);
  }
  return sum.matrix();
}

SparseMatrix separate_rows(Index count, Index length) {
  Symmetric sum(count * length);
  for (Index k = 0; k < count * length; ++k) {
    sum.add(k, k, 2.5);
    if (k % length > 0) sum.add(k, k - 1, -1);
  }
  return sum.matrix();
}

SparseMatrix row(Index size) { return separate_rows(1, size); }

std::int64_t entries_of(const FrontTree& tree, const FrontBranch& branch) {
  std::int64_t sum = 0;
  for (Index f = branch.begin; f < branch.end; ++f) sum += tree.entries(f);
  return sum;
}

/// Checks that fronts, rounds and copies fit together; returns the share of the entries that is in the first round.
double checked_share(const FrontTree& tree) {
  const FrontBranches& cut = tree.branches;
  Index next = 0;
  std::int64_t all = 0, in_first = 0;
  for (const FrontBranch& branch : cut.all) {
    CHECK(branch.begin == next);
    CHECK(branch.end > branch.begin);
    next = branch.end;
    all += entries_of(tree, branch);
  }
  CHECK(next == tree.fronts());

  std::set<Index> done;
  for (const std::vector<Index>& round : cut.rounds) {
    for (const Index b : round) {
      for (const Index child : cut.all[b].children) CHECK(done.count(child) == 1);
    }
    done.insert(round.begin(), round.end());
  }
  CHECK(done.size() == cut.all.size());
  for (const Index b : cut.rounds.front()) in_first += entries_of(tree, cut.all[b]);

  Index place = tree.unknowns();
  std::set<Index> children;
  for (const FrontBranch& branch : cut.all) {
    CHECK(branch.copies == place);
    place += static_cast<Index>(branch.outside.size());
    for (const Index child : branch.children) {
      CHECK(children.insert(child).second);
      for (const Index original : cut.all[child].originals) {
        const bool is_inside = original < branch.end_of_inside;
        CHECK((is_inside || (original >= branch.copies && original < place)));
      }
    }
    for (Index f = branch.begin; f < branch.end; ++f) {
      for (auto k = tree.border_starts[f]; k < tree.border_starts[f + 1]; ++k) {
        const Index position = tree.border[k], its_place = branch.place_of(position);
        if (position < branch.end_of_inside) CHECK(its_place == position);
        else CHECK(branch.outside.at(its_place - branch.copies) == position);
      }
    }
  }
  CHECK(place == cut.places);
  return static_cast<double>(in_first) / static_cast<double>(all);
}

struct Results {
  Eigen::VectorXd one;
  Eigen::MatrixXd many;
  double error = 0;
  SignCount signs;
};

Results results_with(int threads, const SparseMatrix& A) {
  const AtMost limit(threads);
  SymmetricFactor factor(A);
  factor.factor(A);
  Eigen::VectorXd b(A.rows());
  for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = std::sin(static_cast<double>(i + 1));
  Eigen::MatrixXd several(A.rows(), 3);
  several << b, 2 * b.reverse(), b.cwiseAbs();
  return {.one = factor.solve(b),
          .many = factor.solve_columns(several),
          .error = factor.backward_error(),
          .signs = factor.signs()};
}

}  // namespace

TEST_CASE("front branches: each front is in one, children come first, and copies have a place") {
  CHECK(checked_share(build_front_tree(grid(20, 4.5))) == 1);  // too small to be cut
  CHECK(checked_share(build_front_tree(grid(200, 4.5))) > 0.5);
  CHECK(checked_share(build_front_tree(bound_grid(150, 2000))) > 0.5);
  CHECK(checked_share(build_front_tree(star(600'000))) > 0.9);
  checked_share(build_front_tree(row(300'000)));
  CHECK(checked_share(build_front_tree(separate_rows(20'000, 20))) == 1);
}

TEST_CASE("front branches: a large tree is cut into branches of like size") {
  for (const SparseMatrix& A : {grid(200, 4.5), star(600'000), separate_rows(20'000, 20)}) {
    const FrontTree tree = build_front_tree(A);
    CHECK(tree.branches.rounds.front().size() >= 16);
    CHECK(tree.branches.all.size() < 200);
    std::int64_t all = 0, largest = 0;
    for (const FrontBranch& branch : tree.branches.all) {
      all += entries_of(tree, branch);
      largest = std::max(largest, entries_of(tree, branch));
    }
    CHECK(static_cast<double>(largest) < 0.1 * static_cast<double>(all));
  }
}

TEST_CASE("front branches: bits do not depend on the number of threads, also where pivots are delayed") {
  for (const SparseMatrix& A : {grid(200, 3.1), bound_grid(150, 2000), star(600'000)}) {
    const Results alone = results_with(1, A), together = results_with(3, A);
    CHECK(alone.one == together.one);
    CHECK(alone.many == together.many);
    CHECK(alone.error == together.error);
    CHECK(alone.signs.negative == together.signs.negative);
  }
}

TEST_CASE("front branches: solutions of each kind satisfy the equations") {
  for (const SparseMatrix& A : {grid(200, 4.5), bound_grid(150, 2000), star(600'000), row(300'000)}) {
    SymmetricFactor factor(A);
    factor.factor(A);
    const Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
    for (const Eigen::VectorXd& x : {Eigen::VectorXd(factor.solve(b)), Eigen::VectorXd(factor.solve_columns(b))})
      CHECK((A * x - b).norm() < 1e-8 * (b.norm() + x.norm()));
  }
  SymmetricFactor bound(bound_grid(150, 2000));
  bound.factor(bound_grid(150, 2000));
  CHECK(bound.delays() > 1000);
}

TEST_CASE("front branches: negative eigenvalues of a grid are as many as its closed form has") {
  constexpr Index side = 200;
  constexpr double diagonal = 3.1;
  Index negative = 0;
  const auto of_row = [](Index k) { return 2 * std::cos(std::numbers::pi * static_cast<double>(k) / (side + 1)); };
  for (Index i = 1; i <= side; ++i) {
    for (Index j = 1; j <= side; ++j) negative += diagonal - of_row(i) - of_row(j) < 0;
  }
  SymmetricFactor factor(grid(side, diagonal));
  factor.factor(grid(side, diagonal));
  CHECK(factor.signs().negative == negative);
  CHECK(factor.signs().positive == side * side - negative);
  CHECK(factor.signs().zero == 0);
}
