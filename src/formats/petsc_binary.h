// PETSc's binary files of matrices, index sets and vectors, written and read without PETSc.
//
// All numbers are big-endian: 32-bit integers, 64-bit reals; a complex number is a pair of reals. Source: PETSc 3.18
// manual, MatLoad, VecLoad and ISLoad; petscviewer.h.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The type of PETSc's numbers is fixed when it is compiled: a file of the other one cannot be read by it.
enum class PetscScalarType { real, complex };

/// The bytes of a matrix, row after row, columns ascending in each; entries that are stored as zero are kept.
std::string petsc_matrix(const Eigen::SparseMatrix<double, Eigen::RowMajor, Index>& A, PetscScalarType type);
/// The bytes of a list of indices.
std::string petsc_index_set(const std::vector<Index>& indices);
/// The bytes of the columns as vectors, one after another.
std::string petsc_vectors(const Eigen::MatrixXcd& columns, PetscScalarType type);

/// Reads a file that holds `count` vectors of `size` numbers, and nothing else, as columns. Throws Error with the path
/// and the place in the file: if it is shorter or longer, if a vector has another size, or if a number is not finite.
Eigen::MatrixXcd read_petsc_vectors(const std::string& path, Index size, Index count, PetscScalarType type);

}  // namespace stillpoint
