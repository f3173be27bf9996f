#include "algebra/ldlt/front_branches.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "algebra/ldlt/front_tree.h"

namespace stillpoint {

namespace {

constexpr std::int64_t worth_a_cut =
    500'000;                         ///< entries of L: a solution with fewer takes less than some milliseconds
constexpr std::int64_t shares = 32;  ///< no subtree has a larger part of the entries, if it can be divided
constexpr int deepest = 20;  ///< fronts above each other that are branches of their own; more of them are a long path

constexpr Index none = -1;

class Cut {
 public:
  explicit Cut(const FrontTree& tree) : tree_(tree), first_(tree.children.size()), entries_(tree.children.size()) {
    for (Index f = 0; f < tree.fronts(); ++f) {
      first_[f] = f;
      entries_[f] = tree.entries(f);
      for (Index child = 0; child < tree.children[f]; ++child) {
        entries_[f] += entries_[first_[f] - 1];
        first_[f] = first_[first_[f] - 1];
      }
    }
  }

  FrontBranches made() {
    divide(roots());
    find_rounds();
    place_copies();
    return std::move(cut_);
  }

 private:
  /// The subtrees of the children end one before the other, before the front itself.
  std::vector<Index> children_of(Index front) const { return ends_before(front, tree_.children[front]); }

  std::vector<Index> ends_before(Index end, Index count) const {
    std::vector<Index> last(static_cast<std::size_t>(count));
    for (auto child = last.rbegin(); child != last.rend(); ++child) {
      *child = end - 1;
      end = first_[*child];
    }
    return last;
  }

  std::vector<Index> roots() const {
    Index count = 0;
    for (Index end = tree_.fronts(); end > 0; end = first_[end - 1]) ++count;
    return ends_before(tree_.fronts(), count);
  }

  /// Cuts neighbouring subtrees into branches, and returns those without a parent among them.
  std::vector<Index> divide(const std::vector<Index>& subtrees, int depth = 0) {
    std::int64_t total = 0;
    for (const Index root : subtrees) total += entries_[root];
    if (depth == 0) limit_ = total < worth_a_cut ? total : total / shares;
    std::vector<Index> found;
    Index begin = subtrees.empty() ? 0 : first_[subtrees.front()];
    std::int64_t together = 0;
    const auto add_up_to = [&](Index end) {
      if (begin < end) found.push_back(add(begin, end));
      begin = end;
      together = 0;
    };
    for (const Index root : subtrees) {
      if (entries_[root] > limit_ && tree_.children[root] > 0 && depth < deepest) {
        add_up_to(first_[root]);
        found.push_back(add(root, root + 1, divide(children_of(root), depth + 1)));
        begin = root + 1;
      } else if ((together += entries_[root]) > limit_) {
        add_up_to(root + 1);
      }
    }
    if (!subtrees.empty()) add_up_to(subtrees.back() + 1);
    return found;
  }

  Index add(Index begin, Index end, std::vector<Index> children = {}) {
    FrontBranch branch;
    branch.begin = begin;
    branch.end = end;
    branch.end_of_inside = tree_.first[end];
    branch.children = std::move(children);
    // The border of a front without a parent in the branch lies outside of it; those below have no other unknowns
    // there.
    for (Index f = end - 1; f >= begin; f = branch.children.empty() ? first_[f] - 1 : none) {
      branch.outside.insert(branch.outside.end(), tree_.border.begin() + tree_.border_starts[f],
                            tree_.border.begin() + tree_.border_starts[f + 1]);
    }
    std::sort(branch.outside.begin(), branch.outside.end());
    branch.outside.erase(std::unique(branch.outside.begin(), branch.outside.end()), branch.outside.end());
    cut_.all.push_back(std::move(branch));
    return static_cast<Index>(cut_.all.size()) - 1;
  }

  void find_rounds() {
    std::vector<std::size_t> round(cut_.all.size(), 0);
    for (std::size_t b = 0; b < round.size(); ++b) {
      for (const Index child : cut_.all[b].children) round[b] = std::max(round[b], round[child] + 1);
      if (cut_.rounds.size() <= round[b]) cut_.rounds.emplace_back();
      cut_.rounds[round[b]].push_back(static_cast<Index>(b));
    }
  }

  void place_copies() {
    cut_.places = tree_.unknowns();
    for (FrontBranch& branch : cut_.all) {
      branch.copies = cut_.places;
      cut_.places += static_cast<Index>(branch.outside.size());
    }
    for (const FrontBranch& parent : cut_.all) {
      for (const Index child : parent.children) {
        FrontBranch& branch = cut_.all[child];
        for (const Index position : branch.outside) branch.originals.push_back(parent.place_of(position));
      }
    }
  }

  const FrontTree& tree_;
  std::vector<Index> first_;           ///< first front of the subtree of each front
  std::vector<std::int64_t> entries_;  ///< of L, in the subtree of each front
  std::int64_t limit_ = 0;
  FrontBranches cut_;
};

}  // namespace

Index FrontBranch::place_of(Index position) const {
  if (position < end_of_inside) return position;
  const auto found = std::lower_bound(outside.begin(), outside.end(), position);
  return copies + static_cast<Index>(std::distance(outside.begin(), found));
}

FrontBranches cut_into_branches(const FrontTree& tree) { return Cut(tree).made(); }

}  // namespace stillpoint
