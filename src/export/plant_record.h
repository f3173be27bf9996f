// What is told of a plant in every format but Modelica: entries with a name. Docs: docs/control.md.
#pragma once

#include <complex>
#include <string>
#include <variant>
#include <vector>

#include "stillpoint/plant.h"

namespace stillpoint {

/// A matrix of the plant; `full` if readers want to have it with all its zeros.
struct PlantMatrix {
  const SparseMatrix* matrix = nullptr;
  bool full = false;
};

struct PlantEntry;
using PlantRecord = std::vector<PlantEntry>;

using Texts = std::vector<std::string>;
using PlantResponse = std::vector<Eigen::MatrixXcd>;  ///< one matrix for each frequency
using PlantValue =
    std::variant<std::string, Texts, Eigen::VectorXd, Eigen::VectorXcd, PlantMatrix, PlantResponse, PlantRecord>;

struct PlantEntry {
  std::string name;
  PlantValue value;
};

/// All texts are UTF-8. Refers to the matrices of the plant, which must outlive it.
PlantRecord plant_record(const Plant& plant);

/// "state-space", "descriptor", ...
const char* to_word(PlantForm form);

/// outputs × inputs, whether or not there is a response.
struct ResponseSize {
  Eigen::Index outputs = 0, inputs = 0;
};
ResponseSize size_of(const PlantResponse& response);

/// With all its zeros. Throws Error if there are too many of them.
Eigen::MatrixXd full_matrix(const PlantMatrix& matrix);

/// For a variant: one function for each kind of value.
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace stillpoint
