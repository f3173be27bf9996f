// Force balance by Newton's method, with three fallbacks: another choice of constraints where those in use become
// dependent, load stepping where the iteration stalls, and a direction of negative curvature where it ends on a saddle.

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

// Load stepping; Newton's method then continues from the fully loaded state.
std::optional<Relaxation> by_load_stepping(Search& search, const State& from) {
  const Relaxation unloaded =
      relax_by_load_steps(search.statics, from, search.most_iterations(), search.allowed_residual());
  search.rest.iterations += unloaded.iterations;
  if (unloaded.end != Relaxation::End::at_rest) return std::nullopt;
  search.rest.fallbacks.push_back("Newton's method stalled; load stepping was used");
  Relaxation done = search.relaxed(without_multipliers(unloaded.point.state), Measure::residual);
  if (done.end != Relaxation::End::at_rest) return std::nullopt;
  return done;
}

// Perturbs a state at random, and assembles it again.
std::optional<State> state_nearby(Search& search, const State& state, double size) {
  std::mt19937 random(2);
  const AssemblyResult assembled = search.assembled(perturbed_at_random(search, state, size, random));
  if (!is_assembled(search, assembled)) return std::nullopt;
  return assembled.state;
}

class Balance {
 public:
  explicit Balance(Search& search) : search_(search), from_(search.start) {}

  void run() {
    for (;;) {
      search_.continue_from(relaxed());
      if (search_.end != Relaxation::End::at_rest) step_the_load();
      if (search_.end != Relaxation::End::at_rest) return;
      if (search_.options.rest != EquilibriumRequest::stable) return;
      std::optional<State> lower = state_below();
      if (!lower) return;
      from_ = without_multipliers(std::move(*lower));
    }
  }

 private:
  Relaxation relaxed() {
    for (;;) {
      const bool by_energy = search_.options.rest != EquilibriumRequest::nearest && is_conservative(search_, from_);
      Relaxation done = search_.relaxed(from_, by_energy ? Measure::energy : Measure::residual);
      if (done.end != Relaxation::End::rows_changed || rank_changes_++ >= most_rank_changes) return done;
      use_other_rows(done.point.state);
    }
  }

  void use_other_rows(const State& state) {
    use_all_rows(search_);
    from_ = search_.assembled(state).state;
    choose_rows(search_, from_);
    if (rank_changes_ == 1) {
      search_.rest.fallbacks.push_back("constraints that were dependent at the start were independent elsewhere");
    }
  }

  void step_the_load() {
    if (load_was_stepped_) return;
    load_was_stepped_ = true;
    if (std::optional<Relaxation> done = by_load_stepping(search_, from_)) search_.continue_from(std::move(*done));
  }

  // Leaves the saddle point of the search; empty if the point is no saddle, or cannot be left.
  std::optional<State> state_below() {
    Statics& statics = search_.statics;
    const Matrices& at = statics.linearize(search_.point);
    if (!is_symmetric(at.K, statics.scales().s)) return std::nullopt;
    const StiffnessSigns signs = count_signs(statics, at, stiffness_uncertainty(search_));
    search_.signs = signs;
    if (signs.negative == 0 || saddles_ == most_saddles) return std::nullopt;
    if (may_be_singular(search_))
      return std::nullopt;  // the negative eigenvalues may belong to directions without a motion
    std::optional<State> lower = leave_saddle(statics, search_.point, signs);
    if (!lower) lower = state_nearby(search_, search_.point.state, 0.1 * (1 + saddles_));
    if (lower && saddles_++ == 0) search_.rest.fallbacks.push_back("an unstable equilibrium on the way was left");
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
