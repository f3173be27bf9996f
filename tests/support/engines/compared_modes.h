// Modes by an engine beside those of the serial engine.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "stillpoint/modes.h"

namespace stillpoint::testing {

/// Answers the request in a folder.
using Engine = std::function<void(const std::string& folder)>;

Spectrum spectrum_by_engine(const LinearSystem& system, const ModesOptions& options, const Engine& engine);

/// In words how two certified spectra differ: by the number of their modes, or by an eigenvalue beyond the sum of the
/// error bounds. Empty: not at all. Of values that are equally far from what was asked for, the last ones may be
/// others.
std::string difference(const Spectrum& serial, const Spectrum& other, const ModesOptions& options);

std::string first_warning(const Spectrum& spectrum);
std::string all_warnings(const Spectrum& spectrum);

struct EngineTally {
  int drawn = 0, certified = 0, uncertified = 0, uncertified_serial = 0, refused = 0;
  std::vector<std::string> differences, reasons;
};
/// Random systems of all kinds with requests of all kinds.
EngineTally compare_random_systems(int count, std::mt19937& random, const Engine& engine);

}  // namespace stillpoint::testing
