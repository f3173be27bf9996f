#include "modes/selection.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

bool is_counted(const Mode& mode) { return mode.kind == ModeClass::genuine && !mode.is_infinite(); }

/// The so many genuine ones of least key, a pair counts once; of the others what lies among them. Both of a pair have
/// one key.
template <class Key>
void keep_least(std::vector<Mode>& modes, Index count, const Key& key) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (is_counted(modes[i]) && modes[i].s.imag() >= 0) order.push_back(i);
  }
  if (order.size() <= at(count)) return;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(modes[a]) < key(modes[b]); });
  order.resize(at(count));
  const double last = order.empty() ? -1 : key(modes[order.back()]);
  std::vector<bool> is_kept(modes.size());
  for (const std::size_t i : order) {
    is_kept[i] = true;
    if (modes[i].s.imag() > 0 && i + 1 < modes.size() && modes[i + 1].s.imag() < 0) is_kept[i + 1] = true;
  }
  std::vector<Mode> kept;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const bool lies_among = !is_counted(modes[i]) && !modes[i].is_infinite() && key(modes[i]) <= last;
    if (is_kept[i] || lies_among) kept.push_back(std::move(modes[i]));
  }
  modes = std::move(kept);
}

void keep_band(std::vector<Mode>& modes, const ModesOptions::Band& band) {
  std::erase_if(modes, [&](const Mode& mode) {
    const double hertz = std::abs(mode.s) / (2 * std::numbers::pi);
    return !(hertz >= band.from && hertz <= band.to);
  });
}

void keep_growing(std::vector<Mode>& modes) {
  std::erase_if(modes, [](const Mode& mode) { return mode.is_infinite() || !(mode.s.real() > mode.error); });
}

}  // namespace

void select(std::vector<Mode>& modes, const ModesOptions& options) {
  if (options.near) {
    const Complex centre(options.near->real(), std::abs(options.near->imag()));
    keep_least(modes, options.count,
               [&](const Mode& mode) { return std::abs(Complex(mode.s.real(), std::abs(mode.s.imag())) - centre); });
  } else if (options.band) {
    keep_band(modes, *options.band);
  } else if (options.growing) {
    keep_growing(modes);
  } else if (!options.all) {
    keep_least(modes, options.count, [](const Mode& mode) { return std::abs(mode.s); });
  }
  if (options.least_damped > 0) keep_least(modes, options.least_damped, damping_ratio);
}

}  // namespace stillpoint
