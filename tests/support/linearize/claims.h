// What the tests of this stage have in common.
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/read_model.h"
#include "support/error_texts.h"

namespace stillpoint {

inline Model model_of_case(const std::string& name, const Parameters& parameters = {}) {
  return read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, parameters);
}

inline std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(STILLPOINT_SOURCE_DIR "/cases")) {
    if (std::filesystem::exists(entry.path() / "model.yaml")) names.push_back(entry.path().filename().string());
  }
  return names;
}

/// The four-bar lying flat: gravity pulls along it, and it can fold in two ways.
inline Model flat_four_bar() {
  return model_of_case("four_bar", {{"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}});
}

inline Equilibrium nearest_rest(const Model& model) {
  return find_equilibrium(model, {.rest = EquilibriumRequest::nearest});
}

inline Index coordinate_called(const Model& model, const std::string& name) {
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (model.coordinate_name(i) == name) return i;
  }
  throw std::invalid_argument("no coordinate " + name);
}

/// Pattern and bits.
inline bool are_identical(const SparseMatrix& A, const SparseMatrix& B) {
  const auto same = [](const auto* a, const auto* b, Eigen::Index count) {
    return count == 0 || std::memcmp(a, b, static_cast<std::size_t>(count) * sizeof *a) == 0;
  };
  return A.rows() == B.rows() && A.cols() == B.cols() && A.nonZeros() == B.nonZeros() &&
         same(A.outerIndexPtr(), B.outerIndexPtr(), A.cols() + 1) &&
         same(A.innerIndexPtr(), B.innerIndexPtr(), A.nonZeros()) && same(A.valuePtr(), B.valuePtr(), A.nonZeros());
}

}  // namespace stillpoint
