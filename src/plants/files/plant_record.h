// The content of a plant file in every format but Modelica: a record of named entries, as described in docs/control.md.
#pragma once

#include <complex>
#include <string>
#include <variant>
#include <vector>

#include "stillpoint/plant.h"

namespace stillpoint {

/// A matrix of the plant; `full` if it is stored with all its zeros.
struct PlantMatrix {
  const SparseMatrix* matrix = nullptr;
  bool full = false;
};

struct PlantEntry;
using PlantRecord = std::vector<PlantEntry>;

using Texts = std::vector<std::string>;
using PlantResponse = std::vector<Eigen::MatrixXcd>;  ///< one matrix for each frequency
using PlantValue = std::variant<double, std::string, Texts, Eigen::VectorXd, Eigen::VectorXcd, PlantMatrix,
                                PlantResponse, PlantRecord>;

struct PlantEntry {
  std::string name;
  PlantValue value;
};

/// Makes the record. All texts are UTF-8. The record refers to the matrices of the plant, which must outlive it.
PlantRecord plant_record(const Plant& plant);

/// Returns "state-space", "descriptor", ...
const char* to_word(PlantForm form);

/// The dimensions of a response; zero if the response is empty.
struct ResponseSize {
  Eigen::Index outputs = 0, inputs = 0;
};
ResponseSize size_of(const PlantResponse& response);

/// Returns the matrix with all its zeros. Throws Error if it is too large.
Eigen::MatrixXd full_matrix(const PlantMatrix& matrix);

/// A visitor of a variant with one function for each kind of value.
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

}  // namespace stillpoint
