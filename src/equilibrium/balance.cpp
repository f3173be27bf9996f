// Forces are balanced by Newton's method. What it may need besides: other constraints where the ones in use come to
// depend on each other, load stepping where it stalls, and a push where it ends on a saddle.

#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr int most_saddles = 30;
constexpr int most_rank_changes = 10;

State without_multipliers(State state) {
  state.lambda.resize(0);
  return state;
}

bool is_conservative(Search& search, const State& state) {
  Statics& statics = search.statics;
  return statics.has_potential(state) || is_symmetric(statics.matrices(state).K, statics.scales().s);
}

// Newton's method again, from where the loads that had been taken off are all back.
std::optional<Relaxation> by_load_stepping(Search& search, const State& from) {
  const Relaxation unloaded = unload(search.statics, from, search.most_iterations(), search.may_open());
  search.rest.iterations += unloaded.iterations;
  if (unloaded.end != Relaxation::End::at_rest) return std::nullopt;
  search.rest.fallbacks.push_back("Newton's method stalled; load stepping went on");
  Relaxation done = search.relaxed(without_multipliers(unloaded.point.state), Measure::residual);
  if (done.end != Relaxation::End::at_rest) return std::nullopt;
  return done;
}

// With closed loops, but shaken.
std::optional<State> state_beside(Search& search, const State& state, double size) {
  std::mt19937 random(2);
  const Closing closing = search.closed(shaken(search, state, size, random));
  if (!is_closed(search, closing)) return std::nullopt;
  return closing.state;
}

class Balance {
 public:
  explicit Balance(Search& search) : search_(search), from_(search.start) {}

  void run() {
    for (;;) {
      search_.go_on_from(relaxed());
      if (search_.end != Relaxation::End::at_rest) step_the_load();
      if (search_.end != Relaxation::End::at_rest) return;
      if (search_.options.rest != RestKind::stable) return;
      std::optional<State> lower = state_below();
      if (!lower) return;
      from_ = without_multipliers(std::move(*lower));
    }
  }

 private:
  Relaxation relaxed() {
    for (;;) {
      const bool by_energy = search_.options.rest != RestKind::nearest && is_conservative(search_, from_);
      Relaxation done = search_.relaxed(from_, by_energy ? Measure::energy : Measure::residual);
      if (done.end != Relaxation::End::rows_changed || rank_changes_++ >= most_rank_changes) return done;
      use_other_rows(done.point.state);
    }
  }

  void use_other_rows(const State& state) {
    use_all_rows(search_);
    from_ = search_.closed(state).state;
    choose_rows(search_, from_);
    if (rank_changes_ == 1) {
      search_.rest.fallbacks.push_back("constraints that depended on each other at the start did not elsewhere");
    }
  }

  void step_the_load() {
    if (load_was_stepped_) return;
    load_was_stepped_ = true;
    if (std::optional<Relaxation> done = by_load_stepping(search_, from_)) search_.go_on_from(std::move(*done));
  }

  // Off the saddle that the search is on; empty if it is on none, or cannot be left.
  std::optional<State> state_below() {
    Statics& statics = search_.statics;
    const Matrices& at = statics.linearize(search_.point);
    if (!is_symmetric(at.K, statics.scales().s)) return std::nullopt;
    const StiffnessSigns signs = count_signs(statics, at, blur_of_stiffness(search_));
    search_.signs = signs;
    if (signs.negative == 0 || saddles_ == most_saddles) return std::nullopt;
    if (may_be_singular(search_)) return std::nullopt;  // the negative ones may belong to what cannot move
    std::optional<State> lower = leave_saddle(statics, search_.point, signs);
    if (!lower) lower = state_beside(search_, search_.point.state, 0.1 * (1 + saddles_));
    if (lower && saddles_++ == 0) search_.rest.fallbacks.push_back("an unstable rest position on the way was left");
    return lower;
  }

  Search& search_;
  State from_;
  int saddles_ = 0, rank_changes_ = 0;
  bool load_was_stepped_ = false;
};

}  // namespace

void balance(Search& search) { Balance(search).run(); }

}  // namespace stillpoint
