#include "report/sparsity_counts.h"

#include <algorithm>
#include <numeric>

#include "algebra/elimination_tree.h"
#include "base/at.h"

namespace stillpoint {

namespace {

constexpr Index none = -1;

std::vector<Index> inverse(const std::vector<Index>& order) {
  std::vector<Index> place(order.size());
  for (Index k = 0; k < static_cast<Index>(order.size()); ++k) place[order[k]] = k;
  return place;
}

/// Liu's algorithm: the root of what each earlier neighbour belongs to becomes a child; paths are shortened on the way.
std::vector<Index> find_parents(const PatternGraph& graph, const std::vector<Index>& order) {
  const std::vector<Index> place = inverse(order);
  std::vector<Index> parent(order.size(), none), ancestor(order.size(), none);
  for (Index k = 0; k < graph.size(); ++k) {
    for (Index e = graph.starts[order[k]]; e < graph.starts[order[k] + 1]; ++e) {
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

/// The first place of each subtree.
std::vector<Index> first_descendants(const std::vector<Index>& parent) {
  std::vector<Index> first(parent.size());
  std::iota(first.begin(), first.end(), 0);
  for (std::size_t k = 0; k < parent.size(); ++k) {
    if (parent[k] != none) first[parent[k]] = std::min(first[parent[k]], first[k]);
  }
  return first;
}

}  // namespace

FillPattern find_fill(const PatternGraph& graph, const std::vector<Index>& order) {
  const std::vector<Index> parent = find_parents(graph, order);
  const std::vector<Index> visits = postorder(parent), label = inverse(visits);
  FillPattern fill;
  fill.row.resize(order.size());
  fill.parent.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    fill.row[k] = order[visits[k]];
    const Index above = parent[visits[k]];
    fill.parent[k] = above == none ? none : label[above];
  }
  fill.place = inverse(fill.row);
  return fill;
}

// Row i of L is a subtree with root i whose leaves are among the entries of A in that row. So the length of a column is
// the sum over its subtree of one for each leaf of a row, minus one where two branches of a row meet and one where a
// row ends above.
std::vector<Index> count_columns(const PatternGraph& graph, const FillPattern& fill) {
  const std::size_t size = fill.row.size();
  const std::vector<Index> first = first_descendants(fill.parent);
  std::vector<Index> count(size, 0), last_leaf(size, none), meeting(size);
  std::iota(meeting.begin(), meeting.end(), 0);

  const auto add_leaf = [&](Index row, Index leaf) {
    ++count[leaf];
    if (last_leaf[row] != none) {
      Index branch = last_leaf[row];
      while (meeting[branch] != branch) branch = meeting[branch] = meeting[meeting[branch]];
      --count[branch];
    }
    last_leaf[row] = leaf;
  };

  for (Index j = 0; j < graph.size(); ++j) {
    if (last_leaf[j] == none) add_leaf(j, j);
    const Index row = fill.row[j], above = fill.parent[j];
    if (above != none) --count[above];
    for (Index e = graph.starts[row]; e < graph.starts[row + 1]; ++e) {
      const Index i = fill.place[graph.neighbours[e]];
      if (i > j && first[j] > last_leaf[i]) add_leaf(i, j);
    }
    if (above != none) meeting[j] = above;
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (fill.parent[k] != none) count[fill.parent[k]] += count[k];
  }
  return count;
}

FactorCount count_factor(const PatternGraph& graph, const std::vector<Index>& order) {
  FactorCount factor;
  factor.flops = 0;
  for (const Index length : count_columns(graph, find_fill(graph, order))) {
    factor.entries += length;
    factor.flops += static_cast<double>(length) * length;
  }
  return factor;
}

}  // namespace stillpoint
