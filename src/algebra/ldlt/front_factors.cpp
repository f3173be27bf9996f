#include "algebra/ldlt/front_factors.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>

#include "algebra/ldlt/contribution_stack.h"
#include "algebra/ldlt/front_pivoting.h"
#include "base/in_parallel.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

/// Errors of the rows of fronts.
struct Errors {
  std::vector<Index> positions;
  std::vector<double> values;
};

/// What a branch leaves to its parent, and to the whole.
struct Rest {
  ContributionStack contributions;
  Errors errors;
};

/// Factors one branch after the other, with the same memory.
class Factoring {
 public:
  Factoring(const FrontTree& plan, const double* values, const std::vector<double>& scale, double largest)
      : plan_(plan), values_(values), scale_(scale), largest_(largest), row_of_(new Index[plan.unknown.size()]) {}

  /// Factors the fronts of the branch, whose children have been factored.
  Rest run(const FrontBranch& branch, std::vector<Rest>& of_branches, BranchFactors& factors) {
    branch_ = &branch;
    factors_ = &factors;
    factors.fronts.reserve(static_cast<std::size_t>(branch.end - branch.begin));
    for (const Index child : branch.children) stack_.take(std::move(of_branches[child].contributions));
    for (Index f = branch.begin; f < branch.end; ++f) {
      Front front = lay_out(f);
      add_entries(f, front);
      for (Index c = 0; c < plan_.children[f]; ++c) add_contribution(stack_.from_top(c), front);
      Front rest = eliminate(front);
      if (worth_rotating(rest)) {
        change_unknowns(rest);
        rest = eliminate(rest);
      }
      check(f, rest);
      factors.delays += rest.candidates;
      stack_.close_front(front, front.size - rest.size, rest.largest, plan_.children[f]);
    }
    return {.contributions = stack_.taken_out(), .errors = std::exchange(errors_, {})};
  }

 private:
  /// Lists the rows of a front: its own unknowns, then the delayed unknowns of its children, then the border.
  Front lay_out(Index f) {
    positions_.clear();
    for (Index k = plan_.first[f]; k < plan_.first[f + 1]; ++k) positions_.push_back(k);
    double largest = largest_;
    for (Index c = plan_.children[f] - 1; c >= 0; --c) {
      const Contribution& child = stack_.from_top(c);
      const Index* const of_child = stack_.positions(child);
      positions_.insert(positions_.end(), of_child, of_child + child.delayed);
      largest = std::max(largest, child.largest);
    }
    const auto candidates = static_cast<Index>(positions_.size());
    positions_.insert(positions_.end(), plan_.border.begin() + plan_.border_starts[f],
                      plan_.border.begin() + plan_.border_starts[f + 1]);
    const auto size = static_cast<Index>(positions_.size());
    for (Index i = 0; i < size; ++i) row_of_[positions_[i]] = i;
    return {.entries = stack_.open_front(size),
            .stride = size,
            .size = size,
            .candidates = candidates,
            .position = positions_.data(),
            .largest = largest};
  }

  void add_entries(Index f, Front& front) {
    for (Index k = plan_.first[f]; k < plan_.first[f + 1]; ++k) {
      double* const column = front.column(k - plan_.first[f]);
      const double scale = scale_[plan_.unknown[k]];
      for (Index e = plan_.entry_starts[k]; e < plan_.entry_starts[k + 1]; ++e) {
        const Index row = plan_.entry_row[e];
        column[row_of_[row]] += scale * values_[plan_.entry_source[e]] * scale_[plan_.unknown[row]];
      }
    }
  }

  void add_contribution(const Contribution& child, Front& front) {
    const Index* const positions = stack_.positions(child);
    const double* number = stack_.numbers(child);
    rows_.resize(static_cast<std::size_t>(child.size));
    for (Index i = 0; i < child.size; ++i) rows_[i] = row_of_[positions[i]];
    const Index* const rows = rows_.data();
    for (Index j = 0; j < child.size; ++j, number += child.size - j + 1) {
      double* const column = front.column(rows[j]);
      if (j >= child.delayed) {  // positions in a border ascend in every front
        for (Index i = j; i < child.size; ++i) column[rows[i]] += number[i - j];
        continue;
      }
      for (Index i = j; i < child.size; ++i) {
        if (rows[i] >= rows[j]) column[rows[i]] += number[i - j];
        else front.column(rows[i])[rows[j]] += number[i - j];
      }
    }
  }

  /// Eliminates the unknowns that have acceptable pivots, and returns the remaining front.
  Front eliminate(Front& front) {
    const Pivots& pivots = pivoting_.eliminate(front);
    if (pivots.count > 0) keep(front, pivots);
    return front.after(pivots.count);
  }

  void change_unknowns(Front& front) {
    FrontRotation rotation = rotate(front, factors_->numbers, factors_->places);
    rotation.before = static_cast<Index>(factors_->fronts.size());
    factors_->entries += rotation.entries();
    add_errors(rotation.position, std::vector<double>(static_cast<std::size_t>(rotation.size), rotation.error));
    factors_->rotations.push_back(rotation);
  }

  void check(Index f, const Front& rest) const {
    const bool is_root = plan_.border_starts[f] == plan_.border_starts[f + 1];
    if (std::isfinite(rest.largest) && !(is_root && rest.size > 0)) return;
    throw Undecided("the factorisation of a symmetric matrix exceeds the range of double precision");
  }

  void keep(const Front& front, const Pivots& pivots) {
    const Index count = pivots.count;
    const std::int64_t entries = std::int64_t{count} * front.size - std::int64_t{count} * (count + 1) / 2;
    Index* const places = factors_->places.take(front.size);
    double* const diagonal = factors_->numbers.take(entries + 2 * std::int64_t{count});
    double* L = diagonal + 2 * std::int64_t{count};
    factors_->fronts.push_back(
        {.count = count, .size = front.size, .place = places, .diagonal = diagonal, .below = diagonal + count, .L = L});
    std::transform(front.position, front.position + front.size, places,
                   [&](Index position) { return branch_->place_of(position); });
    std::copy(pivots.diagonal.begin(), pivots.diagonal.begin() + count, diagonal);
    std::copy(pivots.below.begin(), pivots.below.begin() + count, diagonal + count);
    for (Index j = 0; j < count; ++j) {
      const double* const column = front.column(j);
      L = std::copy(column + j + 1, column + front.size, L);
    }
    factors_->entries += entries + count;
    if (!pivots.dropped.empty()) add_errors(front.position, pivots.dropped);
  }

  void add_errors(const Index* position, const std::vector<double>& errors) {
    errors_.positions.insert(errors_.positions.end(), position, position + errors.size());
    errors_.values.insert(errors_.values.end(), errors.begin(), errors.end());
  }

  const FrontTree& plan_;
  const double* values_;
  const std::vector<double>& scale_;
  double largest_;
  const FrontBranch* branch_ = nullptr;
  BranchFactors* factors_ = nullptr;

  ContributionStack stack_;
  Errors errors_;
  FrontPivoting pivoting_;
  std::vector<Index> positions_;     ///< positions of the rows of the front
  std::unique_ptr<Index[]> row_of_;  ///< row in the front, for each position that is in it
  std::vector<Index> rows_;          ///< rows in the front of the unknowns of a child
};

/// Lends memory for a branch, as much as there are branches at the same time.
class Workshop {
 public:
  template <class Make>
  std::unique_ptr<Factoring> lend(const Make& make) {
    const std::lock_guard lock(changing_);
    if (idle_.empty()) return make();
    auto one = std::move(idle_.back());
    idle_.pop_back();
    return one;
  }

  void take_back(std::unique_ptr<Factoring> one) {
    const std::lock_guard lock(changing_);
    idle_.push_back(std::move(one));
  }

 private:
  std::mutex changing_;
  std::vector<std::unique_ptr<Factoring>> idle_;
};

/// What the fronts of a branch eliminate, if no unknown is delayed.
struct Amounts {
  std::int64_t numbers = 0, places = 0;
};

Amounts amounts_of(const FrontTree& plan, const FrontBranch& branch) {
  Amounts all;
  for (Index f = branch.begin; f < branch.end; ++f) {
    all.numbers += plan.entries(f) + plan.own(f);  // D has two numbers for each unknown, L no diagonal
    all.places += plan.size(f);
  }
  return all;
}

/// Takes memory in one piece: freed pieces of many sizes would leave gaps.
void take_memory(const FrontTree& plan, FrontFactors& factors) {
  std::vector<Amounts> amounts;
  Amounts all;
  for (const FrontBranch& branch : plan.branches.all) {
    amounts.push_back(amounts_of(plan, branch));
    all.numbers += amounts.back().numbers;
    all.places += amounts.back().places;
  }
  factors.branches = &plan.branches;
  factors.numbers.reset(new double[static_cast<std::size_t>(all.numbers)]);
  factors.places.reset(new Index[static_cast<std::size_t>(all.places)]);
  factors.of_branches = std::vector<BranchFactors>(amounts.size());
  double* numbers = factors.numbers.get();
  Index* places = factors.places.get();
  for (std::size_t b = 0; b < amounts.size(); ++b) {
    factors.of_branches[b].numbers.start_with(std::exchange(numbers, numbers + amounts[b].numbers), amounts[b].numbers);
    factors.of_branches[b].places.start_with(std::exchange(places, places + amounts[b].places), amounts[b].places);
  }
}

void clear(BranchFactors& factors) {
  factors.numbers.clear();
  factors.places.clear();
  factors.fronts.clear();
  factors.rotations.clear();
  factors.entries = factors.delays = 0;
}

std::vector<double> sum_of(const std::vector<Rest>& rests, std::size_t unknowns) {
  std::vector<double> sum;
  for (const Rest& rest : rests) {
    const Errors& errors = rest.errors;
    if (sum.empty() && !errors.values.empty()) sum.assign(unknowns, 0.0);
    for (std::size_t i = 0; i < errors.values.size(); ++i) sum[errors.positions[i]] += errors.values[i];
  }
  return sum;
}

}  // namespace

std::int64_t FrontFactors::entries() const {
  std::int64_t sum = 0;
  for (const BranchFactors& branch : of_branches) sum += branch.entries;
  return sum;
}

std::int64_t FrontFactors::delays() const {
  std::int64_t sum = 0;
  for (const BranchFactors& branch : of_branches) sum += branch.delays;
  return sum;
}

void factor_fronts(const FrontTree& plan, const double* values, const std::vector<double>& scale, double largest,
                   FrontFactors& factors) {
  if (factors.branches != &plan.branches) take_memory(plan, factors);
  for (BranchFactors& branch : factors.of_branches) clear(branch);
  std::vector<Rest> rests(plan.branches.all.size());
  Workshop workshop;
  for (const std::vector<Index>& round : plan.branches.rounds) {
    in_parallel(static_cast<Index>(round.size()), [&](Index k) {
      const Index b = round[k];
      auto factoring = workshop.lend([&] { return std::make_unique<Factoring>(plan, values, scale, largest); });
      rests[b] = factoring->run(plan.branches.all[b], rests, factors.of_branches[b]);
      workshop.take_back(std::move(factoring));
    });
  }
  factors.other_errors = sum_of(rests, plan.unknown.size());
}

}  // namespace stillpoint
