// The three linearizers on mechanisms that nobody chose, against a reference in long double.
//
// With STILLPOINT_CAMPAIGN set there are 200 000 draws instead of some; STILLPOINT_SEEDS=FIRST:COUNT says which. With
// either, statistics and all failures go to standard output.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/stopwatch.h"
#include "stillpoint/report.h"
#include "support/equilibrium/campaign.h"
#include "support/modes/random_mechanisms.h"
#include "support/modes/reference_spectrum.h"
#include "support/sanitized.h"

using namespace stillpoint;
using namespace stillpoint::testing;

namespace {

constexpr std::array<const char*, 3> method_names{"MCS", "RCS", "UCS"};

// What is not reached yet, as parts of all draws: the aim is none. Of 200 000 draws 0, 3 and 228 spectra were not
// certain of themselves, and said so (docs/benchmarks.md).
constexpr std::array<double, 3> uncertified{0, 1e-4, 0.003};

// A true-called value is somebody else's if it is so far from every true one, relative to that and in error bars.
constexpr double foreign = 1e-2, foreign_bars = 1e3;
// Below that a distance is the rounding of the reference, relative to s.
constexpr double exact = 1e-18;

/// What went wrong by one method, or before there was one.
struct Account {
  int draws = 0, threw = 0, absent = 0, uncertified = 0, wrong_counts = 0, misclassified = 0, differing = 0;
  int values = 0, beyond = 0, draws_beyond = 0, unsettled = 0;
  double worst = 0;                     ///< true error over error bar
  std::vector<double> overestimates{};  ///< error bar over true error
  std::vector<std::string> stories{};

  double median_overestimate() {
    if (overestimates.empty()) return 0;
    const auto middle = overestimates.begin() + static_cast<std::ptrdiff_t>(overestimates.size() / 2);
    std::nth_element(overestimates.begin(), middle, overestimates.end());
    return *middle;
  }
  std::string first_stories() const {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(stories.size(), 12); ++i) text += "\n  " + stories[i];
    return text;
  }
};

struct Tally {
  std::array<Account, 3> methods;
  Account rest;
  double seconds = 0;
};

struct Printed {
  std::complex<double> s;
  double error = 0;
};

/// What is printed as the value and its error bar.
Printed printed(Method method, const Mode& mode) {
  if (method == Method::ucs) return {mode.corrected, mode.corrected_error};
  return {mode.s, mode.error};
}

double distance(const std::complex<double>& s, const ReferenceValue& value) {
  return static_cast<double>(std::abs(std::complex<long double>(s) - value.s));
}

void compare(const MethodReport& report, std::vector<ReferenceValue> expected, const LinearSystem& system,
             const std::string& who, Account& account) {
  bool is_beyond = false;
  std::vector<Mode> modes = report.spectrum.modes;  // the surest first: the vaguest may take what is left
  std::stable_sort(modes.begin(), modes.end(), [&](const Mode& a, const Mode& b) {
    return printed(report.method, a).error < printed(report.method, b).error;
  });
  for (const Mode& mode : modes) {
    if (mode.kind != ModeClass::genuine || expected.empty()) continue;
    const Printed value = printed(report.method, mode);
    const auto nearest = std::min_element(
        expected.begin(), expected.end(),
        [&](const ReferenceValue& a, const ReferenceValue& b) { return distance(value.s, a) < distance(value.s, b); });
    ReferenceValue truth = *nearest;
    expected.erase(nearest);
    if (distance(value.s, truth) > value.error + truth.uncertainty) truth = settled(system, truth).value_or(truth);
    const double off = distance(value.s, truth), size = static_cast<double>(std::abs(truth.s));
    const double unsure = truth.uncertainty;
    if (mode.s == 0.0 && size == 0 && off == 0) continue;
    ++account.values;
    if (unsure > value.error && off <= 100 * unsure) {  // the reference itself is not good enough here
      ++account.unsettled;
      account.stories.push_back(fmt::format("{}: {:.6g}{:+.6g}i ± {:.1e} is known to {:.1e} only", who, value.s.real(),
                                            value.s.imag(), value.error, unsure));
      continue;
    }
    const bool is_foreign = off > foreign * size && off > foreign_bars * value.error;
    if (is_foreign) ++account.misclassified;
    const double overestimate = value.error / std::max(off, exact * size);
    if (std::isfinite(overestimate)) account.overestimates.push_back(overestimate);
    if (off <= value.error + unsure) continue;  // what is not a number is beyond
    ++account.beyond;
    is_beyond = true;
    account.worst = std::max(account.worst, off / value.error);
    account.stories.push_back(fmt::format("{}: {:.12g}{:+.12g}i ± {:.1e} is off by {:.1e}{}", who, value.s.real(),
                                          value.s.imag(), value.error, off, is_foreign ? ", foreign" : ""));
  }
  account.draws_beyond += is_beyond ? 1 : 0;
}

void judge_method(const MethodReport& report, const std::optional<Differences>& differences,
                  const RandomMechanism& mechanism, const std::vector<ReferenceValue>& expected,
                  const LinearSystem& system, const std::string& who, Account& account) {
  ++account.draws;
  if (!report.computed) {
    ++account.absent;
    account.stories.push_back(fmt::format("{}: not computed: {}", who, report.why_not));
    return;
  }
  const Spectrum& spectrum = report.spectrum;
  if (spectrum.expected != mechanism.eigenvalues || spectrum.found != mechanism.eigenvalues ||
      spectrum.at_zero != mechanism.at_zero) {
    account.wrong_counts += spectrum.certified;  // otherwise it is said
    account.stories.push_back(fmt::format("{}: {} eigenvalues ({} zero) exist; {} expected, {} found, {} zero", who,
                                          mechanism.eigenvalues, mechanism.at_zero, spectrum.expected, spectrum.found,
                                          spectrum.at_zero));
  }
  if (!spectrum.certified) {
    ++account.uncertified;
    account.stories.push_back(fmt::format("{}: uncertified: {}", who,
                                          spectrum.warnings.empty() ? "no reason given" : spectrum.warnings.back()));
  }
  if (differences && !differences->within_error_bounds) {
    account.differing += spectrum.certified;
    account.stories.push_back(
        fmt::format("{}: differs from MCS by {:.1e}", who,
                    report.method == Method::ucs ? differences->largest_corrected : differences->largest));
  }
  compare(report, expected, system, who, account);
}

void judge_rest(const Equilibrium& rest, const RandomMechanism& mechanism, const std::string& who, Account& account) {
  ++account.draws;
  const ConfigurationType kind = mechanism.redundant > 0 ? ConfigurationType::redundant : ConfigurationType::regular;
  const bool is_counted = rest.dof == mechanism.dof && rest.redundant_equations == mechanism.redundant;
  if (!is_counted) ++account.wrong_counts;
  if (rest.kind != kind) ++account.misclassified;
  if (is_counted && rest.kind == kind) return;
  account.stories.push_back(fmt::format("{}: freedom {} and redundant {} said, {} and {} are; kind {}, not {}", who,
                                        rest.dof, rest.redundant_equations, mechanism.dof, mechanism.redundant,
                                        static_cast<int>(rest.kind), static_cast<int>(kind)));
}

void draw(std::uint64_t seed, Tally& tally) {
  const RandomMechanism mechanism = random_mechanism(seed);
  const std::string who = fmt::format("seed {} (n = {}, freedom {}: {})", seed, mechanism.model.coordinates(),
                                      mechanism.dof, mechanism.steps);
  try {
    const Equilibrium rest = find_equilibrium(mechanism.model, mechanism.state, {.rest = EquilibriumRequest::check});
    judge_rest(rest, mechanism, who, tally.rest);
    AnalysisCase analysis{linearize(mechanism.model, rest), mechanism.model, rest};
    analysis.system.perturbed.clear();  // the reference is of these matrices: bars without what other positions add
    const std::vector<ReferenceValue> expected =
        reference_spectrum(analysis.system, mechanism.eigenvalues, mechanism.at_zero);
    const Comparison comparison = compare_methods(analysis);
    for (std::size_t k = 0; k < 3; ++k) {
      judge_method(comparison.methods[k], comparison.differences[k], mechanism, expected, analysis.system, who,
                   tally.methods[k]);
    }
  } catch (const std::exception& error) {
    ++tally.rest.threw;
    tally.rest.stories.push_back(fmt::format("{}: threw: {}", who, error.what()));
  }
}

void print(Tally& tally, const CampaignSeeds& seeds) {
  fmt::print("seeds {} to {}, {:.1f} s, {:.1f} ms each; threw {}\n", seeds.first, seeds.end() - 1, tally.seconds,
             1e3 * tally.seconds / static_cast<double>(seeds.count), tally.rest.threw);
  fmt::print("rest: {} wrong counts, {} of a wrong kind\n", tally.rest.wrong_counts, tally.rest.misclassified);
  for (std::size_t k = 0; k < 3; ++k) {
    Account& of = tally.methods[k];
    fmt::print(
        "{}: {} values in {} spectra; beyond bars {} in {} draws, worst {:.3g} bars; median bar {:.3g} true errors; "
        "{} uncertified, {} wrong counts, {} misclassified, {} not computed, {} spectra differ from MCS; "
        "{} the reference does not settle\n",
        method_names[k], of.values, of.draws, of.beyond, of.draws_beyond, of.worst, of.median_overestimate(),
        of.uncertified, of.wrong_counts, of.misclassified, of.absent, of.differing, of.unsettled);
  }
  for (const std::string& story : tally.rest.stories) fmt::print("{}\n", story);
  for (std::size_t k = 0; k < 3; ++k) {
    for (const std::string& story : tally.methods[k].stories) fmt::print("{} {}\n", method_names[k], story);
  }
}

}  // namespace

TEST_CASE("modes: random mechanisms have the eigenvalues of the reference by all three methods, within error bars") {
  const CampaignSeeds seeds = campaign_seeds(draws(2000, 150), 200'000);
  const auto at_most = [&](double part) {
    return static_cast<int>(std::ceil(part * static_cast<double>(seeds.count)));
  };
  const Stopwatch watch;
  Tally tally;
  for (int seed = seeds.first; seed < seeds.end(); ++seed) draw(static_cast<std::uint64_t>(seed), tally);
  tally.seconds = watch.seconds();
  if (seeds.are_chosen || is_campaign()) print(tally, seeds);

  const std::string rest_stories = tally.rest.first_stories();
  CAPTURE(rest_stories);
  CHECK(tally.rest.threw == 0);
  CHECK(tally.rest.wrong_counts == 0);
  CHECK(tally.rest.misclassified == 0);
  for (std::size_t k = 0; k < 3; ++k) {
    Account& account = tally.methods[k];
    const std::string method = method_names[k], stories = account.first_stories();
    CAPTURE(method);
    CAPTURE(stories);
    CHECK(account.misclassified == 0);
    CHECK(account.beyond == 0);
    CHECK(account.wrong_counts == 0);
    CHECK(account.absent == 0);
    CHECK(account.uncertified <= at_most(uncertified[k]));
    CHECK(account.differing == 0);
    CHECK(account.median_overestimate() <= 100);
    CHECK(account.unsettled <= std::max(account.values / 100, 10));
  }
}

TEST_CASE("modes: where rounding hides whether a motion has mass, MCS doubts its count and does not fail") {
  const RandomMechanism mechanism = random_mechanism(152904);
  const Equilibrium rest = find_equilibrium(mechanism.model, mechanism.state, {.rest = EquilibriumRequest::check});
  const LinearSystem system = linearize(mechanism.model, rest);
  const Spectrum spectrum = solve_modes(system, minimal_form(system));
  for (const Mode& mode : spectrum.modes) CHECK(std::isfinite(std::abs(mode.s)));
  CHECK((!spectrum.certified || spectrum.found == mechanism.eigenvalues));
}
