// Derivatives of eigenvalues with respect to parameters, against closed forms and differences of the whole chain.
#include "stillpoint/mode_rates.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;

ModelFamily family_of(const std::string& name, const Parameters& settings = {}) {
  return ModelFamily(std::string(STILLPOINT_SOURCE_DIR) + "/cases/" + name, settings);
}

struct Rates {
  SystemRates system;
  std::vector<Mode> modes;
  std::vector<ModeRate> of_modes;
};

Rates rates_of(const ModelFamily& family, const std::string& name) {
  const Equilibrium rest = find_equilibrium(family.at());
  const LinearSystem system = linearize(family.at(), rest);
  Rates rates{system_rates(parameter_of(family, name), rest, {.frozen = true}), find_modes(system).spectrum.modes, {}};
  rates.of_modes = ModeDifferentiator(system, rates.modes).rates(rates.system);
  return rates;
}

}  // namespace

// Closed forms of the four-bar linkage in 40 digits; with the equilibrium frozen, most of them are wrong by 30 % and
// more, that of k even in its sign.
TEST_CASE("mode rates: of the four-bar linkage agree with the closed forms") {
  struct Expected {
    const char* parameter;
    double ds, dphi;
  };
  for (const Expected& expected : {Expected{"k", -0.080019336404, -0.0628762261},
                                   {"l0", -8.966948040845, -2.9231186280},
                                   {"m", 2.0004834101, 1.5719056531},
                                   {"l", 9.606857803107, 2.5620083550}}) {
    CAPTURE(expected.parameter);
    const Rates rates = rates_of(family_of("four_bar"), expected.parameter);
    const Eigen::Index phi = rates.system.q.size() - 1;
    CHECK(rates.system.q[phi] == doctest::Approx(expected.dphi).epsilon(1e-9));
    CHECK(rates.of_modes[0].s.imag() == doctest::Approx(expected.ds).epsilon(1e-10));
    CHECK(std::abs(rates.of_modes[0].s.real()) < 1e-12);
    CHECK(std::abs(rates.of_modes[0].frozen - rates.of_modes[0].s) > 0.3 * std::abs(expected.ds));
    CHECK(rates.of_modes[0].error < 1e-9);
  }
}
