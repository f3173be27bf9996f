// What cases/*/expected.json says, and how a spectrum is compared with it. What may stand in that file is told in
// cases/README.md.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "stillpoint/read_model.h"
#include "support/scratch_folder.h"

namespace stillpoint::cases {

using Eigenvalues = std::vector<std::complex<double>>;

struct CaseRun {
  std::string name;  ///< "four_bar --set N=5"
  std::filesystem::path folder;
  Parameters parameters;
  std::string settings;  ///< " --set N=5"
  nlohmann::json expected;
};

inline std::filesystem::path root() { return STILLPOINT_SOURCE_DIR; }

inline std::vector<std::filesystem::path> case_folders() {
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(root() / "cases")) {
    if (entry.is_directory()) folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

inline std::vector<CaseRun> runs_of(const std::filesystem::path& folder) {
  std::vector<CaseRun> runs;
  const auto file = nlohmann::json::parse(content_of(folder / "expected.json"));
  for (const nlohmann::json& expected : file.at("runs")) {
    CaseRun run{"", folder, {}, "", expected};
    for (const auto& [name, value] : expected.at("set").items()) {
      run.parameters.emplace_back(name, value.get<double>());
      run.settings += " --set " + name + "=" + value.dump();
    }
    run.name = folder.filename().string() + run.settings;
    runs.push_back(run);
  }
  return runs;
}

inline void for_each_run(const std::function<void(const CaseRun&)>& check) {
  int runs = 0;
  for (const auto& folder : case_folders()) {
    for (const CaseRun& run : runs_of(folder)) {
      INFO(run.name);
      CHECK_NOTHROW(check(run));
      ++runs;
    }
  }
  CHECK(runs >= 120);
}

inline Eigenvalues eigenvalues_in(const nlohmann::json& pairs) {
  Eigenvalues values;
  for (const nlohmann::json& s : pairs) values.emplace_back(s.at(0).get<double>(), s.at(1).get<double>());
  return values;
}

/// What a run says of its spectrum: all of it, or the lowest only and how many there are.
struct ExpectedSpectrum {
  Eigenvalues values;
  std::size_t count = 0;

  explicit ExpectedSpectrum(const nlohmann::json& expected) {
    const bool is_whole = expected.contains("spectrum");
    values = eigenvalues_in(expected.at(is_whole ? "spectrum" : "lowest"));
    count = is_whole ? values.size() : expected.at("eigenvalues").get<std::size_t>();
  }
  std::size_t zeros() const { return static_cast<std::size_t>(std::count(values.begin(), values.end(), 0.0)); }

  /// As many of what was found, the lowest.
  Eigenvalues comparable(Eigenvalues found) const {
    if (found.size() != count) return found;
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); });
    found.resize(values.size());
    return found;
  }
};

inline std::string listed(const Eigenvalues& values) {
  std::ostringstream text;
  text.precision(15);
  for (const auto& s : values) text << s << ' ';
  return text.str();
}

/// How far eigenvalues are from what is expected.
struct Distances {
  double largest = 0, largest_of_zeros = 0;  ///< 1/s; zeros, which may be multiple, apart

  bool within(double tolerance, double zero_tolerance) const {
    return largest <= tolerance && largest_of_zeros <= zero_tolerance;
  }
};

/// Each expected eigenvalue takes the nearest that is left. Infinite if there are not as many, or not numbers.
inline Distances distances_between(Eigenvalues found, const Eigenvalues& expected) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Distances distances;
  if (found.size() != expected.size()) return {infinity, infinity};
  for (const auto& s : expected) {
    const auto nearest = std::min_element(
        found.begin(), found.end(), [&](const auto& a, const auto& b) { return std::abs(a - s) < std::abs(b - s); });
    const double distance = std::abs(*nearest - s);
    double& largest = s == 0.0 ? distances.largest_of_zeros : distances.largest;
    largest = std::isnan(distance) ? infinity : std::max(largest, distance);
    found.erase(nearest);
  }
  return distances;
}

/// Whether each expected eigenvalue has a partner of its own.
inline bool same_spectrum(const Eigenvalues& found, const Eigenvalues& expected, double tolerance,
                          double zero_tolerance) {
  return distances_between(found, expected).within(tolerance, zero_tolerance);
}

}  // namespace stillpoint::cases
