#include "linearize/element_stiffness.h"

#include <algorithm>

#include "base/at.h"

namespace stillpoint {

double ElementStiffness::product(const Eigen::Ref<const Eigen::VectorXcd>& x,
                                 const Eigen::Ref<const Eigen::VectorXcd>& y) const {
  double sum = 0;
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const double k = K(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
      sum += k * (std::conj(x[coordinates[i]]) * y[coordinates[j]]).real();
    }
  }
  std::vector<std::complex<double>> of_x(strains.stiffness.size()), of_y(of_x);
  for (const auto& entry : strains.entries) {
    of_x[at(entry.row())] += entry.value() * x[entry.col()];
    of_y[at(entry.row())] += entry.value() * y[entry.col()];
  }
  for (std::size_t r = 0; r < of_x.size(); ++r) sum += strains.stiffness[r] * (std::conj(of_x[r]) * of_y[r]).real();
  return sum;
}

ElementStiffnesses::ElementStiffnesses(const Model& model, const State& state)
    : model_(model), context_(model.context(state)), scratch_(model.coordinates(), model.coordinates()) {}

// Zeroes a dense block on these coordinates. Other columns may still hold the structure of previous elements; they are
// not read.
void ElementStiffnesses::prepare_scratch(const std::vector<Index>& coordinates) {
  const auto size = static_cast<Index>(coordinates.size());
  if (scratch_.data().size() < size * size) scratch_.resizeNonZeros(size * size);
  for (Index k = 0; k < size; ++k) {
    scratch_.outerIndexPtr()[coordinates[at(k)]] = k * size;
    scratch_.outerIndexPtr()[coordinates[at(k)] + 1] = (k + 1) * size;
    std::copy(coordinates.begin(), coordinates.end(), scratch_.innerIndexPtr() + k * size);
  }
  std::fill_n(scratch_.valuePtr(), size * size, 0.0);
}

ElementStiffness ElementStiffnesses::of(std::size_t array, Index element, const double* lambda) {
  const ModelArray& of_type = model_.arrays()[array];
  const ElementArrayBase& elements = *of_type.elements;
  ElementStiffness found;
  elements.add_coordinates(context_, element, found.coordinates);
  std::sort(found.coordinates.begin(), found.coordinates.end());
  found.coordinates.erase(std::unique(found.coordinates.begin(), found.coordinates.end()), found.coordinates.end());

  prepare_scratch(found.coordinates);
  Sinks<ValueSink> sinks;
  sinks.K = ValueSink(scratch_);  // the other sinks are not used
  sinks.strains = &found.strains;
  elements.add_values(context_, {element, element + 1}, lambda, of_type.first_row + element * elements.rows(), sinks);
  const auto size = static_cast<Eigen::Index>(found.coordinates.size());
  found.K = Eigen::Map<const Eigen::MatrixXd>(scratch_.valuePtr(), size, size);
  return found;
}

}  // namespace stillpoint
