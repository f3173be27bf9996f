// Arrays between C++ and NumPy. Those of a linear system are lent: the array in Python has the address of the one in
// C++, cannot be written, and keeps its owner alive. Those of results are moved into the array.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint::python {

/// An array on memory that belongs to `owner`.
template <class Number>
pybind11::array lent(const Number* data, pybind11::ssize_t size, pybind11::handle owner) {
  pybind11::array_t<Number> array({size}, {static_cast<pybind11::ssize_t>(sizeof(Number))}, data, owner);
  array.attr("setflags")(pybind11::arg("write") = false);
  return array;
}

inline pybind11::array lent(const Eigen::VectorXd& vector, pybind11::handle owner) {
  return lent(vector.data(), vector.size(), owner);
}

/// The three arrays of a compressed matrix and its shape: (data, indices, indptr, shape).
inline pybind11::tuple lent(const SparseMatrix& A, pybind11::handle owner) {
  const pybind11::ssize_t entries = A.nonZeros();
  return pybind11::make_tuple(lent(A.valuePtr(), entries, owner), lent(A.innerIndexPtr(), entries, owner),
                              lent(A.outerIndexPtr(), A.cols() + 1, owner), pybind11::make_tuple(A.rows(), A.cols()));
}

/// The names of the first `count` indices.
inline std::vector<std::string> names_of(const NameOf& name, Index count) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) names.push_back(name ? name(i) : std::string());
  return names;
}

}  // namespace stillpoint::python
