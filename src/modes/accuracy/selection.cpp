#include "modes/accuracy/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

bool is_counted(const Mode& mode) { return mode.kind == ModeClass::genuine && !mode.is_infinite(); }

/// Keeps the `count` true modes of least key, where a pair counts once and has one key, and others whose keys lie among
/// them.
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

void keep_band(std::vector<Mode>& modes, const Band& band) {
  std::erase_if(modes, [&](const Mode& mode) {
    const double hertz = std::abs(mode.s) / (2 * std::numbers::pi);
    return !(hertz >= band.from && hertz <= band.to);
  });
}

void keep_unstable(std::vector<Mode>& modes) {
  std::erase_if(modes, [](const Mode& mode) { return mode.is_infinite() || !(mode.s.real() > mode.error); });
}

}  // namespace

void select(std::vector<Mode>& modes, const ModesOptions& options) {
  if (const auto* nearest = options.if_asks_for<Nearest>()) {
    const Complex centre(nearest->point.real(), std::abs(nearest->point.imag()));
    keep_least(modes, nearest->count,
               [&](const Mode& mode) { return std::abs(Complex(mode.s.real(), std::abs(mode.s.imag())) - centre); });
  } else if (const auto* band = options.if_asks_for<Band>()) {
    keep_band(modes, *band);
  } else if (options.asks_for<Unstable>()) {
    keep_unstable(modes);
  } else if (const auto* lowest = options.if_asks_for<Lowest>()) {
    keep_least(modes, lowest->count, [](const Mode& mode) { return std::abs(mode.s); });
  }
  if (options.least_damped > 0) keep_least(modes, options.least_damped, damping_ratio);
}

std::string words_for_selection(const ModesOptions& options) {
  std::string words;
  if (const auto* nearest = options.if_asks_for<Nearest>())
    words = fmt::format("the {} nearest to {:g} {:+g}i", nearest->count, nearest->point.real(), nearest->point.imag());
  else if (const auto* band = options.if_asks_for<Band>())
    words = fmt::format("those from {:g} to {:g} Hz", band->from, band->to);
  else if (options.asks_for<Unstable>()) words = "the unstable ones";
  else if (const auto* lowest = options.if_asks_for<Lowest>(); lowest && options.least_damped > 0)
    words = fmt::format("the {} lowest", lowest->count);
  if (options.least_damped == 0) return words;
  return fmt::format("the {} least damped{}{}", options.least_damped, words.empty() ? "" : " of ", words);
}

std::optional<Index> requested_count(const Which& which) {
  if (const auto* lowest = std::get_if<Lowest>(&which)) return lowest->count;
  if (const auto* nearest = std::get_if<Nearest>(&which)) return nearest->count;
  return {};
}

}  // namespace stillpoint
