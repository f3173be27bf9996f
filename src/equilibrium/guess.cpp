// Assembly of the guess: from the guess itself and, where the residual ends in a local minimum, from the closing
// conditions and from local restarts.
//
// Where the held coordinates determine all others in closed form (closing.h), that position is the start, since it
// keeps them exactly.
//
// At a local minimum of |WΦ|² the residuals are in balance, JᵀWΦ = 0, like the forces of a state of self-stress: they
// are confined to the loops that do not close. A restart displaces the bodies around one of these constraints at
// random, so that the loops that do close stay closed, and is kept if it comes nearer. Such a random search among local
// minima is called basin hopping [Wales & Doye 1997].

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>

#include "base/at.h"
#include "base/name_list.h"
#include "equilibrium/search.h"
#include "stillpoint/closing.h"

namespace stillpoint {

namespace {

// Starts of the assembly after the guess itself, fewer in large models, where each takes long.
constexpr int most_restarts = 300, least_restarts = 5;
constexpr double work_of_restarts = 1e5;

constexpr std::array displacements{0.1, 0.3, 1.0, 3.0};  // in typical lengths and radians
constexpr Index most_hops = 2;  // from the bodies of an open constraint to those that are displaced with them

constexpr double open_share = 0.1;  // constraints with this share of the largest residual belong to loops that are open
constexpr double named_share = 1e-2;
constexpr double better = 0.999;  // share of |WΦ| below which a restart has come nearer

bool is_satisfied(const Search& search, const State& state) {
  return largest(search.statics.whole_phi(state)) <= search.statics.constraint_noise(state);
}

// Held coordinates are made stiff first, so that the others satisfy the constraints where that is possible; a second
// assembly without them removes the remaining residual.
AssemblyResult assembled_from_guess(Search& search) {
  if (search.options.held.empty()) return search.assembled(search.guess);
  if (!is_satisfied(search, search.guess)) {
    const Closing closing = close_explicitly(search.model, search.guess, search.options.held);
    if (closing.closed && closing.chosen == 0) return search.assembled(closing.state);
  }
  search.statics.hold_in_assembly(search.options.held);
  const AssemblyResult held = search.assembled(search.guess);
  search.statics.hold_in_assembly({});
  return search.assembled(held.state);
}

std::vector<Index> open_constraints(const AssemblyResult& assembled, double share) {
  std::vector<Index> rows;
  for (Index i = 0; i < assembled.phi.size(); ++i) {
    if (std::abs(assembled.phi[i]) >= share * assembled.constraint_residual()) rows.push_back(i);
  }
  return rows;
}

/// The blocks of some constraints and, hop by hop, of the constraints of these blocks.
class Region {
 public:
  Region(Search& search, const State& state, const std::vector<Index>& rows)
      : model_(search.model), J_(search.statics.matrices(state).J), rows_(at(search.statics.m()), 0) {
    for (const Index row : rows) rows_[at(row)] = 1;
    find_blocks();
  }

  void grow() {
    for (const Index b : blocks_) {
      for_entries_of(model_.blocks()[at(b)], [&](Index row) { rows_[at(row)] = 1; });
    }
    find_blocks();
  }

  const std::vector<Index>& blocks() const { return blocks_; }

 private:
  template <class F>
  void for_entries_of(const Block& block, const F& f) const {
    for (Index i = 0; i < coordinates_of(block.kind); ++i) {
      for (SparseMatrix::InnerIterator entry(J_, block.first + i); entry; ++entry) f(static_cast<Index>(entry.row()));
    }
  }

  void find_blocks() {
    blocks_.clear();
    for (std::size_t b = 0; b < model_.blocks().size(); ++b) {
      bool is_joined = false;
      for_entries_of(model_.blocks()[b], [&](Index row) { is_joined = is_joined || rows_[at(row)]; });
      if (is_joined) blocks_.push_back(static_cast<Index>(b));
    }
  }

  const Model& model_;
  const SparseMatrix& J_;
  std::vector<char> rows_;
  std::vector<Index> blocks_;
};

State displaced_at_random(const Search& search, const State& state, const std::vector<Index>& blocks, double size,
                          std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(search.statics.n());
  for (const Index b : blocks) {
    const Block& block = search.model.blocks()[at(b)];
    for (Index i = 0; i < coordinates_of(block.kind); ++i) x[block.first + i] = size * normal(random);
  }
  return search.statics.displaced(state, x);
}

int restarts_of(const Search& search) {
  const double affordable = work_of_restarts / std::max<Index>(search.statics.n(), 1);
  return static_cast<int>(std::clamp<double>(affordable, least_restarts, most_restarts));
}

struct Attempts {
  AssemblyResult best;
  int restarts = 0;
  Closing closing{};  ///< tried where the guess could not be assembled
};

// Displaces the bodies around an open constraint.
State restart_of(Search& search, const AssemblyResult& assembled, std::mt19937& random) {
  const auto choose = [&random](std::size_t count) { return random() % count; };
  const std::vector<Index> open = open_constraints(assembled, open_share);
  Region region(search, assembled.state, {open[choose(open.size())]});
  for (std::size_t hops = choose(most_hops + 1); hops > 0; --hops) region.grow();
  return displaced_at_random(search, assembled.state, region.blocks(), displacements[choose(displacements.size())],
                             random);
}

void assemble_explicitly(Search& search, Attempts& attempts) {
  attempts.closing = close_explicitly(search.model, search.guess, search.options.held);
  if (!attempts.closing.closed) return;
  attempts.best = search.assembled(attempts.closing.state);
  search.rest.fallbacks.push_back("the constraints could not be assembled from the guess itself, but explicitly: " +
                                  to_text(attempts.closing));
}

Attempts assembled_with_restarts(Search& search, AssemblyResult first) {
  Attempts attempts{std::move(first)};
  AssemblyResult& best = attempts.best;
  if (!is_assembled(search, best)) assemble_explicitly(search, attempts);
  std::mt19937 random(1);
  while (attempts.restarts < restarts_of(search) && !is_assembled(search, best)) {
    ++attempts.restarts;
    AssemblyResult other = search.assembled(restart_of(search, best, random));
    if (other.phi.norm() < better * best.phi.norm()) best = std::move(other);
  }
  if (attempts.restarts > 0 && is_assembled(search, best)) {
    search.rest.fallbacks.push_back(
        fmt::format("the constraints could not be assembled from the guess itself, but after {} in which bodies of the "
                    "open loops were displaced at random",
                    attempts.restarts == 1 ? "a restart" : fmt::format("{} restarts", attempts.restarts)));
  }
  return attempts;
}

void accept_residual(Search& search, const AssemblyResult& assembled) {
  const Eigen::VectorXd phi = constraint_residual(search.model, assembled.state);
  search.statics.allow_residual(phi);
  search.residual_bound = assembled.constraint_residual();
  Index worst = 0;
  assembled.phi.cwiseAbs().maxCoeff(&worst);
  search.rest.warnings.push_back(
      fmt::format("the constraints cannot all be satisfied at once: '{}' keeps a residual of {:.3g} (its own unit), "
                  "{:.3g} of the typical length; this is taken as rounding of the model's numbers",
                  search.model.constraint_name(worst), phi[worst], search.residual_bound));
}

// At a minimum of |WΦ|² the residuals of the open loops balance each other.
std::string names_of_open_constraints(const Model& model, const AssemblyResult& assembled) {
  const std::vector<Index> open = open_constraints(assembled, named_share);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < std::min<std::size_t>(open.size(), 8); ++k) {
    names.push_back("'" + model.constraint_name(open[k]) + "'");
  }
  return name_list(names, static_cast<Index>(open.size()));
}

std::string names_of_open_bodies(Search& search, const AssemblyResult& assembled) {
  const Region region(search, assembled.state, open_constraints(assembled, named_share));
  std::vector<std::string> names;
  for (const Index b : region.blocks()) names.push_back(search.model.block_name(b));
  return name_list(names);
}

std::string worst_constraint(Search& search, const AssemblyResult& assembled) {
  Index worst = 0;
  assembled.phi.cwiseAbs().maxCoeff(&worst);
  return fmt::format("'{}' keeps a residual of {:.3g} (its own unit), {:.3g} of the typical length ({:.3g} m)",
                     search.model.constraint_name(worst),
                     std::abs(constraint_residual(search.model, assembled.state)[worst]),
                     assembled.constraint_residual(), search.rest.typical_length);
}

std::string tried(const Attempts& attempts) {
  if (attempts.restarts == 0) return "the guess";
  return fmt::format("the guess, and {} restarts in which bodies of the open loops were displaced at random",
                     attempts.restarts);
}

void refuse_unassembled(Search& search, const Attempts& attempts) {
  const AssemblyResult& assembled = attempts.best;
  Equilibrium& rest = search.rest;
  rest.status = EquilibriumStatus::not_assembled;
  rest.state = assembled.state;
  note_constraint_residual(search, assembled.phi);
  const std::string names = names_of_open_constraints(search.model, assembled);
  const std::string found =
      assembled.stationary
          ? fmt::format(
                "the constraints {} contradict each other near the guess: at best, {}, where {:.3g} is allowed "
                "as rounding of the model's numbers",
                names, worst_constraint(search, assembled), search.options.precision)
          : fmt::format(
                "the constraints were not assembled after all steps: at best, {}, and {} are open; a guess "
                "nearer to a possible position may help",
                worst_constraint(search, assembled), names);
  rest.message =
      fmt::format("{} (open between {}; tried: {})", found, names_of_open_bodies(search, assembled), tried(attempts));
  if (attempts.closing.gap > 0) rest.message += "; " + attempts.closing.message;
}

}  // namespace

// A residual that is larger than rounding is accepted only where no step reduces it: otherwise the constraints can be
// satisfied better.
bool is_assembled(const Search& search, const AssemblyResult& assembled) {
  const double residual = assembled.constraint_residual();
  return residual <= 100 * search.statics.constraint_noise(assembled.state) ||
         (assembled.stationary && residual <= search.options.precision);
}

State perturbed_at_random(const Search& search, const State& state, double size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd x(search.statics.n());
  for (double& entry : x) entry = size * normal(random);
  return search.statics.displaced(state, x);
}

bool assemble_guess(Search& search) {
  const Attempts attempts = assembled_with_restarts(search, assembled_from_guess(search));
  const AssemblyResult& assembled = attempts.best;
  search.start = assembled.state;
  if (!is_assembled(search, assembled)) {
    refuse_unassembled(search, attempts);
    return false;
  }
  if (assembled.constraint_residual() > 100 * search.statics.constraint_noise(assembled.state))
    accept_residual(search, assembled);
  return true;
}

}  // namespace stillpoint
