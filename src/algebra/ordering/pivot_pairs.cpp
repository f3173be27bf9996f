#include "algebra/ordering/pivot_pairs.h"

#include <utility>

namespace stillpoint {

namespace {

constexpr Index none = -1;

std::vector<char> find_diagonals(const SparseMatrix& pattern, Index multipliers) {
  std::vector<char> has(static_cast<std::size_t>(pattern.cols()), 0);
  for (Index j = 0; j < pattern.cols() - multipliers; ++j) {
    for (Index k = pattern.outerIndexPtr()[j]; k < pattern.outerIndexPtr()[j + 1]; ++k) {
      if (pattern.innerIndexPtr()[k] == j) has[j] = 1;
    }
  }
  return has;
}

/// Returns the partner of each unknown, or `none`.
std::vector<Index> find_partners(const SparseMatrix& pattern, Index multipliers) {
  const Index* const starts = pattern.outerIndexPtr();
  const std::vector<char> has_diagonal = find_diagonals(pattern, multipliers);
  std::vector<Index> partner(has_diagonal.size(), none);
  for (Index j = 0; j < pattern.cols(); ++j) {
    if (has_diagonal[j] || partner[j] != none) continue;
    Index best = none;
    std::pair<bool, Index> best_rank;
    for (Index k = starts[j]; k < starts[j + 1]; ++k) {
      const Index i = pattern.innerIndexPtr()[k];
      if (i == j || partner[i] != none) continue;
      const std::pair<bool, Index> rank{!has_diagonal[i], starts[i + 1] - starts[i]};
      if (best == none || rank < best_rank) {
        best = i;
        best_rank = rank;
      }
    }
    if (best == none) continue;
    partner[j] = best;
    partner[best] = j;
  }
  return partner;
}

}  // namespace

NodeGraph pair_pivots(const SparseMatrix& pattern, Index multipliers) {
  const Index* const starts = pattern.outerIndexPtr();
  const std::vector<Index> partner = find_partners(pattern, multipliers);

  NodeGraph graph;
  std::vector<Index> node_of(partner.size());
  for (Index i = 0; i < pattern.cols(); ++i) {
    if (partner[i] != none && partner[i] < i) {
      node_of[i] = node_of[partner[i]];
      continue;
    }
    node_of[i] = graph.nodes();
    graph.first.push_back(i);
    graph.second.push_back(partner[i]);
  }

  graph.neighbours.reserve(static_cast<std::size_t>(pattern.nonZeros()));
  graph.starts.reserve(graph.first.size() + 1);
  graph.starts.push_back(0);
  std::vector<Index> seen_by(graph.first.size(), none);
  for (Index node = 0; node < graph.nodes(); ++node) {
    seen_by[node] = node;
    for (const Index unknown : {graph.first[node], graph.second[node]}) {
      if (unknown == none) continue;
      for (Index k = starts[unknown]; k < starts[unknown + 1]; ++k) {
        const Index other = node_of[pattern.innerIndexPtr()[k]];
        if (seen_by[other] == node) continue;
        seen_by[other] = node;
        graph.neighbours.push_back(other);
      }
    }
    graph.starts.push_back(static_cast<Index>(graph.neighbours.size()));
  }
  return graph;
}

}  // namespace stillpoint
