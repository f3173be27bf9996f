#include "algebra/ldlt/front_groups.h"

#include <algorithm>
#include <cstdint>

namespace stillpoint {

namespace {

constexpr Index none = -1;

/// The shape of a front during amalgamation: a dense lower triangle whose first rows and columns are eliminated.
struct Shape {
  std::int64_t pivots = 0, size = 0;
  std::int64_t zeros = 0;  ///< number of entries in its columns of L that are nonzero only because of amalgamation

  std::int64_t entries() const { return pivots * size - pivots * (pivots - 1) / 2; }
  std::int64_t left_behind() const { return (size - pivots) * (size - pivots + 1) / 2; }
};

Shape joined(const Shape& child, const Shape& parent) {
  Shape both{.pivots = child.pivots + parent.pivots, .size = child.pivots + parent.size};
  both.zeros = child.zeros + parent.zeros + both.entries() - child.entries() - parent.entries();
  return both;
}

/// Whether a merged front is worth its additional zeros. The wider it is the less is gained, because the fixed cost of
/// a front (some hundred operations) is spread over more pivots.
bool worth_joining(const Shape& child, const Shape& parent, const Shape& both) {
  if (both.zeros == child.zeros + parent.zeros) return true;
  const double share = static_cast<double>(both.zeros) / static_cast<double>(both.entries());
  return both.pivots <= 4 || (both.pivots <= 16 && share < 0.3) || (both.pivots <= 48 && share < 0.1) || share < 0.05;
}

/// The children of each node as linked lists, the last child first.
struct Children {
  std::vector<Index> first, next;

  explicit Children(const std::vector<Index>& parent) : first(parent.size(), none), next(parent.size(), none) {
    for (Index k = 0; k < static_cast<Index>(parent.size()); ++k) {
      if (parent[k] == none) continue;
      next[k] = first[parent[k]];
      first[parent[k]] = k;
    }
  }
};

/// Returns the parent with which each place is merged, or `none`; `shapes` are valid for the places that are not
/// merged.
std::vector<Index> join(const EliminationTree& tree, const NodeGraph& graph, std::vector<Shape>& shapes) {
  const Children children(tree.parent);
  std::vector<Index> joins(tree.parent.size(), none);
  shapes.resize(tree.parent.size());
  for (std::size_t p = 0; p < shapes.size(); ++p) {
    shapes[p] = Shape{.pivots = graph.weight(tree.node[p]), .size = tree.count[p]};
    for (Index c = children.first[p]; c != none; c = children.next[c]) {
      const Shape both = joined(shapes[c], shapes[p]);
      if (!worth_joining(shapes[c], shapes[p], both)) continue;
      shapes[p] = both;
      joins[c] = static_cast<Index>(p);
    }
  }
  return joins;
}

/// Inserts fronts without unknowns between a front and its children, until the children leave contributions of no more
/// than `limit` entries in total.
void bundle(Index front, std::vector<Index> below, const std::int64_t limit, std::vector<Shape>& shapes,
            std::vector<Index>& parent) {
  const auto left_behind = [&](const std::vector<Index>& fronts) {
    std::int64_t sum = 0;
    for (const Index f : fronts) sum += shapes[f].left_behind();
    return sum;
  };
  for (std::int64_t sum = left_behind(below); sum > limit;) {
    std::vector<Index> bundles;
    std::int64_t part = 0;
    for (const Index child : below) {
      if (bundles.empty() || part > limit / 2) {
        bundles.push_back(static_cast<Index>(parent.size()));
        parent.push_back(front);
        shapes.push_back({});
        part = 0;
      }
      parent[child] = bundles.back();
      part += shapes[child].left_behind();
      Shape& shape = shapes[bundles.back()];
      shape.size = std::min(shape.size + shapes[child].size - shapes[child].pivots, shapes[front].size);
    }
    below = std::move(bundles);
    const std::int64_t smaller = left_behind(below);
    if (smaller >= sum) return;
    sum = smaller;
  }
}

}  // namespace

FrontGroups group_into_fronts(const EliminationTree& tree, const NodeGraph& graph) {
  std::vector<Shape> by_place;
  const std::vector<Index> joins = join(tree, graph, by_place);

  FrontGroups groups;
  groups.front.resize(joins.size());
  std::vector<Shape> shapes;
  for (auto k = static_cast<Index>(joins.size()) - 1; k >= 0; --k) {  // from parents to children
    if (joins[k] != none) {
      groups.front[k] = groups.front[joins[k]];
      continue;
    }
    groups.front[k] = static_cast<Index>(shapes.size());
    groups.parent.push_back(tree.parent[k] == none ? none : groups.front[tree.parent[k]]);
    shapes.push_back(by_place[k]);
  }

  const Children children(groups.parent);
  const auto fronts = static_cast<Index>(shapes.size());
  for (Index f = 0; f < fronts; ++f) {
    const std::int64_t limit = 4 * (shapes[f].size * (shapes[f].size + 1) / 2);
    std::int64_t sum = 0;
    for (Index c = children.first[f]; c != none; c = children.next[c]) sum += shapes[c].left_behind();
    if (sum <= limit) continue;
    std::vector<Index> below;
    for (Index c = children.first[f]; c != none; c = children.next[c]) below.push_back(c);
    bundle(f, std::move(below), limit, shapes, groups.parent);
  }
  return groups;
}

}  // namespace stillpoint
