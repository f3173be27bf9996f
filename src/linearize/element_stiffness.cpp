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
    : model_(model), context_(model.context(state)), matrices_(Assembly(model).at(state)) {
  matrices_.K.coeffs().setZero();
}

double* ElementStiffnesses::find(Index row, Index column) {
  SparseMatrix& K = matrices_.K;
  const Index* const begin = K.innerIndexPtr() + K.outerIndexPtr()[column];
  const Index* const end = K.innerIndexPtr() + K.outerIndexPtr()[column + 1];
  const Index* const found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? K.valuePtr() + (found - K.innerIndexPtr()) : nullptr;
}

ElementStiffness ElementStiffnesses::of(std::size_t array, Index element, const double* lambda) {
  const ModelArray& of_type = model_.arrays()[array];
  const ElementArrayBase& elements = *of_type.elements;
  ElementStiffness found;
  elements.add_coordinates(context_, element, found.coordinates);
  std::sort(found.coordinates.begin(), found.coordinates.end());
  found.coordinates.erase(std::unique(found.coordinates.begin(), found.coordinates.end()), found.coordinates.end());

  auto& [M, C, K, J, F, G] = matrices_;
  Sinks<ValueSink> sinks{ValueSink(M), ValueSink(C), ValueSink(K), ValueSink(J), ValueSink(F), ValueSink(G)};
  sinks.strains = &found.strains;
  elements.add_values_of(context_, element, lambda, of_type.first_row + element * elements.rows(), sinks);

  const auto size = static_cast<Eigen::Index>(found.coordinates.size());
  found.K.setZero(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    for (Eigen::Index i = 0; i < size; ++i) {
      double* const entry = find(found.coordinates[at(i)], found.coordinates[at(j)]);
      if (!entry) continue;
      found.K(i, j) = *entry;
      *entry = 0;
    }
  }
  return found;
}

}  // namespace stillpoint
