#include <algorithm>

#include "base/stopwatch.h"
#include "equilibrium/search.h"

namespace stillpoint {

namespace {

State at_rest(State state) {
  state.v.resize(0);
  state.a.resize(0);
  state.lambda.resize(0);
  return state;
}

}  // namespace

Search::Search(const Model& its_model, const State& its_guess, const EquilibriumOptions& its_options)
    : model(its_model), options(its_options), statics(its_model, at_rest(its_guess)), guess(at_rest(its_guess)) {
  rest.typical_length = statics.scales().length;
}

void Search::go_on_from(Relaxation done) {
  point = std::move(done.point);
  end = done.end;
  signs.reset();
}

// A chain goes as far in one step as one of its links is long: more coordinates need more steps, as far as one can wait
// for them.
int Search::most_iterations() const {
  constexpr double usual = 300, for_each_coordinate = 4, most_work = 3e8;
  const double n = std::max<Index>(statics.n(), 1);
  return options.most_iterations.value_or(static_cast<int>(usual + std::min(for_each_coordinate * n, most_work / n)));
}

Relaxation Search::relaxed(const State& from, Measure measure) {
  Relaxation done = relax(statics, from, measure, most_iterations(), may_open());
  rest.iterations += done.iterations;
  return done;
}

Closing Search::closed(const State& from) {
  Closing closing = close_constraints(statics, from);
  rest.iterations += closing.iterations;
  return closing;
}

namespace {

void look_at_the_guess_alone(Search& search) {
  search.start = search.guess;
  choose_rows(search, search.start);
  search.point = search.statics.at(search.start);
  search.opening = largest(search.statics.whole_gap(search.start));
  search.statics.fit_multipliers(search.point);
  search.statics.linearize(search.point);
  const bool balanced = search.point.residual() <= std::max(checked_to, tolerance_at(search.point));
  const bool at_rest_there = balanced && search.opening <= checked_to;
  search.end = at_rest_there ? Relaxation::End::at_rest : Relaxation::End::no_progress;
  examine(search);
}

void find(Search& search) {
  if (search.options.rest == RestKind::check) return look_at_the_guess_alone(search);
  if (!close_guess(search)) return;
  choose_first_rows(search);
  balance(search);
  draw_into_singular(search);
  examine(search);
}

}  // namespace

Equilibrium find_equilibrium(const Model& model, const State& guess, const EquilibriumOptions& options) {
  Search search(model, guess, options);
  const Stopwatch watch;
  find(search);
  Equilibrium& rest = search.rest;
  rest.factorisations += search.statics.factorisations();
  rest.seconds = watch.seconds();
  return std::move(rest);
}

Equilibrium find_equilibrium(const Model& model, const EquilibriumOptions& options) {
  return find_equilibrium(model, model.initial_state(), options);
}

ConstraintSurvey survey_constraints(const Model& model, const State& guess, const EquilibriumOptions& options) {
  Search search(model, guess, options);
  ConstraintSurvey found;
  found.closed = close_guess(search);
  if (found.closed) {
    choose_rows(search, search.start);
    search.point.state = search.start;
    note_rank(search);
    describe_freedom(search);
  }
  static_cast<ConstraintFreedom&>(found) = std::move(static_cast<ConstraintFreedom&>(search.rest));
  found.message = std::move(search.rest.message);
  return found;
}

}  // namespace stillpoint
