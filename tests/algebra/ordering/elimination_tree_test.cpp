// Elimination trees against an elimination that is carried out entry by entry.

#include "algebra/ordering/elimination_tree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "support/seeded.h"

using namespace stillpoint;

namespace {

using Edges = std::set<std::pair<Index, Index>>;

PatternGraph graph_of(Index size, const Edges& edges) {
  PatternGraph graph;
  graph.starts.push_back(0);
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      if (i != j && (edges.count({i, j}) || edges.count({j, i}))) graph.neighbours.push_back(j);
    }
    graph.starts.push_back(static_cast<Index>(graph.neighbours.size()));
  }
  return graph;
}

std::vector<Index> counting_up(Index size) {
  std::vector<Index> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

/// The rows of each column of L below the diagonal, with fill.
std::vector<std::set<Index>> columns_of_L(const PatternGraph& graph, const EliminationTree& tree) {
  std::vector<std::set<Index>> L(tree.node.size());
  for (Index k = 0; k < graph.size(); ++k) {
    const Index node = tree.node[k];
    for (Index e = graph.starts[node]; e < graph.starts[node + 1]; ++e) {
      const Index other = tree.place[graph.neighbours[e]];
      if (other > k) L[k].insert(other);
    }
  }
  for (std::size_t k = 0; k < L.size(); ++k) {
    for (const Index i : L[k]) {
      for (const Index j : L[k]) {
        if (j > i) L[i].insert(j);
      }
    }
  }
  return L;
}

bool is_permutation_of(std::vector<Index> order, Index size) {
  std::sort(order.begin(), order.end());
  return order == counting_up(size);
}

}  // namespace

TEST_CASE("elimination tree: of a chain in its own order it is the chain") {
  const PatternGraph chain = graph_of(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const EliminationTree tree = find_elimination_tree(chain, counting_up(5));
  CHECK(tree.parent == std::vector<Index>{1, 2, 3, 4, -1});
  CHECK(tree.count == std::vector<std::int64_t>{2, 2, 2, 2, 1});
  CHECK(tree.node == counting_up(5));
}

TEST_CASE("elimination tree: a star fills completely from its centre, and not at all from its ends") {
  const PatternGraph star = graph_of(4, {{0, 1}, {0, 2}, {0, 3}});
  CHECK(find_elimination_tree(star, {0, 1, 2, 3}).count == std::vector<std::int64_t>{4, 3, 2, 1});
  const EliminationTree tree = find_elimination_tree(star, {1, 2, 3, 0});
  CHECK(tree.parent == std::vector<Index>{3, 3, 3, -1});
  CHECK(tree.count == std::vector<std::int64_t>{2, 2, 2, 1});
}

TEST_CASE("elimination tree: parents and counts are those of the columns of L, in postorder") {
  Random random(1);
  for (int draw = 0; draw < 40; ++draw) {
    CAPTURE(draw);
    const Index size = random.whole(1, 15);
    Edges edges;
    for (int k = random.whole(0, 2 * size); k > 0; --k) {
      const Index from = random.below(size);
      edges.insert({from, random.below(size)});
    }
    const PatternGraph graph = graph_of(size, edges);
    std::vector<Index> order = counting_up(size);
    for (Index i = size - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    const EliminationTree tree = find_elimination_tree(graph, order);
    REQUIRE(is_permutation_of(tree.node, size));
    const std::vector<std::set<Index>> L = columns_of_L(graph, tree);
    for (Index k = 0; k < size; ++k) {
      CHECK(tree.place[tree.node[k]] == k);
      CHECK(tree.parent[k] == (L[k].empty() ? -1 : *L[k].begin()));
      CHECK(tree.count[k] == static_cast<std::int64_t>(L[k].size()) + 1);
    }
  }
}

TEST_CASE("elimination tree: nodes with two unknowns count twice") {
  NodeGraph graph;
  static_cast<PatternGraph&>(graph) = graph_of(2, {{0, 1}});
  graph.first = {0, 2};
  graph.second = {1, -1};
  const EliminationTree tree = find_elimination_tree(graph);
  CHECK(tree.count[0] == 3);
  CHECK(tree.count[1] == graph.weight(tree.node[1]));
}

TEST_CASE("minimum degree: a permutation that keeps a star and a chain free of fill") {
  Edges star, chain;
  for (Index i = 1; i < 20; ++i) {
    star.insert({0, i});
    chain.insert({i - 1, i});
  }
  for (const Edges& edges : {star, chain}) {
    const PatternGraph graph = graph_of(20, edges);
    const std::vector<Index> order = minimum_degree_order(graph);
    REQUIRE(is_permutation_of(order, 20));
    const EliminationTree tree = find_elimination_tree(graph, order);
    CHECK(std::accumulate(tree.count.begin(), tree.count.end(), std::int64_t{0}) == 20 + 19);
  }
  CHECK(minimum_degree_order(graph_of(0, {})).empty());
}

TEST_CASE("postorder: children stand before their parents, subtrees together, siblings ascending") {
  //     4        5
  //   2   3      |
  //  0           1
  CHECK(postorder({2, 5, 4, 4, -1, -1}) == std::vector<Index>{0, 2, 3, 4, 1, 5});
  CHECK(postorder({}).empty());
  std::vector<Index> deep(1000000);
  for (Index k = 0; k < 1000000; ++k) deep[k] = k + 1 < 1000000 ? k + 1 : -1;
  CHECK(postorder(deep).back() == 999999);
}
