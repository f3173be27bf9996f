#include "cli/mode_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

#include "base/at.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

constexpr int most_modes = 1'000'000;
constexpr double largest_request = 1e50;  // 1/s or Hz: squares and their products stay finite

constexpr Index small = 2000;  // of 2n + m: all eigenvalues are of interest
constexpr Index lowest_for_damping = 100;
constexpr Index nearest_among = 10'000;  // names that are compared when one is not known

const std::map<std::string, Tangent> tangents{{"partition", Tangent::partition},
                                              {"projective", Tangent::projective},
                                              {"lu", Tangent::lu},
                                              {"svd", Tangent::svd},
                                              {"qr", Tangent::qr},
                                              {"gram_schmidt", Tangent::gram_schmidt},
                                              {"zero_eigenvalue", Tangent::zero_eigenvalue},
                                              {"topological", Tangent::topological}};

std::vector<std::string> tangent_words() {
  std::vector<std::string> words;
  for (const auto& [word, tangent] : tangents) words.push_back(word);
  return words;
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

bool passes_as_stable(const Verdict& verdict) {
  return verdict.stability == Stability::stable || verdict.stability == Stability::asymptotically_stable;
}

/// The largest that its error bar allows; 0 for what cannot be told from zero.
double largest_damping_ratio(const Mode& mode) {
  const double size = std::abs(mode.s), error = std::isnan(mode.error) ? 0 : mode.error;
  return size > error ? damping_ratio(mode) + error / size : 0;
}

bool is_judged(const Mode& mode) { return mode.kind != ModeClass::spurious && !mode.is_infinite(); }

void append_judged(const Spectrum& spectrum, std::vector<Mode>& to) {
  std::copy_if(spectrum.modes.begin(), spectrum.modes.end(), std::back_inserter(to), is_judged);
}

// Which modes; each of these says it in a way of its own, but for `--near` and `--least-damped`, which go with others.
void add_request_options(CLI::App& verb, ModeOptions& options) {
  CLI::Option* const all = verb.add_flag("--all", options.all, "every eigenvalue, whatever the size");
  CLI::Option* const count =
      verb.add_option("--count", options.count,
                      "the so many lowest modes, a conjugate pair counts once (small systems: all, otherwise 20)")
          ->check(CLI::Range(1, most_modes))
          ->excludes(all);
  CLI::Option* const band = verb.add_option("--band", options.band, "instead: all modes with |s|/2π in a band (Hz)")
                                ->type_name("FROM,TO")
                                ->expected(2)
                                ->delimiter(',')
                                ->check(CLI::NonNegativeNumber)
                                ->excludes(all)
                                ->excludes(count);
  CLI::Option* const near =
      verb.add_option("--near", options.near, "instead of the lowest: those nearest to RE + IM i (rad/s)")
          ->type_name("RE,IM")
          ->expected(2)
          ->delimiter(',')
          ->excludes(all)
          ->excludes(band);
  verb.add_flag("--unstable", options.unstable, "instead: all that grow, Re s > 0")
      ->excludes(all)
      ->excludes(count)
      ->excludes(band)
      ->excludes(near);
  verb.add_option("--least-damped", options.least_damped,
                  "only the so many of least damping ratio, of those above (large systems: of the 100 lowest)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, most_modes));
}

}  // namespace

void add_mode_options(CLI::App& verb, ModeOptions& options) {
  add_model_options(verb, options);
  add_system_options(verb, options);
  add_request_options(verb, options);
  verb.add_option("--solver", options.solver, "dense or qz: all eigenvalues; sparse: some of a system of any size")
      ->check(CLI::IsMember({"auto", "dense", "qz", "sparse"}));
  verb.add_flag("--uncounted", options.uncounted,
                "sparse, damped: do not prove that no mode is missing, which takes longer than to find them");
  verb.add_flag("--spurious", options.spurious, "also the eigenvalues that belong to the method only");
  verb.add_flag("--shapes", options.shapes, "with --json: shapes, participation and energy of each mode");
  verb.add_flag("--all-coordinates", options.all_coordinates, "with --json: also those beyond the first 200");
  add_assert_options(verb, options);
  add_basis_options(verb, options);
  add_penalty_options(verb, options);
}

void add_assert_options(CLI::App& verb, ModeOptions& options) {
  verb.add_flag("--assert-stable", options.assert_stable, "exit with 6 unless it is stable");
  verb.add_option("--assert-min-damping", options.assert_min_damping,
                  "exit with 6 if the damping ratio of a mode is less, beyond its error bar")
      ->type_name("RATIO")
      ->check(CLI::Range(-1.0, 1.0));
}

void add_basis_options(CLI::App& verb, ModeOptions& options) {
  verb.add_option("--tangent", options.tangent, "MCS: how the independent velocities are chosen")
      ->check(CLI::IsMember(tangent_words()));
  verb.add_option("--independent", options.independent, "MCS: the independent coordinates, by name")
      ->type_name("NAME,...");
}

void add_penalty_options(CLI::App& verb, ModeOptions& options) {
  verb.add_option("--alpha", options.alpha, "UCS: the penalty factor (automatic otherwise)");
  verb.add_option("--xi", options.xi, "UCS: damping ratio of the constraints");
  verb.add_option("--omega", options.omega,
                  "UCS: frequency of the constraints (rad/s; automatic otherwise, 10 beside --alpha)");
}

Subject load_subject(const ModeOptions& options) {
  LoadedSystem loaded = load_system(options);
  return {std::move(loaded.system), std::move(loaded.model), std::move(loaded.rest), loaded.read_seconds,
          loaded.linearize_seconds};
}

ReportOptions report_options(const ModeOptions& options, const LinearSystem& system) {
  ReportOptions how;
  how.minimal.tangent = tangents.at(options.tangent);
  if (!options.independent.empty()) {
    if (how.minimal.tangent != Tangent::partition) {
      throw Error(fmt::format("--independent names the coordinates of a partition; --tangent {} finds its own",
                              options.tangent));
    }
    how.minimal.independent = coordinates_called(system, split_names(options.independent));
  }
  if (options.solver == "sparse" && (how.minimal.tangent != Tangent::partition || !options.independent.empty()))
    throw Error("--tangent and --independent choose a basis for the dense solvers; --solver sparse needs none");
  if (options.alpha) how.penalty.alpha = Eigen::VectorXd::Constant(1, *options.alpha);
  how.penalty.xi = options.xi;
  how.penalty.omega = options.omega;
  const std::int64_t order = 2 * std::int64_t{system.coordinates()} + system.constraints();
  // No mode may be left out of what is asserted of them, unless the user has said which ones count.
  const bool is_told = options.count || !options.near.empty() || options.unstable || !options.band.empty();
  const bool needs_all = options.all || (!is_told && options.assert_min_damping);
  how.modes.all = needs_all || (!is_told && order <= small);
  if (options.count) how.modes.count = *options.count;
  else if (options.least_damped) how.modes.count = lowest_for_damping;
  how.modes.least_damped = options.least_damped.value_or(0);
  how.modes.growing = options.unstable;
  for (const auto& [name, values] : {std::pair{"--near", &options.near}, std::pair{"--band", &options.band}}) {
    for (const double value : *values) {
      if (!(std::abs(value) <= largest_request))
        throw Error(fmt::format("{}: {} is not a number of at most {:g}", name, value, largest_request));
    }
  }
  if (!options.near.empty()) how.modes.near = {options.near[0], options.near[1]};
  how.modes.certify = !options.uncounted;
  how.solver = options.solver == "sparse"              ? Solver::sparse
               : options.solver != "auto" || needs_all ? Solver::dense
                                                       : Solver::automatic;
  if (!options.band.empty()) {
    if (!(options.band[0] < options.band[1])) {
      throw Error(
          fmt::format("--band {},{}: the first frequency must be below the second", options.band[0], options.band[1]));
    }
    how.modes.all = true;
    how.modes.band = {options.band[0], options.band[1]};
  }
  return how;
}

void require_its_method(const ModeOptions& options, std::string_view method) {
  const ModeOptions usual;
  const bool has_basis = options.tangent != usual.tangent || !options.independent.empty();
  if (has_basis && method != "mcs") throw Error("--tangent and --independent belong to --method mcs");
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

void warn(const ModeOptions& options, const std::vector<std::string>& warnings) {
  if (options.quiet || (!options.json && options.output.empty())) return;
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
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
  if (options.assert_stable && !passes_as_stable(verdict)) {
    fmt::print(stderr, "--assert-stable: the verdict is '{}'\n", to_words(verdict.stability));
    throw CLI::RuntimeError(check_failed);
  }
  if (!options.assert_min_damping) return;
  const auto worst = std::min_element(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) {
    return largest_damping_ratio(a) < largest_damping_ratio(b);
  });
  if (worst == modes.end() || largest_damping_ratio(*worst) >= *options.assert_min_damping) return;
  fmt::print(
      stderr,
      "--assert-min-damping {:g}: the mode with s = {:.6g} {} {:.6g}i, {:.6g} Hz, has a damping ratio of {:.3g}\n",
      *options.assert_min_damping, worst->s.real(), worst->s.imag() < 0 ? "-" : "+", std::abs(worst->s.imag()),
      frequency(*worst), worst->s == 0.0 ? 0.0 : damping_ratio(*worst) + 0.0);
  throw CLI::RuntimeError(check_failed);
}

void conclude(const ModeOptions& options, bool is_certified, const Verdict& verdict, const std::vector<Mode>& modes) {
  if (!is_certified && !options.uncounted) {
    fmt::print(stderr,
               "not certified: the count of eigenvalues, the gap between true and spurious ones and their "
               "constraint violations do not agree\n");
    throw CLI::RuntimeError(numerics_failed);
  }
  require_asserted(options, verdict, modes);
}

}  // namespace stillpoint::cli
