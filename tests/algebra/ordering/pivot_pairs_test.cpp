// Multipliers form one node with a coordinate that they constrain.

#include "algebra/ordering/pivot_pairs.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <set>

#include "algebra/ordering/elimination_tree.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

NodeGraph graph_of(const MatrixXd& A) { return pair_pivots(A.sparseView()); }

}  // namespace

TEST_CASE("pivot pairs: with a full diagonal every unknown is a node of its own") {
  const NodeGraph graph = graph_of(MatrixXd::Ones(3, 3));
  CHECK(graph.nodes() == 3);
  CHECK(graph.second == std::vector<Index>{-1, -1, -1});
  CHECK(graph.neighbours.size() == 6);
}

TEST_CASE("pivot pairs: a multiplier takes the coordinate with the fewest couplings") {
  // Coordinates 0, 1, 2 and one multiplier, 3, on 1 and 2; coordinate 1 is coupled to 0.
  MatrixXd A = MatrixXd::Identity(4, 4);
  A(3, 3) = 0;
  A(0, 1) = A(1, 0) = 1;
  A(3, 1) = A(1, 3) = A(3, 2) = A(2, 3) = 1;
  const NodeGraph graph = graph_of(A);
  REQUIRE(graph.nodes() == 3);
  CHECK(graph.first == std::vector<Index>{0, 1, 2});
  CHECK(graph.second == std::vector<Index>{-1, -1, 3});
  CHECK(graph.weight(0) == 1);
  CHECK(graph.weight(2) == 2);
}

TEST_CASE("pivot pairs: a place on the diagonal of a multiplier is not a pivot") {
  MatrixXd A = MatrixXd::Identity(3, 3);  // multiplier 2 on coordinate 1, with its place on the diagonal
  A(2, 1) = A(1, 2) = 1;
  CHECK(graph_of(A).nodes() == 3);
  const NodeGraph graph = pair_pivots(A.sparseView(), 1);
  REQUIRE(graph.nodes() == 2);
  CHECK(graph.first == std::vector<Index>{0, 1});
  CHECK(graph.second == std::vector<Index>{-1, 2});
}

TEST_CASE("pivot pairs: of more multipliers than coordinates some stay alone, with their places on the diagonal") {
  MatrixXd A = MatrixXd::Identity(4, 4);  // multipliers 1, 2 and 3 on coordinate 0
  A.row(0).setOnes();
  A.col(0).setOnes();
  const NodeGraph graph = pair_pivots(A.sparseView(), 3);
  CHECK(graph.nodes() == 3);
  CHECK(graph.second == std::vector<Index>{1, -1, -1});
  const PairedOrder order = paired_minimum_degree_order(A.sparseView(), 3);
  const std::vector<Index> all{0, 1, 2, 3};
  CHECK(std::ranges::is_permutation(order.columns, all));
  CHECK(std::ranges::is_permutation(order.rows, all));
}

TEST_CASE("pivot pairs: a partner with a diagonal entry is preferred, though it has more couplings") {
  MatrixXd A = MatrixXd::Zero(4, 4);
  A(0, 0) = A(1, 1) = 1;
  A(0, 1) = A(1, 0) = 1;
  A(3, 0) = A(0, 3) = A(3, 2) = A(2, 3) = 1;  // 2 and 3 have no diagonal entry
  const NodeGraph graph = graph_of(A);
  // 2 comes first, and has no other free one beside it than 3.
  CHECK(graph.nodes() == 3);
  MatrixXd B = A;
  B(2, 2) = 0;
  B(2, 1) = B(1, 2) = 1;
  const NodeGraph with_choice = graph_of(B);
  REQUIRE(with_choice.nodes() == 2);  // 2 with 1, 3 with 0
  for (Index node = 0; node < 2; ++node) CHECK(with_choice.first[node] + with_choice.second[node] == 3);
}

TEST_CASE("pivot pairs: an unknown without any partner stays alone") {
  MatrixXd A = MatrixXd::Zero(3, 3);
  A(0, 0) = 1;
  A(0, 1) = A(1, 0) = A(0, 2) = A(2, 0) = 1;  // two multipliers of one coordinate
  const NodeGraph graph = graph_of(A);
  CHECK(graph.nodes() == 2);
  CHECK(graph.neighbours == std::vector<Index>{1, 0});
}

TEST_CASE("pivot pairs: every unknown is in one node, and nodes are adjacent where the matrix couples their unknowns") {
  Random random(1);
  for (int draw = 0; draw < 30; ++draw) {
    CAPTURE(draw);
    const Index size = random.whole(1, 15);
    MatrixXd A = MatrixXd::Zero(size, size);
    for (Index i = 0; i < size; ++i) {
      if (random.maybe(0.6)) A(i, i) = 1;
      const Index j = random.below(size);
      if (j != i) A(i, j) = A(j, i) = 1;
    }
    const NodeGraph graph = graph_of(A);
    std::vector<Index> node_of(static_cast<std::size_t>(size), -1);
    for (Index node = 0; node < graph.nodes(); ++node) {
      for (const Index unknown : {graph.first[node], graph.second[node]}) {
        if (unknown < 0) continue;
        CHECK(node_of[unknown] == -1);
        node_of[unknown] = node;
      }
      if (graph.second[node] >= 0) CHECK(A(graph.first[node], graph.second[node]) == 1);
    }
    CHECK(std::count(node_of.begin(), node_of.end(), -1) == 0);
    std::vector<std::set<Index>> expected(static_cast<std::size_t>(graph.nodes()));
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < size; ++j) {
        if (A(i, j) != 0 && node_of[i] != node_of[j]) expected[node_of[i]].insert(node_of[j]);
      }
    }
    for (Index node = 0; node < graph.nodes(); ++node) {
      const auto begin = graph.neighbours.begin();
      const std::set<Index> found(begin + graph.starts[node], begin + graph.starts[node + 1]);
      CHECK(found == expected[node]);
      CHECK(static_cast<Index>(found.size()) == graph.starts[node + 1] - graph.starts[node]);
    }
  }
}
