#include "algebra/ordering/parted_order.h"

#include <camd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <numeric>

#include "algebra/ordering/pattern_graph.h"
#include "base/at.h"

namespace stillpoint {

namespace {

constexpr int halvings = 2, parts = 1 << halvings;
constexpr Index least_size = 100'000;        // of a graph: below, starting threads costs as much as they save
constexpr Index least_per_separator = 1000;  // nodes for each one of a separator
constexpr double about_half = 0.1;           // so far from the middle a separator may lie, relative to all

constexpr int separated = -1;

class Parting {
 public:
  explicit Parting(const PatternGraph& graph) : graph_(graph), part_(at(graph.size()), 0), seen_(part_.size(), 0) {}

  /// Makes two parts of one.
  void halve(int part, int other) {
    std::vector<Index> nodes;
    for (Index i = 0; i < graph_.size(); ++i) {
      if (part_[at(i)] == part) nodes.push_back(i);
    }
    if (nodes.empty()) return;
    search_from(nodes.front(), nodes, part);
    const std::vector<Index> levels = search_from(order_.back(), nodes, part);  // from one that is far away
    const Index cut = smallest_level_near_the_middle(levels);
    for (Index k = levels[at(cut)]; k < static_cast<Index>(order_.size()); ++k)
      part_[at(order_[at(k)])] = k < levels[at(cut) + 1] ? separated : other;
  }

  const std::vector<int>& part() const { return part_; }

 private:
  /// Puts the nodes of a part into the order of a breadth-first search, from this one first. Returns where the levels
  /// begin, and the end. A level without nodes lies between two components.
  std::vector<Index> search_from(Index first, const std::vector<Index>& nodes, int part) {
    ++search_;
    order_.clear();
    std::vector<Index> levels;
    const auto visit = [&](Index node) {
      if (part_[at(node)] != part || seen_[at(node)] == search_) return;
      seen_[at(node)] = search_;
      order_.push_back(node);
    };
    const auto end = [&] { return static_cast<Index>(order_.size()); };
    const auto search_component_of = [&](Index root) {
      Index begin = end();
      visit(root);
      if (end() == begin) return;
      if (begin > 0) levels.push_back(begin);
      while (begin < end()) {
        levels.push_back(begin);
        for (const Index last = end(); begin < last; ++begin) {
          const Index node = order_[at(begin)];
          for (Index k = graph_.starts[at(node)]; k < graph_.starts[at(node) + 1]; ++k) visit(graph_.neighbours[at(k)]);
        }
      }
    };
    search_component_of(first);
    for (const Index node : nodes) search_component_of(node);
    levels.push_back(end());
    return levels;
  }

  /// Of several that are the smallest, the one that is nearest to the middle.
  Index smallest_level_near_the_middle(const std::vector<Index>& levels) const {
    const auto all = static_cast<double>(order_.size());
    Index best = 0;
    const auto cost = [&](Index level) {
      const double size = levels[at(level) + 1] - levels[at(level)];
      const double off = std::abs(0.5 * (levels[at(level) + 1] + levels[at(level)]) / all - 0.5);
      return (off < about_half ? size : all) + off;
    };
    for (Index level = 1; level + 1 < static_cast<Index>(levels.size()); ++level) {
      if (cost(level) < cost(best)) best = level;
    }
    return best;
  }

  const PatternGraph& graph_;
  std::vector<int> part_, seen_;
  int search_ = 0;
  std::vector<Index> order_;
};

std::optional<PartedOrder> order_of(const PatternGraph& graph, std::vector<int> part) {
  const Index n = graph.size();
  std::array<Index, parts + 1> sizes{};
  for (const int of : part) ++sizes[at(of)];
  const Index largest = *std::max_element(sizes.begin(), sizes.end() - 1);
  if (sizes.back() > n / least_per_separator || largest > n / 2) return {};
  PartedOrder parted{std::vector<Index>(at(n)), std::vector<Index>(sizes.size() + 1, 0), std::move(part)};
  std::partial_sum(sizes.begin(), sizes.end(), parted.starts.begin() + 1);
  const int status = camd_order(n, graph.starts.data(), graph.neighbours.data(), parted.order.data(), nullptr, nullptr,
                                parted.part.data());
  if (status == CAMD_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status != CAMD_OK && status != CAMD_OK_BUT_JUMBLED) return {};
  return parted;
}

}  // namespace

std::optional<PartedOrder> parted_order(const SparseMatrix& pattern) {
  if (pattern.cols() < least_size) return {};
  const PatternGraph graph = pattern_graph(pattern);
  Parting parting(graph);
  for (int k = 0, now = 1; k < halvings; ++k, now *= 2) {
    for (int part = 0; part < now; ++part) parting.halve(part, now + part);
  }
  std::vector<int> part = parting.part();
  std::replace(part.begin(), part.end(), separated, parts);
  return order_of(graph, std::move(part));
}

std::optional<PartedOrder> parted_order(const SparseMatrix& pattern, std::vector<int> part) {
  return order_of(pattern_graph(pattern), std::move(part));
}

}  // namespace stillpoint
