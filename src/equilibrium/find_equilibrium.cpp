// The search for an equilibrium in the order of its steps: assembly, choice of independent constraints, force balance,
// singular configurations, and the examination of the result.

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/at.h"
#include "base/stopwatch.h"
#include "equilibrium/search.h"
#include "stillpoint/assemble.h"

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
    : Search(its_model, Predicted{at_rest(its_guess)}, its_options) {}

Search::Search(const Model& its_model, Predicted its_start, const EquilibriumOptions& its_options)
    : model(its_model),
      options(its_options),
      shared_statics(std::make_shared<Statics>(its_model, its_start.state)),
      statics(*shared_statics),
      guess(its_start.state) {
  rest.typical_length = statics.scales().length;
}

void Search::continue_from(Relaxation done) {
  point = std::move(done.point);
  end = done.end;
  signs.reset();
}

// One step moves a chain about as far as one of its links is long, so the limit grows with the number of coordinates,
// as far as the computing time allows.
int Search::most_iterations() const {
  constexpr double usual = 300, for_each_coordinate = 4, most_work = 3e8;
  const double n = std::max<Index>(statics.n(), 1);
  return options.most_iterations.value_or(static_cast<int>(usual + std::min(for_each_coordinate * n, most_work / n)));
}

Relaxation Search::relaxed(const State& from, Measure measure) {
  Relaxation done = relax(statics, from, measure, most_iterations(), allowed_residual());
  rest.iterations += done.iterations;
  return done;
}

AssemblyResult Search::assembled(const State& from) {
  AssemblyResult result = assemble_constraints(statics, from);
  rest.iterations += result.iterations;
  return result;
}

namespace {

void check_guess_only(Search& search) {
  search.start = search.guess;
  choose_rows(search, search.start);
  search.point = search.statics.at(search.start);
  search.residual_bound = largest(search.statics.whole_phi(search.start));
  search.statics.fit_multipliers(search.point);
  search.statics.linearize(search.point);
  const bool balanced = search.point.residual() <= std::max(checked_to, tolerance_at(search.point));
  const bool at_rest_there = balanced && search.residual_bound <= checked_to;
  search.end = at_rest_there ? Relaxation::End::at_rest : Relaxation::End::no_progress;
  examine(search);
}

void find(Search& search) {
  if (search.options.rest == EquilibriumRequest::check) return check_guess_only(search);
  if (!assemble_guess(search)) return;
  choose_first_rows(search);
  balance(search);
  if (search.statics.m() >= many_rows) search.statics.forget_analysis();
  enter_singular_configuration(search);
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

AssembledGuess assemble(const Model& model, const State& guess, const EquilibriumOptions& options) {
  Search search(model, guess, options);
  AssembledGuess found;
  found.assembled = assemble_guess(search);
  found.state = std::move(search.start);
  note_constraint_residual(search, search.statics.whole_phi(found.state));
  Equilibrium& rest = search.rest;
  found.constraint_residual = rest.constraint_residual;
  found.worst_constraint = std::move(rest.worst_constraint);
  found.message = std::move(rest.message);
  found.notes = std::move(rest.fallbacks);
  found.notes.insert(found.notes.end(), rest.warnings.begin(), rest.warnings.end());
  return found;
}

namespace {

/// The survey of a large model whose guess satisfies the constraints, if blocks show that these are independent: J
/// alone is needed for that, and no singular value of it.
std::optional<ConstraintSurvey> survey_by_blocks(const Model& model, const State& guess) {
  if (model.constraints() <= RankOptions().largest_dense) return {};
  SparseMatrix J = MotionAssembly(model).at(guess).J;
  if (!J.coeffs().allFinite()) return {};  // the search names what has no direction
  const Scales scales = find_scales(model, guess, J);
  const double noise = position_noise(guess.q.cwiseQuotient(scales.s));
  if (!(largest(scales.w.cwiseProduct(constraint_residual(model, guess))) <= noise)) return {};
  J = SparseMatrix(scales.w.asDiagonal() * J * scales.s.asDiagonal());
  RankDecision rank = full_rank_by_blocks(J, {.noise = noise / 4});
  if (rank.outcome != RankOutcome::full) return {};
  ConstraintSurvey found;
  found.assembled = true;
  found.rank = std::move(rank);
  found.dof = model.coordinates() - model.constraints();
  found.independent_rows.resize(at(model.constraints()));
  std::iota(found.independent_rows.begin(), found.independent_rows.end(), 0);
  return found;
}

}  // namespace

ConstraintSurvey survey_constraints(const Model& model, const State& guess, const EquilibriumOptions& options) {
  if (!options.rank && options.held.empty()) {
    if (std::optional<ConstraintSurvey> found = survey_by_blocks(model, guess)) return *std::move(found);
  }
  Search search(model, guess, options);
  ConstraintSurvey found;
  found.assembled = assemble_guess(search);
  if (found.assembled) {
    choose_rows(search, search.start);
    search.point.state = search.start;
    note_rank(search);
    describe_configuration(search);
  }
  static_cast<ConfigurationFindings&>(found) = std::move(static_cast<ConfigurationFindings&>(search.rest));
  found.message = std::move(search.rest.message);
  return found;
}

}  // namespace stillpoint
