#include "report/sparsity_orders.h"

#include <metis.h>

#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>

#include "base/at.h"

namespace stillpoint {

static_assert(sizeof(idx_t) == sizeof(Index), "METIS must have been built with 32-bit indices");

namespace {

/// Calls visit(i, j) for the entries off the diagonal, column by column.
template <class Visit>
void for_couplings(const SparseMatrix& A, const Visit& visit) {
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.row() != j && entry.value() != 0) visit(static_cast<Index>(entry.row()), j);
    }
  }
}

/// For each row, the columns of its entries and the rows of those in its column: a coupling that both triangles have
/// stands there twice.
PatternGraph couplings_of(const SparseMatrix& A) {
  std::vector<std::int64_t> ends(at(A.cols()) + 1, 0);
  for_couplings(A, [&](Index i, Index j) {
    ++ends[at(i)];
    ++ends[at(j)];
  });
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  if (ends.back() > std::numeric_limits<Index>::max()) throw std::length_error("a matrix with too many entries");

  PatternGraph graph;
  graph.neighbours.resize(at(ends.back()));
  for_couplings(A, [&](Index i, Index j) {
    graph.neighbours[at(--ends[at(i)])] = j;
    graph.neighbours[at(--ends[at(j)])] = i;
  });
  graph.starts.assign(ends.begin(), ends.end());
  return graph;
}

/// Each neighbour once and in ascending order, by writing the graph down from its other side.
PatternGraph in_order(const PatternGraph& graph) {
  PatternGraph ordered;
  ordered.starts.resize(graph.starts.size());
  ordered.neighbours.resize(graph.neighbours.size());
  std::vector<Index> ends(graph.starts.begin(), graph.starts.end() - 1);
  for (Index j = 0; j < graph.size(); ++j) {
    for (Index e = graph.starts[j]; e < graph.starts[j + 1]; ++e) {
      const Index i = graph.neighbours[e];
      const bool is_there = ends[i] > graph.starts[i] && ordered.neighbours[ends[i] - 1] == j;
      if (!is_there) ordered.neighbours[ends[i]++] = j;
    }
  }
  Index end = 0;
  for (Index i = 0; i < graph.size(); ++i) {
    ordered.starts[i] = end;
    for (Index e = graph.starts[i]; e < ends[i]; ++e) ordered.neighbours[end++] = ordered.neighbours[e];
  }
  ordered.starts.back() = end;
  ordered.neighbours.resize(at(end));
  return ordered;
}

}  // namespace

PatternGraph pattern_graph(const SparseMatrix& A) { return in_order(couplings_of(A)); }

std::vector<Index> natural_order(const PatternGraph& graph) {
  std::vector<Index> order(at(graph.size()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// METIS fails where nothing is coupled.
std::vector<Index> nested_dissection_order(PatternGraph graph) {
  std::vector<Index> order = natural_order(graph), place(order.size());
  if (graph.neighbours.empty()) return order;
  idx_t size = graph.size();
  const int status =
      METIS_NodeND(&size, graph.starts.data(), graph.neighbours.data(), nullptr, nullptr, order.data(), place.data());
  if (status != METIS_OK) throw std::bad_alloc();
  return order;
}

}  // namespace stillpoint
