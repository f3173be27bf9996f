// The penalty system of large models: its modes, followed from those of the mechanism, are those of the dense solver.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "forms/systems.h"
#include "modes/copies.h"
#include "sanitized.h"
#include "stillpoint/modes.h"
#include <cstdio>

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;

Spectrum known_of(const LinearSystem& system, Index count) {
  const ModesOptions lowest{.all = false, .count = count};
  return is_conservative(system) ? solve_conservative(system, lowest) : solve_general(system, lowest);
}

Spectrum dense_penalty(const LinearSystem& system, const PenaltyOptions& penalty = {}) {
  return solve_modes(system, penalty_form(system, penalty), count_true(system, minimal_form(system)));
}

}  // namespace

TEST_CASE("sparse modes: experiment") {
  for (const NamedSystem& named : all_systems()) {
    const LinearSystem& system = named.system;
    if (system.singular || system.freedom() == 0) continue;
    std::printf("== %s n=%d m=%d\n", named.name.c_str(), static_cast<int>(system.coordinates()), static_cast<int>(system.constraints()));
    try {
    const Spectrum known = known_of(system, 6);
    const Spectrum sparse = follow_into_penalty(system, system, {}, known);
    const Spectrum dense = dense_penalty(system);
    std::printf("   known %d/%d cert %d, sparse %d/%d cert %d, dense cert %d\n", known.found, known.expected, known.certified, sparse.found, sparse.expected, sparse.certified, dense.certified);
    for (auto& w : sparse.warnings) std::printf("   warn %s\n", w.c_str());
    for (auto& w : dense.warnings) std::printf("   dense warn %s\n", w.c_str());
    for (const Mode& mode : sparse.modes) {
      const Mode* best = nullptr;
      for (const Mode& other : dense.modes) if (other.kind == ModeClass::genuine && (!best || std::abs(other.s - mode.s) < std::abs(best->s - mode.s))) best = &other;
      if (!best) continue;
      std::printf("   s %.10g %+.10gi diff %.1e (cond*eps %.1e, sparse cond*eps %.1e) corr diff %.1e bars %.1e %.1e penerr %.2e %.2e berr %.1e %.1e res %.1e %.1e viol %.1e %.1e\n", mode.s.real(), mode.s.imag(), std::abs(mode.s - best->s), best->condition * 2e-16 * std::abs(mode.s), mode.condition*2e-16*std::abs(mode.s), std::abs(mode.corrected - best->corrected), mode.corrected_error, best->corrected_error, mode.penalty_error, best->penalty_error, mode.backward_error, best->backward_error, mode.residual, best->residual, mode.violation, best->violation);
    }
    } catch (const std::exception& e) { std::printf("   threw %s\n", e.what()); }
  }
}
