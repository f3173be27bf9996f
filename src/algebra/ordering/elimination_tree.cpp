#include "algebra/ordering/elimination_tree.h"

#include <amd.h>

#include <algorithm>
#include <new>
#include <numeric>
#include <stdexcept>

namespace stillpoint {

namespace {

constexpr Index none = -1;

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Index>(k);
  return place;
}

/// Liu's algorithm [Liu 1990]: the root of the subtree of each earlier neighbour becomes a child of the current node.
/// Path compression keeps the walks short.
std::vector<Index> find_parents(const PatternGraph& graph, const std::vector<Index>& order) {
  const std::vector<Index> place = inverse(order);
  std::vector<Index> parent(order.size(), none), ancestor(order.size(), none);
  for (Index k = 0; k < graph.size(); ++k) {
    const Index node = order[k];
    for (Index e = graph.starts[node]; e < graph.starts[node + 1]; ++e) {
      Index i = place[graph.neighbours[e]];
      while (i < k) {
        const Index above = ancestor[i];
        ancestor[i] = k;
        if (above == none) {
          parent[i] = k;
          break;
        }
        i = above;
      }
    }
  }
  return parent;
}

/// Renumbers the tree in postorder, which permutes L and changes nothing else.
void renumber(EliminationTree& tree, const std::vector<Index>& parent, const std::vector<Index>& order) {
  const std::vector<Index> visits = postorder(parent), label = inverse(visits);
  tree.node.resize(order.size());
  tree.parent.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    tree.node[k] = order[visits[k]];
    const Index above = parent[visits[k]];
    tree.parent[k] = above == none ? none : label[above];
  }
  tree.place = inverse(tree.node);
}

/// Returns the first position of each subtree.
std::vector<Index> first_descendants(const std::vector<Index>& parent) {
  std::vector<Index> first(parent.size());
  std::iota(first.begin(), first.end(), 0);
  for (std::size_t k = 0; k < parent.size(); ++k) {
    if (parent[k] != none) first[parent[k]] = std::min(first[parent[k]], first[k]);
  }
  return first;
}

/// Column counts of L [Gilbert 1994]. Row i of L is a subtree with root i whose leaves are among the
/// entries of A in that row. The count of a column is a sum over its subtree: one for each leaf of a row, minus one
/// where two branches of a row meet and where a row ends. A row counts as many times as its node has unknowns.
template <class Weight>
void count_columns(EliminationTree& tree, const PatternGraph& graph, const Weight& weight_of) {
  const auto size = tree.node.size();
  const std::vector<Index> first = first_descendants(tree.parent);
  std::vector<Index> last_leaf(size, none), meeting(size);
  std::iota(meeting.begin(), meeting.end(), 0);
  tree.count.assign(size, 0);

  const auto add_leaf = [&](Index row, Index leaf) {
    const Index weight = weight_of(tree.node[row]);
    tree.count[leaf] += weight;
    if (last_leaf[row] != none) {
      Index branch = last_leaf[row];
      while (meeting[branch] != branch) branch = meeting[branch] = meeting[meeting[branch]];
      tree.count[branch] -= weight;
    }
    last_leaf[row] = leaf;
  };

  for (Index j = 0; j < graph.size(); ++j) {
    if (last_leaf[j] == none) add_leaf(j, j);
    const Index node = tree.node[j], above = tree.parent[j];
    if (above != none) tree.count[above] -= weight_of(node);
    for (Index e = graph.starts[node]; e < graph.starts[node + 1]; ++e) {
      const Index i = tree.place[graph.neighbours[e]];
      if (i > j && first[j] > last_leaf[i]) add_leaf(i, j);
    }
    if (above != none) meeting[j] = above;
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (tree.parent[k] != none) tree.count[tree.parent[k]] += tree.count[k];
  }
}

template <class Weight>
EliminationTree find_tree(const PatternGraph& graph, const std::vector<Index>& order, const Weight& weight_of) {
  EliminationTree tree;
  renumber(tree, find_parents(graph, order), order);
  count_columns(tree, graph, weight_of);
  return tree;
}

}  // namespace

std::vector<Index> postorder(const std::vector<Index>& parent) {
  const auto size = static_cast<Index>(parent.size());
  std::vector<Index> first_child(parent.size(), none), next(parent.size(), none), visits;
  visits.reserve(parent.size());
  Index first_root = none;
  for (Index k = size - 1; k >= 0; --k) {
    Index& head = parent[k] == none ? first_root : first_child[parent[k]];
    next[k] = head;
    head = k;
  }
  Index at = first_root;
  while (at != none) {
    while (first_child[at] != none) at = first_child[at];
    while (true) {  // ascends to the next sibling
      visits.push_back(at);
      if (next[at] != none) {
        at = next[at];
        break;
      }
      at = parent[at];
      if (at == none) return visits;
    }
  }
  return visits;
}

std::vector<Index> minimum_degree_order(const PatternGraph& graph) {
  std::vector<Index> order(static_cast<std::size_t>(graph.size()));
  if (order.empty()) return order;
  const Index no_neighbours = 0;  // AMD needs a valid address even if there is nothing to read
  const Index* const neighbours = graph.neighbours.empty() ? &no_neighbours : graph.neighbours.data();
  const int status = amd_order(graph.size(), graph.starts.data(), neighbours, order.data(), nullptr, nullptr);
  if (status == AMD_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status == AMD_INVALID) throw std::invalid_argument("minimum degree: the pattern has indices out of range");
  return order;
}

PairedOrder paired_minimum_degree_order(const SparseMatrix& pattern, Index multipliers) {
  const NodeGraph graph = pair_pivots(pattern, multipliers);
  PairedOrder order;
  order.columns.reserve(static_cast<std::size_t>(pattern.cols()));
  order.rows.reserve(order.columns.capacity());
  for (const Index node : minimum_degree_order(graph)) {
    const Index first = graph.first[node], second = graph.second[node];
    order.columns.push_back(first);
    order.rows.push_back(second == none ? first : second);
    if (second == none) continue;
    order.columns.push_back(second);
    order.rows.push_back(first);
  }
  return order;
}

EliminationTree find_elimination_tree(const NodeGraph& graph) {
  return find_tree(graph, minimum_degree_order(graph), [&](Index node) { return graph.weight(node); });
}

EliminationTree find_elimination_tree(const PatternGraph& graph, const std::vector<Index>& order) {
  return find_tree(graph, order, [](Index) { return Index{1}; });
}

}  // namespace stillpoint
