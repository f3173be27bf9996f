#include "modes/mirrored_values.h"

#include <algorithm>
#include <cmath>

#include "algebra/symmetry.h"

namespace stillpoint {

namespace {

bool reaches_axis(const Mode& mode) {
  return !mode.is_infinite() && mode.s.imag() != 0 && mode.s.real() != 0 && std::abs(mode.s.real()) <= mode.error;
}

// The exact value is no farther than the error from s, so its partner from s no farther than three times that.
bool may_be_partner(const Mode& mode, const Mode& other) {
  return !other.is_infinite() && std::abs(other.s - mode.s) <= 3 * mode.error + other.error;
}

}  // namespace

bool keeps_energy(const MinimalForm& form) { return is_symmetric(form.M) && is_symmetric(form.K) && is_skew(form.C); }

void put_on_axis(std::vector<Mode>& modes) {
  std::vector<Mode*> alone;
  for (Mode& mode : modes) {
    const bool has_partner = std::any_of(
        modes.begin(), modes.end(), [&](const Mode& other) { return &other != &mode && may_be_partner(mode, other); });
    if (reaches_axis(mode) && !has_partner) alone.push_back(&mode);
  }
  for (Mode* mode : alone) mode->s.real(0);
}

}  // namespace stillpoint
