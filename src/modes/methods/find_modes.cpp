#include "stillpoint/find_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "base/stopwatch.h"
#include "modes/accuracy/finish.h"
#include "modes/methods/continue_into_penalty.h"
#include "modes/methods/in_bordered_problem.h"
#include "modes/methods/known_of_system.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

PenaltySystem from_matrices_alone(const LinearSystem& system, const PenaltyOptions& options, double stiffer) {
  PenaltySystem made{options, {}};
  made.how.omega = penalty_frequency(system, options);
  made.how.alpha = stiffer * penalty_factors(system, made.how);
  return made;
}

FoundModes::Penalty penalty_of(const PenaltySystem& made) {
  FoundModes::Penalty penalty;
  penalty.xi = made.how.xi;
  penalty.omega = made.how.omega.value();
  if (made.how.alpha.size() > 0) {
    penalty.smallest_alpha = made.how.alpha.minCoeff();
    penalty.largest_alpha = made.how.alpha.maxCoeff();
  }
  penalty.largest_residual = made.largest_residual;
  penalty.equilibrium_seconds = made.equilibrium_seconds;
  return penalty;
}

/// The compliance of the constraints changes the eigenvalues: a warning where that is much.
void warn_of_compliance(Spectrum& spectrum) {
  constexpr double much = 0.01;
  const Mode* worst = nullptr;
  const auto part = [](const Mode& mode) { return mode.penalty_error / std::abs(mode.corrected); };
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind != ModeClass::genuine || !(std::abs(mode.corrected) > mode.corrected_error)) continue;
    if (part(mode) > much && (!worst || part(mode) > part(*worst))) worst = &mode;
  }
  if (worst)
    spectrum.warnings.push_back(fmt::format(
        "the penalty changes eigenvalues by up to {:.2g} % (of {:.3g} rad/s), which the corrected values do not "
        "contain; a larger option 'alpha', or an option 'omega' nearer to the frequencies, changes them less",
        100 * part(*worst), std::abs(worst->corrected)));
}

bool are_values_in_question(const Spectrum& spectrum) {
  return std::any_of(spectrum.reasons.begin(), spectrum.reasons.end(), questions_values);
}

/// No value of a spectrum whose values are in question is called true.
void class_uncertified(Spectrum& spectrum) {
  if (!are_values_in_question(spectrum)) return;
  for (Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine) mode.kind = ModeClass::undecided;
  }
}

std::string first_reason(const Spectrum& spectrum) {
  if (!spectrum.warnings.empty()) return spectrum.warnings.front();
  return spectrum.reasons.empty() ? "their count is not as expected" : to_words(spectrum.reasons.front());
}

/// One line that says why this is the answer of another engine than the first of the plan, which was not certified for
/// that reason.
std::string explanation(const PlannedEngine& given, const PlannedEngine& first, const std::string& reason) {
  const auto name = [](Method method) { return method == Method::rcs ? "RCS" : "MCS"; };
  if (given.lowest_of_all > 0)
    return fmt::format("found by the sparse solver, as all eigenvalues at once are not certain: {}", reason);
  if (given.method != first.method)
    return fmt::format("found by {} ({}), as {} could not certify its answer: {}", name(given.method),
                       to_words(given.engine), name(first.method), reason);
  return {};
}

/// Certified, or uncertified for no other reason than that the proof was not asked for.
bool is_certified(const FoundModes& found) {
  const std::vector<Uncertified>& reasons = found.spectrum.reasons;
  return found.computed &&
         (found.spectrum.certified || (!reasons.empty() && std::all_of(reasons.begin(), reasons.end(), [](auto reason) {
            return reason == Uncertified::not_counted;
          })));
}

}  // namespace

struct ModeFinder::State {
  const LinearSystem& system;
  const AnalysisOptions& options;
  PenaltySystemMaker penalty_system;
  KnownOfSystem* prepared;  ///< null: nothing is known
  SystemStructure structure;
  std::optional<MinimalForm> minimal{};
  double minimal_seconds = 0;
  std::optional<TrueCount> count{};
  std::optional<Spectrum> all_of_minimal{};
  struct Known {  // by the sparse engines, for all methods
    Index most_in_band = 0, lowest_of_all = 0;
    Spectrum spectrum;
  };
  std::vector<Known> known{};
  bool keeps_known = true;  ///< for other methods; where one answer is wanted, it is not kept a second time

  MinimalForm minimal_nearby() const;
  const MinimalForm& minimal_form_of();
  const TrueCount& true_count();
  ModesOptions modes_for(const PlannedEngine& planned) const;
  Known* find_known(const PlannedEngine& planned);
  Spectrum solved_by(const PlannedEngine& planned) const;
  const Spectrum& known_by(const PlannedEngine& planned);
  Spectrum answer_by(const PlannedEngine& planned);
  PenaltySystem penalty(double stiffer) const {
    return penalty_system ? penalty_system(options.penalty, stiffer)
                          : from_matrices_alone(system, options.penalty, stiffer);
  }

  FoundModes by_minimal_form(const PlannedEngine& planned);
  FoundModes by_descriptor_form(const PlannedEngine& planned);
  FoundModes by_penalty_form(const PlannedEngine& planned, double stiffer);
  FoundModes by_penalty_form(const PlannedEngine& planned);
  FoundModes by_sparse_engine(const PlannedEngine& planned);
};

MinimalForm ModeFinder::State::minimal_nearby() const {
  MinimalFormNearby made = minimal_form_nearby(system, prepared->partition);
  prepared->partition = std::move(made.partition);
  return std::move(made.form);
}

const MinimalForm& ModeFinder::State::minimal_form_of() {
  if (!minimal) {
    const Stopwatch forming;
    minimal = prepared ? minimal_nearby() : minimal_form(system, options.minimal);
    minimal_seconds = forming.seconds();
  }
  return *minimal;
}

const TrueCount& ModeFinder::State::true_count() {
  if (!count) count = stillpoint::count_true(system, minimal_form_of());
  return *count;
}

ModesOptions ModeFinder::State::modes_for(const PlannedEngine& planned) const {
  ModesOptions modes = options.modes;
  if (planned.lowest_of_all > 0) modes.which = Lowest{planned.lowest_of_all};
  if (auto* const band = std::get_if<Band>(&modes.which); band && planned.most_in_band > 0)
    band->most = std::min(band->most, planned.most_in_band);
  modes.qz = options.engine == EngineChoice::qz;
  modes.spectra = options.engine == EngineChoice::spectra;
  return modes;
}

ModeFinder::State::Known* ModeFinder::State::find_known(const PlannedEngine& planned) {
  for (Known& entry : known) {
    if (entry.most_in_band == planned.most_in_band && entry.lowest_of_all == planned.lowest_of_all) return &entry;
  }
  return nullptr;
}

Spectrum ModeFinder::State::solved_by(const PlannedEngine& planned) const {
  return solve_some(system, modes_for(planned), structure, prepared);
}

const Spectrum& ModeFinder::State::known_by(const PlannedEngine& planned) {
  if (const Known* const entry = find_known(planned)) return entry->spectrum;
  known.push_back({planned.most_in_band, planned.lowest_of_all, solved_by(planned)});
  return known.back().spectrum;
}

Spectrum ModeFinder::State::answer_by(const PlannedEngine& planned) {
  if (keeps_known || find_known(planned)) return known_by(planned);
  return solved_by(planned);
}

// All eigenvalues are computed, as verdicts need them; those that were asked for are kept.
FoundModes ModeFinder::State::by_minimal_form(const PlannedEngine& planned) {
  const MinimalForm& form = minimal_form_of();
  if (!all_of_minimal) {
    ModesOptions all = modes_for(planned);
    all.which = All{};
    all.least_damped = 0;
    all_of_minimal = prepared ? solve_modes(system, form, all, prepared->problem) : solve_modes(system, form, all);
  }
  FoundModes found;
  found.form_seconds = minimal_seconds;
  found.spectrum = *all_of_minimal;
  keep_selected(found.spectrum, modes_for(planned));
  return found;
}

FoundModes ModeFinder::State::by_descriptor_form(const PlannedEngine& planned) {
  FoundModes found;
  const TrueCount& expected = true_count();
  const Stopwatch forming;
  const DescriptorForm form = descriptor_form(system);
  found.form_seconds = forming.seconds();
  found.spectrum = solve_modes(system, form, expected, modes_for(planned));
  return found;
}

FoundModes ModeFinder::State::by_penalty_form(const PlannedEngine& planned, double stiffer) {
  FoundModes found;
  const PenaltySystem made = penalty(stiffer);
  found.penalty = penalty_of(made);
  const TrueCount& expected = true_count();
  const Stopwatch forming;
  const PenaltyForm form = penalty_form(made.own ? *made.own : system, made.how);
  found.form_seconds = forming.seconds();
  found.spectrum = solve_modes(system, form, expected, modes_for(planned));
  if (!made.without_own.empty()) found.spectrum.warnings.push_back(made.without_own);
  warn_of_compliance(found.spectrum);
  return found;
}

// Constraints that nearly depend on each other are more compliant than each by itself: where the automatic factors
// leave true and spurious values mixed, stiffer ones may not.
FoundModes ModeFinder::State::by_penalty_form(const PlannedEngine& planned) {
  FoundModes found = by_penalty_form(planned, 1);
  if (options.penalty.alpha.size() > 0) return found;
  for (const double stiffer : {1e2, 1e4}) {
    if (found.spectrum.certified) break;
    FoundModes next = by_penalty_form(planned, stiffer);
    if (!next.spectrum.certified) continue;
    next.spectrum.warnings.push_back(fmt::format(
        "the penalty factors are {:g} times the usual ones: with those the constraints were too compliant", stiffer));
    found = std::move(next);
  }
  return found;
}

FoundModes ModeFinder::State::by_sparse_engine(const PlannedEngine& planned) {
  FoundModes found;
  if (planned.method != Method::ucs) {
    found.spectrum = answer_by(planned);
    found.spectrum.method = key_of(planned.method);
    return found;
  }
  const Spectrum& some = known_by(planned);
  PenaltySystem made = penalty(1);
  found.penalty = penalty_of(made);
  found.spectrum = continue_into_penalty(system, made.own, made.how, some);
  if (!made.without_own.empty()) found.spectrum.warnings.push_back(made.without_own);
  warn_of_compliance(found.spectrum);
  found.shares_with = Method::rcs;
  return found;
}

ModeFinder::ModeFinder(const LinearSystem& system, const AnalysisOptions& options, PenaltySystemMaker penalty_system)
    : state_(
          std::make_unique<State>(State{system, options, std::move(penalty_system), nullptr, structure_of(system)})) {
  if (options.modes.asks_for<Unstable>()) state_->structure.known_stable = is_known_stable_by_energy(system);
}

ModeFinder::ModeFinder(const LinearSystem& system, const AnalysisOptions& options, KnownOfSystem& known)
    : ModeFinder(system, options) {
  state_->prepared = &known;
}

ModeFinder::~ModeFinder() = default;

const LinearSystem& ModeFinder::system() const { return state_->system; }
const SystemStructure& ModeFinder::structure() const { return state_->structure; }
const MinimalForm& ModeFinder::minimal() { return state_->minimal_form_of(); }

const Spectrum& ModeFinder::of_mechanism(const FoundModes& found) {
  const State::Known* const entry = state_->find_known(found.planned);
  return entry ? entry->spectrum : found.spectrum;
}

const Spectrum& ModeFinder::all_of_minimal(const FoundModes& found) {
  if (!state_->all_of_minimal) {
    const bool is_complete = found.computed && found.spectrum.method == "mcs" && found.spectrum.kept.empty() &&
                             static_cast<Index>(found.spectrum.modes.size()) >= found.spectrum.expected;
    state_->all_of_minimal =
        is_complete ? found.spectrum : solve_modes(state_->system, state_->minimal_form_of(), ModesOptions{});
  }
  return *state_->all_of_minimal;
}

std::vector<PlannedEngine> ModeFinder::plan_for(Method method) const {
  std::vector<PlannedEngine> engines =
      plan(method, state_->structure, size_of(state_->system), state_->system.singular, state_->options);
  // A band may hold a good part of all modes, which a dense engine finds sooner than a sparse one, one by one.
  constexpr Index good_part = 8;
  if (!state_->options.modes.asks_for<Band>() || engines.size() < 2 || !is_sparse(engines.front().engine) ||
      is_sparse(engines[1].engine) || engines[1].is_fallback)
    return engines;
  PlannedEngine unlimited = engines.front();
  engines.front().most_in_band = std::max<Index>(1, state_->system.dof() / good_part);
  engines.push_back(unlimited);
  return engines;
}

FoundModes ModeFinder::run(const PlannedEngine& planned) {
  FoundModes found = is_sparse(planned.engine)       ? state_->by_sparse_engine(planned)
                     : planned.method == Method::mcs ? state_->by_minimal_form(planned)
                     : planned.method == Method::rcs ? state_->by_descriptor_form(planned)
                                                     : state_->by_penalty_form(planned);
  found.method = planned.method;
  found.structure = state_->structure;
  found.planned = planned;
  found.computed = true;
  return found;
}

FoundModes ModeFinder::find(Method method, bool only_this_method,
                            const std::function<bool(const FoundModes&)>& accepted) {
  std::optional<FoundModes> best;
  std::optional<PlannedEngine> first;
  std::string reason;  // why the answer of the first engine is not certified
  std::exception_ptr failure;
  state_->keeps_known = only_this_method;
  for (const PlannedEngine& planned : plan_for(method)) {
    if (only_this_method && planned.method != method) continue;
    if (planned.is_fallback && best && is_certified(*best)) break;
    if (best && state_->options.modes.deadline.is_over()) break;
    try {
      if (state_->options.modes.progress)
        state_->options.modes.progress(fmt::format("plan: {}: {}", to_words(structure()), to_words(planned)));
      FoundModes found = run(planned);
      const bool is_better = !best || (is_certified(found) && !is_certified(*best)) ||
                             (!is_certified(*best) && !planned.is_fallback && !is_sparse(planned.engine));
      // Who wants no proof wants no second engine for a verdict, either.
      const bool is_done = is_certified(found) && (!accepted || !state_->options.modes.certify || accepted(found));
      if (!first) {
        first = planned;
        if (!is_certified(found)) reason = first_reason(found.spectrum);
      }
      if (is_better || is_done) best = std::move(found);
      if (is_done) break;
    } catch (const Undecided&) {  // the numerics did not get there: another engine may
      if (!failure) failure = std::current_exception();
    } catch (const Error&) {  // a fault of the system or the request, unless it is of a second choice only
      if (!first && !failure) throw;
    }
  }
  if (!best) std::rethrow_exception(failure);
  if (const std::string why = explanation(best->planned, *first, reason); !why.empty())
    best->spectrum.warnings.push_back(why);
  // Verdicts are reached from the values as they were found.
  if (is_sparse(best->planned.engine) && are_values_in_question(best->spectrum) && !state_->find_known(best->planned))
    state_->known.push_back({best->planned.most_in_band, best->planned.lowest_of_all, best->spectrum});
  class_uncertified(best->spectrum);
  return *std::move(best);
}

FoundModes find_modes(const LinearSystem& system, Method method, const AnalysisOptions& options) {
  return ModeFinder(system, options).find(method, false);
}

}  // namespace stillpoint
