#include "response/poles.h"

#include "stillpoint/find_modes.h"

namespace stillpoint {

namespace {

constexpr Index lowest = 20;  // number of modes of a large system

}  // namespace

// Where no value is called true, because the whole spectrum is in question, the undecided ones are listed.
std::vector<Plant::Pole> poles_of(const Spectrum& spectrum) {
  for (const ModeClass kind : {ModeClass::genuine, ModeClass::undecided}) {
    std::vector<Plant::Pole> poles;
    for (const Mode& mode : spectrum.modes) {
      if (mode.kind == kind && !mode.is_infinite()) poles.push_back({mode.s, mode.error});
    }
    if (!poles.empty()) return poles;
  }
  return {};
}

Spectrum modes_of(const LinearSystem& system, const MinimalOptions& options) {
  const bool is_small = system.dof() <= few_dof;
  if (!is_small && system.singular) return {};
  AnalysisOptions how{.minimal = options, .modes = {.which = All{.is_required = true}, .certify = false}};
  if (!is_small) how.modes.which = Lowest{lowest};
  return find_modes(system, Method::mcs, how).spectrum;
}

}  // namespace stillpoint
