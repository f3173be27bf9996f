// On every case all choices of R find the same eigenvalues, as exactly as their error bars say.
#include <doctest/doctest.h>

#include "forms/systems.h"
#include "modes/random_systems.h"
#include "stillpoint/modes.h"

using namespace stillpoint;

namespace {

const std::vector<Tangent> others{Tangent::projective, Tangent::lu,           Tangent::svd,
                                  Tangent::qr,         Tangent::gram_schmidt, Tangent::zero_eigenvalue,
                                  Tangent::topological};

std::vector<std::complex<double>> values(const Spectrum& spectrum) {
  std::vector<std::complex<double>> all;
  for (const Mode& mode : spectrum.modes) all.push_back(mode.s);
  return all;
}

Spectrum spectrum_by(const LinearSystem& system, Tangent tangent) {
  return solve_modes(system, minimal_form(system, {.tangent = tangent}));
}

}  // namespace

TEST_CASE("modes: all choices of R agree within their error bars on every case") {
  for (const NamedSystem& named : all_systems()) {
    CAPTURE(named.name);
    const Spectrum usual = spectrum_by(named.system, Tangent::partition);
    for (const Tangent tangent : others) {
      if (tangent == Tangent::topological && !named.system.joint_tree) continue;  // matrices only
      CAPTURE(static_cast<int>(tangent));
      const Spectrum other = spectrum_by(named.system, tangent);
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
