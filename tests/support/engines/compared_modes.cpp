#include "support/engines/compared_modes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "engines/answered_modes.h"
#include "stillpoint/error.h"
#include "support/modes/random_systems.h"
#include "support/scratch_folder.h"

namespace stillpoint::testing {

namespace {

ModesOptions random_request(const LinearSystem& system, std::mt19937& random) {
  const auto count = 1 + static_cast<Index>(random() % 4u);
  const double typical = std::sqrt((1 + system.K.diagonal().cwiseAbs().mean()) / (1e-3 + system.M.diagonal().mean()));
  const auto part = [&] { return typical * static_cast<double>(1 + random() % 100u) / 50; };
  switch (random() % 4u) {
    case 0:
      return {.which = Band{0, part() / (2 * std::numbers::pi)}};
    case 1:
      return {.which = Nearest{{0, part()}, count}};
    default:
      return {.which = Lowest{count}};
  }
}

std::string words_for(const ModesOptions& options) {
  if (const auto* band = options.if_asks_for<Band>()) return fmt::format("band to {} Hz", band->to);
  if (const auto* near = options.if_asks_for<Nearest>())
    return fmt::format("{} near {}i", near->count, near->point.imag());
  return fmt::format("lowest {}", options.if_asks_for<Lowest>()->count);
}

void compare(const LinearSystem& system, const ModesOptions& options, const Engine& engine, EngineTally& tally) {
  const std::string who = fmt::format("system {} (n = {}, {} rows, C with {}), {}", tally.drawn, system.coordinates(),
                                      system.constraints(), system.C.nonZeros(), words_for(options));
  try {
    const Spectrum answered = spectrum_by_engine(system, options, engine);
    if (!answered.certified) {
      ++tally.uncertified;
      tally.reasons.push_back(who + ": " + first_warning(answered));
      return;
    }
    const Spectrum serial = solve_some(system, options);
    if (!serial.certified) {
      ++tally.uncertified_serial;
      return;
    }
    ++tally.certified;
    if (const std::string text = difference(serial, answered, options); !text.empty())
      tally.differences.push_back(who + ": " + text);
  } catch (const Error& error) {
    ++tally.refused;
    tally.reasons.push_back(who + ": " + error.what());
  }
}

}  // namespace

Spectrum spectrum_by_engine(const LinearSystem& system, const ModesOptions& options, const Engine& engine) {
  const ScratchFolder scratch;
  const std::string folder = scratch / "request";
  const EngineProblem problem(system, options);
  problem.write(folder);
  engine(folder);
  return spectrum_of_answer(system, problem, read_engine_answer(folder, problem), options);
}

std::string difference(const Spectrum& serial, const Spectrum& other, const ModesOptions& options) {
  if (serial.modes.size() != other.modes.size())
    return fmt::format("{} modes, and {} by the engine", serial.modes.size(), other.modes.size());
  const auto* const nearest_to = options.if_asks_for<Nearest>();
  const std::complex<double> centre = nearest_to ? nearest_to->point : 0;
  const auto farness = [&](const Mode& mode) {
    return std::min(std::abs(mode.s - centre), std::abs(std::conj(mode.s) - centre));
  };
  double farthest = 0;
  for (const Mode& mode : serial.modes) farthest = std::max(farthest, farness(mode));
  std::vector<bool> taken(other.modes.size());
  for (const Mode& mode : serial.modes) {
    std::size_t nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < taken.size(); ++k) {
      const double distance = std::abs(other.modes[k].s - mode.s);
      if (taken[k] || !(distance < least)) continue;
      nearest = k;
      least = distance;
    }
    const Mode& partner = other.modes[nearest];
    const double allowed = mode.error + partner.error + 1e-14 * std::abs(mode.s);  // rounding of the difference
    const bool is_tie =
        std::abs(farness(mode) - farthest) <= allowed && std::abs(farness(partner) - farthest) <= allowed;
    if (!(least <= allowed) && !is_tie)
      return fmt::format("{:.15g} {:+.15g}i differs by {:.2g}, and the bounds allow {:.2g}", mode.s.real(),
                         mode.s.imag(), least, allowed);
    taken[nearest] = true;
  }
  return {};
}

std::string first_warning(const Spectrum& spectrum) {
  return spectrum.warnings.empty() ? "no warning" : spectrum.warnings.front();
}

std::string all_warnings(const Spectrum& spectrum) {
  std::string all;
  for (const std::string& warning : spectrum.warnings) all += warning + "\n";
  return all;
}

EngineTally compare_random_systems(int count, std::mt19937& random, const Engine& engine) {
  EngineTally tally;
  for (; tally.drawn < count; ++tally.drawn) {
    const LinearSystem system = random_system(random_kind(random), random);
    compare(system, random_request(system, random), engine, tally);
  }
  return tally;
}

}  // namespace stillpoint::testing
