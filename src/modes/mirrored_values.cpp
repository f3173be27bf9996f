#include "modes/mirrored_values.h"

#include <algorithm>
#include <cmath>

namespace stillpoint {

namespace {

Summed symmetric_part(const Summed& A) {
  return {(A.value + A.value.transpose()) / 2, (A.size + A.size.transpose()) / 2};
}

bool reaches_axis(const Mode& mode) {
  return !mode.is_infinite() && mode.s.imag() != 0 && mode.s.real() != 0 && std::abs(mode.s.real()) <= mode.error;
}

// The exact value is no farther than the error from s, so its partner from s no farther than three times that.
bool may_be_partner(const Mode& mode, const Mode& other) {
  return !other.is_infinite() && std::abs(other.s - mode.s) <= 3 * mode.error + other.error;
}

}  // namespace

bool keeps_energy(const Quadratic& P) { return is_symmetric(P.M) && is_symmetric(P.K) && is_zero(symmetric_part(P.C)); }

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
