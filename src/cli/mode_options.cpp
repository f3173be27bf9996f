#include "cli/mode_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

#include "base/at.h"
#include "cli/option_groups.h"
#include "modes/request_words.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

constexpr int most_modes = 1'000'000;
constexpr double largest_request = 1e50;  // 1/s or Hz: squares and their products stay finite

constexpr Index nearest_among = 10'000;  // names that are compared when one is not known

const std::map<std::string, NullSpaceBasis> bases(basis_words.begin(), basis_words.end());
const std::map<std::string, EngineChoice> engines(engine_words.begin(), engine_words.end());

template <class Value>
std::vector<std::string> keys_of(const std::map<std::string, Value>& words) {
  std::vector<std::string> keys;
  for (const auto& [word, value] : words) keys.push_back(word);
  return keys;
}

std::vector<Index> coordinates_called(const LinearSystem& system, const std::vector<std::string>& names) {
  std::unordered_map<std::string, std::size_t> wanted;
  for (std::size_t k = 0; k < names.size(); ++k) wanted.emplace(names[k], k);
  std::vector<Index> found(names.size(), -1);
  std::size_t open = wanted.size();
  for (Index i = 0; i < system.coordinates() && open > 0; ++i) {
    const auto name = wanted.find(system.coordinate_name(i));
    if (name == wanted.end()) continue;
    found[name->second] = i;
    --open;
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (wanted.at(names[k]) != k) throw Error(fmt::format("--independent: '{}' is there twice", names[k]));
    if (found[k] >= 0) continue;
    std::vector<std::string> known;
    for (Index i = 0; i < std::min(system.coordinates(), nearest_among); ++i)
      known.push_back(system.coordinate_name(i));
    throw Error(fmt::format("--independent: there is no coordinate '{}'{}", names[k], did_you_mean(names[k], known)));
  }
  return found;
}

/// The largest that its error bound allows; 0 for what cannot be told from zero.
double largest_damping_ratio(const Mode& mode) {
  const double size = std::abs(mode.s), error = std::isnan(mode.error) ? 0 : mode.error;
  return size > error ? damping_ratio(mode) + error / size : 0;
}

bool is_judged(const Mode& mode) { return mode.kind != ModeClass::spurious && !mode.is_infinite(); }

// Their vectors are not needed, which are long where the system is large.
void append_judged(const Spectrum& spectrum, std::vector<Mode>& to) {
  for (const Mode& mode : spectrum.modes) {
    if (!is_judged(mode)) continue;
    Mode judged = mode;
    judged.shape = {};
    judged.left = {};
    to.push_back(std::move(judged));
  }
}

// Which modes: each option excludes the others, but for `--near` with `--count` and for the filter `--least-damped`.
void add_request_options(CLI::App& verb, ModeOptions& options) {
  CLI::Option* const all = verb.add_flag("--all", options.all, "find every eigenvalue, whatever the size of the system")
                               ->group(group::which_modes);
  CLI::Option* const count =
      verb.add_option(
              "--count", options.count,
              "find this many of the lowest modes; a conjugate pair counts once (default: all of small systems, "
              "20 of others)")
          ->check(CLI::Range(1, most_modes))
          ->excludes(all)
          ->group(group::which_modes);
  CLI::Option* const band =
      verb.add_option("--band", options.band, "find all modes with |s|/2π between two frequencies (Hz)")
          ->type_name("FROM,TO")
          ->expected(2)
          ->delimiter(',')
          ->check(CLI::NonNegativeNumber)
          ->excludes(all)
          ->excludes(count)
          ->group(group::which_modes);
  CLI::Option* const near =
      verb.add_option("--near", options.near, "find the modes nearest to the point RE + IM i (rad/s), not the lowest")
          ->type_name("RE,IM")
          ->expected(2)
          ->delimiter(',')
          ->excludes(all)
          ->excludes(band)
          ->group(group::which_modes);
  verb.add_flag("--unstable", options.unstable, "find all unstable modes, Re s > 0")
      ->excludes(all)
      ->excludes(count)
      ->excludes(band)
      ->excludes(near)
      ->group(group::which_modes);
  verb.add_option("--least-damped", options.least_damped,
                  "of the modes that were asked for, keep this many with the least damping ratios (large systems: of "
                  "the 100 lowest)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, most_modes))
      ->group(group::which_modes);
  verb.add_flag("--spurious", options.spurious, "list the spurious eigenvalues of the method, too")
      ->group(group::which_modes);
}

void add_engine_options(CLI::App& verb, ModeOptions& options) {
  std::vector<std::string> words = keys_of(engines);
  words.insert(words.end(), options.other_programs.begin(), options.other_programs.end());
  std::string help =
      "auto: by the structure, the request and the size of the system; dense: all eigenvalues of the form; qz: the "
      "same "
      "by QZ; sparse: Krylov methods; spectra: Lanczos' method of the library Spectra, for undamped systems";
  if (!options.other_programs.empty()) help += "; slepc: a program of its own under MPI, docs/engines.md";
  const auto add = [&](const char* name) {
    return verb.add_option(name, options.engine, help)->check(CLI::IsMember(words));
  };
  CLI::Option* const engine = add("--engine")->group(group::engine);
  add("--solver")->group("")->excludes(engine);  // its name up to version 0.1
  verb.add_flag("--uncounted", options.uncounted,
                "do not prove that no mode is missing; for large damped systems the proof takes longer than the search")
      ->group(group::engine);
  verb.add_option_function<double>(
          "--time-limit", [&options](double seconds) { options.deadline = Deadline::after(seconds); },
          "after SECONDS end the search and the count of a sparse engine with the modes that are known by then, not "
          "certified (a dense engine is not interrupted)")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber)
      ->group(group::engine);
}

void require_finite_requests(const ModeOptions& options) {
  for (const auto& [name, values] : {std::pair{"--near", &options.near}, std::pair{"--band", &options.band}}) {
    for (const double value : *values) {
      if (!(std::abs(value) <= largest_request))
        throw Error(fmt::format("{}: {} is not a number of at most {:g}", name, value, largest_request));
    }
  }
}

Which requested(const ModeOptions& options, bool needs_all, bool is_small) {
  if (!options.band.empty()) {
    if (!(options.band[0] < options.band[1])) {
      throw Error(
          fmt::format("--band {},{}: the first frequency must be below the second", options.band[0], options.band[1]));
    }
    return Band{options.band[0], options.band[1]};
  }
  const Index usual = options.least_damped ? lowest_for_damping : Lowest{}.count, count = options.count.value_or(usual);
  if (!options.near.empty()) return Nearest{{options.near[0], options.near[1]}, count};
  if (options.unstable) return Unstable{};
  if (needs_all || is_small) return All{.is_required = needs_all};
  return Lowest{count};
}

}  // namespace

void add_mode_options(CLI::App& verb, ModeOptions& options) {
  add_model_options(verb, options);
  add_system_options(verb, options);
  add_request_options(verb, options);
  add_engine_options(verb, options);
  verb.add_flag("--shapes", options.shapes, "with --json: shapes, participation and energy of each mode")
      ->group(group::output);
  verb.add_flag("--all-coordinates", options.all_coordinates, "with --json: also those beyond the first 200")
      ->group(group::output);
  add_assert_options(verb, options);
  add_basis_options(verb, options);
  add_penalty_options(verb, options);
}

void add_assert_options(CLI::App& verb, ModeOptions& options) {
  verb.add_flag("--assert-stable", options.assert_stable, "end with exit code 6 unless the equilibrium is stable")
      ->group(group::checks);
  verb.add_option("--assert-min-damping", options.assert_min_damping,
                  "end with exit code 6 if a damping ratio is below RATIO by more than its error bound")
      ->group(group::checks)
      ->type_name("RATIO")
      ->check(CLI::Range(-1.0, 1.0));
}

void add_basis_options(CLI::App& verb, ModeOptions& options) {
  const auto add_basis = [&](const char* name) {
    return verb
        .add_option(name, options.basis,
                    "MCS: how the basis of the constraint null space is found; partition: by "
                    "independent coordinates")
        ->check(CLI::IsMember(keys_of(bases)));
  };
  CLI::Option* const basis = add_basis("--basis")->group(group::method);
  add_basis("--tangent")->group("")->excludes(basis);  // its name up to version 0.1
  verb.add_option("--independent", options.independent, "MCS: the independent coordinates, by name")
      ->type_name("NAME,...")
      ->group(group::method);
}

void add_penalty_options(CLI::App& verb, ModeOptions& options) {
  verb.add_option("--alpha", options.alpha, "UCS: penalty factor (default: chosen for each constraint)")
      ->group(group::method);
  verb.add_option("--xi", options.xi, "UCS: damping ratio of the constraints (default: 1)")->group(group::method);
  verb.add_option("--omega", options.omega,
                  "UCS: natural frequency of the constraints, rad/s (default: automatic; 10 with --alpha)")
      ->group(group::method);
}

ModesOptions modes_options(const ModeOptions& options, const LinearSystem& system) {
  const std::int64_t order = 2 * std::int64_t{system.coordinates()} + system.constraints();
  // No mode may be left out of what is asserted of them, unless the user has said which ones count.
  const bool is_told = options.count || !options.near.empty() || options.unstable || !options.band.empty();
  const bool needs_all = options.all || (!is_told && options.assert_min_damping);
  ModesOptions modes;
  modes.least_damped = options.least_damped.value_or(0);
  require_finite_requests(options);
  modes.which = requested(options, needs_all, !is_told && order <= lists_all_up_to);
  modes.certify = !options.uncounted;
  modes.deadline = options.deadline;
  return modes;
}

AnalysisOptions analysis_options(const ModeOptions& options, const LinearSystem& system) {
  AnalysisOptions how;
  how.minimal.basis = bases.at(options.basis);
  if (!options.independent.empty()) {
    if (how.minimal.basis != NullSpaceBasis::partition) {
      throw Error(
          fmt::format("--independent names the coordinates of a partition; --basis {} finds its own", options.basis));
    }
    how.minimal.independent = coordinates_called(system, split_names(options.independent));
  }
  if ((options.engine == "sparse" || options.engine == "spectra") &&
      (how.minimal.basis != NullSpaceBasis::partition || !options.independent.empty()))
    throw Error(fmt::format("--basis and --independent choose a basis for the dense engines; --engine {} needs none",
                            options.engine));
  if (options.alpha) how.penalty.alpha = Eigen::VectorXd::Constant(1, *options.alpha);
  how.penalty.xi = options.xi;
  how.penalty.omega = options.omega;
  how.modes = modes_options(options, system);
  how.engine = engines.at(options.engine);
  return how;
}

void require_its_method(const ModeOptions& options, std::string_view method) {
  const ModeOptions usual;
  const bool has_basis = options.basis != usual.basis || !options.independent.empty();
  if (has_basis && method != "mcs") throw Error("--basis and --independent belong to --method mcs");
  const bool has_penalty = options.alpha || options.xi != usual.xi || options.omega;
  if (has_penalty && method != "ucs") throw Error("--alpha, --xi and --omega belong to --method ucs");
}

PrintOptions print_options(const ModeOptions& options) {
  return {.shapes = options.shapes, .all_coordinates = options.all_coordinates, .spurious = options.spurious};
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names(1);
  bool in_brackets = false;
  for (const char c : text) {
    if (c == '[') in_brackets = true;
    if (c == ']') in_brackets = false;
    if (c == ',' && !in_brackets) names.emplace_back();
    else if (c != ' ') names.back() += c;
  }
  return names;
}

std::vector<Mode> judged_modes(const ModesReport& report) {
  std::vector<Mode> modes;
  if (report.branches.empty()) append_judged(report.result.spectrum, modes);
  for (const BranchReport& branch : report.branches) append_judged(branch.spectrum, modes);
  return modes;
}

std::vector<Mode> judged_modes(const Comparison& comparison) {
  std::vector<Mode> modes;
  const auto first = std::find_if(comparison.methods.begin(), comparison.methods.end(),
                                  [](const MethodReport& method) { return method.computed; });
  if (comparison.branches.empty() && first != comparison.methods.end()) append_judged(first->spectrum, modes);
  for (const BranchReport& branch : comparison.branches) append_judged(branch.spectrum, modes);
  return modes;
}

void require_asserted(const ModeOptions& options, const Verdict& verdict, const std::vector<Mode>& modes) {
  if (options.assert_stable && !passes_as_stable(to_words(verdict.stability))) {
    print_message(fmt::format("--assert-stable: the verdict is '{}'", to_words(verdict.stability)));
    throw CLI::RuntimeError(check_failed);
  }
  if (!options.assert_min_damping) return;
  const auto worst = std::min_element(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) {
    return largest_damping_ratio(a) < largest_damping_ratio(b);
  });
  if (worst == modes.end() || largest_damping_ratio(*worst) >= *options.assert_min_damping) return;
  print_message(fmt::format(
      "--assert-min-damping {:g}: the mode with s = {:.6g} {} {:.6g}i, {:.6g} Hz, has a damping ratio of {:.3g}",
      *options.assert_min_damping, worst->s.real(), worst->s.imag() < 0 ? "-" : "+", std::abs(worst->s.imag()),
      frequency(*worst), worst->s == 0.0 ? 0.0 : damping_ratio(*worst) + 0.0));
  throw CLI::RuntimeError(check_failed);
}

void conclude(const ModeOptions& options, bool is_certified, const Verdict& verdict, const std::vector<Mode>& modes) {
  if (!is_certified && !options.uncounted) {
    print_message(options.deadline.is_over()
                      ? "not certified: the time limit was reached"
                      : "not certified: the count of eigenvalues, the gap between true and spurious ones and their "
                        "constraint violations do not agree");
    throw CLI::RuntimeError(numerics_failed);
  }
  require_asserted(options, verdict, modes);
}

}  // namespace stillpoint::cli
