#include "algebra/ldlt/front_tree.h"

#include <algorithm>
#include <numeric>

#include "algebra/ldlt/front_groups.h"

namespace stillpoint {

namespace {

constexpr Index none = -1;

/// The nodes of the graph sorted by front, in the order in which the fronts are eliminated.
struct NodeOrder {
  std::vector<Index> node;   ///< node at each place
  std::vector<Index> place;  ///< place of each node
  std::vector<Index> ends;   ///< one past the last place of each front
};

NodeOrder sort_nodes(const EliminationTree& tree, const FrontGroups& groups, const std::vector<Index>& fronts) {
  std::vector<Index> turn(fronts.size());
  for (std::size_t k = 0; k < fronts.size(); ++k) turn[fronts[k]] = static_cast<Index>(k);

  NodeOrder order;
  order.ends.assign(fronts.size() + 1, 0);
  for (const Index front : groups.front) ++order.ends[turn[front] + 1];
  std::partial_sum(order.ends.begin(), order.ends.end(), order.ends.begin());
  order.node.resize(tree.node.size());
  order.place.resize(tree.node.size());
  for (std::size_t k = 0; k < tree.node.size(); ++k) {
    const Index place = order.ends[turn[groups.front[k]]]++;
    order.node[place] = tree.node[k];
    order.place[tree.node[k]] = place;
  }
  order.ends.pop_back();
  return order;
}

/// Finds the border of each front: the neighbours of its own nodes and the borders of its children, without its own
/// nodes. The borders of children that have not been assembled yet are in `open`.
void find_borders(const NodeGraph& graph, const NodeOrder& order, FrontTree& plan) {
  std::vector<Index> starts_of_place(order.node.size()), open, sizes, border;
  for (Index k = 0, position = 0; k < graph.nodes(); ++k) {
    starts_of_place[k] = position;
    position += graph.weight(order.node[k]);
  }
  std::vector<Index> seen_by(order.node.size(), none);
  plan.border_starts.push_back(0);
  for (Index f = 0; f < plan.fronts(); ++f) {
    const Index end = order.ends[f];
    border.clear();
    const auto add = [&](Index place) {
      if (place < end || seen_by[place] == f) return;
      seen_by[place] = f;
      border.push_back(place);
    };
    for (Index k = f == 0 ? 0 : order.ends[f - 1]; k < end; ++k) {
      const Index node = order.node[k];
      for (Index e = graph.starts[node]; e < graph.starts[node + 1]; ++e) add(order.place[graph.neighbours[e]]);
    }
    for (Index c = 0; c < plan.children[f]; ++c) {
      const auto from = open.end() - sizes.back();
      std::for_each(from, open.end(), add);
      open.erase(from, open.end());
      sizes.pop_back();
    }
    std::sort(border.begin(), border.end());
    open.insert(open.end(), border.begin(), border.end());
    sizes.push_back(static_cast<Index>(border.size()));
    for (const Index place : border) {
      for (Index i = 0; i < graph.weight(order.node[place]); ++i) plan.border.push_back(starts_of_place[place] + i);
    }
    plan.border_starts.push_back(static_cast<std::int64_t>(plan.border.size()));
  }
}

void place_entries(const SparseMatrix& pattern, FrontTree& plan) {
  std::vector<Index> position(plan.unknown.size());
  for (Index k = 0; k < plan.unknowns(); ++k) position[plan.unknown[k]] = k;

  const auto for_each_lower = [&](const auto& visit) {
    for (Index j = 0; j < pattern.cols(); ++j) {
      for (Index k = pattern.outerIndexPtr()[j]; k < pattern.outerIndexPtr()[j + 1]; ++k) {
        const Index i = pattern.innerIndexPtr()[k];
        if (i >= j) visit(position[i], position[j], k);
      }
    }
  };
  std::vector<Index>& starts = plan.entry_starts;
  starts.assign(plan.unknown.size() + 1, 0);
  for_each_lower([&](Index a, Index b, Index) { ++starts[std::min(a, b)]; });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  plan.entry_row.resize(static_cast<std::size_t>(starts.back()));
  plan.entry_source.resize(plan.entry_row.size());
  for_each_lower([&](Index a, Index b, Index source) {
    const Index slot = --starts[std::min(a, b)];
    plan.entry_row[slot] = std::max(a, b);
    plan.entry_source[slot] = source;
  });
}

}  // namespace

FrontTree build_front_tree(const SparseMatrix& pattern) {
  const NodeGraph graph = pair_pivots(pattern);
  const EliminationTree tree = find_elimination_tree(graph);
  const FrontGroups groups = group_into_fronts(tree, graph);
  const std::vector<Index> fronts = postorder(groups.parent);
  const NodeOrder order = sort_nodes(tree, groups, fronts);

  FrontTree plan;
  plan.unknown.reserve(static_cast<std::size_t>(pattern.cols()));
  plan.first.reserve(fronts.size() + 1);
  Index k = 0;
  for (const Index end : order.ends) {
    plan.first.push_back(plan.unknowns());
    for (; k < end; ++k) {
      plan.unknown.push_back(graph.first[order.node[k]]);
      if (graph.weight(order.node[k]) == 2) plan.unknown.push_back(graph.second[order.node[k]]);
    }
  }
  plan.first.push_back(plan.unknowns());

  std::vector<Index> children(fronts.size(), 0);
  for (const Index parent : groups.parent) {
    if (parent != none) ++children[parent];
  }
  for (const Index front : fronts) plan.children.push_back(children[front]);
  find_borders(graph, order, plan);
  place_entries(pattern, plan);
  plan.branches = cut_into_branches(plan);
  return plan;
}

}  // namespace stillpoint
