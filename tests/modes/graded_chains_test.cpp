// Chains of masses, springs and dampers over many decades, as folders of matrices from elsewhere may hold them: the
// matrices are exact, and no rounding but that of their entries may hide anything.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "base/at.h"
#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/stability.h"
#include "support/equilibrium/campaign.h"
#include "support/modes/graded_chain.h"

using namespace stillpoint;
using namespace stillpoint::testing;

namespace {

using Complex = std::complex<double>;

// Rounding of the entries that may make a stiffness vanish, in parts of the diagonal: what the bounds count with.
constexpr double rounding_of_entries = 32 * std::numeric_limits<double>::epsilon();

/// Assigns roots to modes along alternating paths.
class Assignment {
 public:
  Assignment(const std::vector<Mode>& modes, const std::vector<ExactRoot>& roots)
      : modes_(modes), roots_(roots), mode_of_(roots.size(), none) {}

  bool place(std::size_t mode) {
    seen_.assign(roots_.size(), 0);
    return place_anew(mode);
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  bool covers(std::size_t mode, std::size_t root) const {
    constexpr auto rounding = 4 * static_cast<long double>(std::numeric_limits<double>::epsilon());
    const std::complex<long double> s(modes_[mode].s);
    const auto error = static_cast<long double>(modes_[mode].error);
    return std::abs(roots_[root].s - s) <= error + roots_[root].radius + rounding * std::abs(s);
  }
  bool place_anew(std::size_t mode) {
    for (std::size_t root = 0; root < roots_.size(); ++root) {
      if (seen_[root] || !covers(mode, root)) continue;
      seen_[root] = 1;
      if (mode_of_[root] != none && !place_anew(mode_of_[root])) continue;
      mode_of_[root] = mode;
      return true;
    }
    return false;
  }

  const std::vector<Mode>& modes_;
  const std::vector<ExactRoot>& roots_;
  std::vector<std::size_t> mode_of_;
  std::vector<char> seen_;
};

std::string in_words(const Mode& mode) {
  return fmt::format("s = {:.10g} {:+.10g}i ± {:.2g}", mode.s.real(), mode.s.imag(), mode.error);
}

/// Returns which bound is short or which eigenvalue is missing between those that are listed, or nothing.
std::string wrong_values(const std::vector<ExactRoot>& roots, const std::vector<Mode>& modes) {
  Assignment assignment(modes, roots);
  double farthest = 0;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    farthest = std::max(farthest, std::abs(modes[k].s) - modes[k].error);
    if (assignment.place(k)) continue;
    long double nearest = std::numeric_limits<long double>::infinity();
    for (const ExactRoot& root : roots)
      nearest = std::min(nearest, std::abs(root.s - std::complex<long double>(modes[k].s)));
    return fmt::format("{} is no eigenvalue but another's: the nearest is {:.3g} apart", in_words(modes[k]),
                       static_cast<double>(nearest));
  }
  const auto nearer = std::count_if(roots.begin(), roots.end(), [&](const ExactRoot& root) {
    return std::abs(root.s) + root.radius < static_cast<long double>(farthest);
  });
  if (nearer > static_cast<std::ptrdiff_t>(modes.size()))
    return fmt::format("{} eigenvalues are listed of {}", modes.size(), nearer);
  return {};
}

/// What the exact eigenvalues say about stability.
struct Truth {
  bool any_unstable = false, all_decay = true;
};

Truth truth_of(const GradedChain& chain, const std::vector<ExactRoot>& roots) {
  if (!chain.is_damped()) return {count_below(chain, 0).value_or(0) > 0, false};
  Truth truth;
  for (const ExactRoot& root : roots) {
    if (root.s.real() > root.radius) truth.any_unstable = true;
    if (root.s.real() >= -root.radius) truth.all_decay = false;
  }
  return truth;
}

/// Whether the rounding of the diagonals alone makes the chain unstable: where the sums of springs or dampers were
/// rounded down, the matrices are not quite positive semidefinite.
bool is_unstable_by_rounding(const GradedChain& chain, const std::vector<Complex>& guesses) {
  GradedChain held = chain;
  held.stiffness += rounding_of_entries * chain.stiffness.cwiseAbs();
  held.damping += rounding_of_entries * chain.damping.cwiseAbs();
  const std::optional<std::vector<ExactRoot>> roots = exact_roots(held, guesses);
  REQUIRE(roots);
  return !truth_of(held, *roots).any_unstable;
}

std::string wrong_verdict(const GradedChain& chain, const Verdict& verdict, const Truth& truth,
                          const std::vector<Complex>& guesses) {
  const auto wrong = [&](bool is_right) {
    return is_right ? std::string() : fmt::format("verdict {}: {}", to_words(verdict.stability), verdict.reason);
  };
  // Zeros are what rounding of the entries can make zero.
  const auto stiffer = count_below(chain, 0, rounding_of_entries), softer = count_below(chain, 0, -rounding_of_entries);
  REQUIRE(stiffer);
  REQUIRE(softer);
  switch (verdict.stability) {
    case Stability::unstable:
      return wrong(truth.any_unstable);
    case Stability::asymptotically_stable:
      return wrong(truth.all_decay);
    case Stability::stable:
    case Stability::oscillatory:
      return wrong(!truth.any_unstable || is_unstable_by_rounding(chain, guesses));
    case Stability::neutral:
      return wrong(*stiffer < *softer && *stiffer == 0);
    case Stability::growing:  // no force supplies energy
      return wrong(false);
    case Stability::undecided:
      break;
  }
  return {};
}

std::string as_text(const GradedChain& chain) {
  std::string text;
  const auto add = [&](const char* name, const Eigen::VectorXd& values) {
    text += fmt::format("{} =", name);
    for (const double value : values) text += fmt::format(" {:.17g}", value);
    text += '\n';
  };
  add("mass", chain.mass);
  add("stiffness", chain.stiffness);
  add("beside", chain.coupling_stiffness);
  add("damping", chain.damping);
  add("beside", chain.coupling_damping);
  return text;
}

struct Judged {
  std::string wrong;  ///< empty: nothing
  bool is_decided = false;
};

Judged judged(const GradedChain& chain) {
  const LinearSystem system = system_of(chain);
  const AnalysisOptions options;
  ModeFinder finder(system, options);
  FoundModes found;
  try {
    found = finder.find(Method::mcs, false);
  } catch (const Undecided&) {
    return {};
  }
  if (!found.spectrum.certified) return {};
  const Verdict verdict = judge(finder, found);
  std::vector<Complex> guesses;
  for (const Mode& mode : found.spectrum.modes) guesses.push_back(mode.s);
  const std::optional<std::vector<ExactRoot>> roots = exact_roots(chain, guesses);
  if (!roots) return {"no reference", false};
  Judged result{wrong_values(*roots, found.spectrum.modes), verdict.stability != Stability::undecided};
  if (result.wrong.empty()) result.wrong = wrong_verdict(chain, verdict, truth_of(chain, *roots), guesses);
  if (!result.wrong.empty()) result.wrong += " (" + found.spectrum.method + ", " + found.spectrum.solver + ")";
  return result;
}

}  // namespace

TEST_CASE("modes: of chains over many decades no error bound is short and no verdict wrong") {
  const CampaignSeeds seeds = campaign_seeds(1000, 100'000);
  int decided = 0, wrong = 0;
  for (int seed = seeds.first; seed < seeds.end(); ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const GradedChain chain = random_chain(random);
    const Judged result = judged(chain);
    decided += result.is_decided;
    wrong += !result.wrong.empty();
    CHECK(result.wrong == "");
    if (!result.wrong.empty()) note(fmt::format("seed {}: {}", seed, result.wrong), as_text(chain));
  }
  note(fmt::format("{} chains, {} decided, {} wrong\n", seeds.count, decided, wrong));
  CHECK(decided > seeds.count / 4);
}

// What a campaign of 10⁵ chains found: values of slow motions that were mixed with each other or with free ones, with
// bounds too short for that; zeros of the sparse engines whose coupling was left out; motions that were called free
// because their vector was rounded, or because the search or QZ could not see their stiffness; bounds of zeros with the
// dampers of other motions.
TEST_CASE("modes: chains whose answers were wrong before") {
  for (const std::uint64_t seed :
       {10379U, 10919U, 14128U, 14639U, 16400U,  17845U,  19810U,  40447U,  43220U,  43952U, 47126U,
        48195U, 55105U, 90762U, 98043U, 119293U, 224688U, 234221U, 244650U, 322229U, 386856U}) {
    CAPTURE(seed);
    Random random(seed);
    CHECK(judged(random_chain(random)).wrong == "");
  }
}

// The singular values of K put this motion 0.008 of rounding from zero, and its bound was 1.6e-4 where its stiffness of
// 3e-7, 20 times the rounding of the entries, makes it oscillate with 2.57e-4 rad/s.
TEST_CASE("modes: a motion held by little beside a very stiff spring is not free") {
  GradedChain chain;
  chain.mass = Eigen::VectorXd{{0.73013763748032068, 1.0884019091204988, 1.2390617442550924, 1.0317477504387060,
                                1.1504137756005557, 0.68415783885682813, 1.1530097495065650}};
  chain.stiffness = Eigen::VectorXd{{0.79186813263433464, 4.8214859425398409, 16893410.751663901, 16893406.228364017,
                                     0.29818583390691367, 78.948948617545156, 78.962551113993911}};
  chain.coupling_stiffness = Eigen::VectorXd{{-2.6189710823209394e-07, -4.8214856806427324, -16893405.930178221,
                                              -0.29818579627765435, -3.7629259311861430e-08, -78.948948579915893}};
  chain.damping = Eigen::VectorXd::Zero(7);
  chain.coupling_damping = Eigen::VectorXd::Zero(6);
  const Judged result = judged(chain);
  CHECK(result.wrong == "");
  CHECK(result.is_decided);
}
