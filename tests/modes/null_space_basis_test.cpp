// On every case all choices of R find the same eigenvalues, as exactly as their error bars say.
#include <doctest/doctest.h>

#include "stillpoint/modes.h"
#include "support/forms/systems.h"
#include "support/modes/random_systems.h"

using namespace stillpoint;

namespace {

const std::vector<NullSpaceBasis> others{NullSpaceBasis::projective,   NullSpaceBasis::lu,
                                         NullSpaceBasis::svd,          NullSpaceBasis::qr,
                                         NullSpaceBasis::gram_schmidt, NullSpaceBasis::zero_eigenvalue,
                                         NullSpaceBasis::topological};

std::vector<std::complex<double>> values(const Spectrum& spectrum) {
  std::vector<std::complex<double>> all;
  for (const Mode& mode : spectrum.modes) all.push_back(mode.s);
  return all;
}

Spectrum spectrum_by(const LinearSystem& system, NullSpaceBasis basis) {
  return solve_modes(system, minimal_form(system, {.basis = basis}));
}

}  // namespace

TEST_CASE("modes: all choices of R agree within their error bars on every case") {
  for (const NamedSystem& named : all_systems()) {
    CAPTURE(named.name);
    const Spectrum usual = spectrum_by(named.system, NullSpaceBasis::partition);
    for (const NullSpaceBasis basis : others) {
      if (basis == NullSpaceBasis::topological && !named.system.joint_tree) continue;  // matrices only
      CAPTURE(static_cast<int>(basis));
      const Spectrum other = spectrum_by(named.system, basis);
      CHECK(other.certified);
      CHECK(other.at_zero == usual.at_zero);
      REQUIRE(other.modes.size() == usual.modes.size());
      const std::vector<testing::Match> matches = testing::match(values(other), values(usual));
      for (std::size_t i = 0; i < matches.size(); ++i) {
        const Mode &a = other.modes[i], &b = usual.modes[matches[i].expected];
        CHECK_MESSAGE(matches[i].distance <= a.error + b.error, a.s.real() << " " << a.s.imag() << "i is off by "
                                                                           << matches[i].distance << ", bars "
                                                                           << a.error << " and " << b.error);
      }
    }
  }
}
