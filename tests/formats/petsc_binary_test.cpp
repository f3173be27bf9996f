// PETSc's binary files: the bytes are as PETSc documents them, and a file that is not one is refused with its place.
#include "formats/petsc_binary.h"

#include <doctest/doctest.h>

#include "stillpoint/error.h"
#include "support/error_texts.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

std::string error_of(const std::string& path, Index size, Index count, PetscScalarType type) {
  try {
    read_petsc_vectors(path, size, count, type);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Eigen::MatrixXcd two_vectors() {
  Eigen::MatrixXcd columns(3, 2);
  columns << std::complex<double>(1, -2), 0.5, std::complex<double>(0, 3), -7, 1e-300, std::complex<double>(2, 2);
  return columns;
}

}  // namespace

TEST_CASE("a matrix is a header, the lengths of its rows, its columns, and its values, all big-endian") {
  Eigen::SparseMatrix<double, Eigen::RowMajor, Index> A(2, 3);
  A.insert(0, 2) = 1.5;
  A.insert(1, 0) = 0;  // stored zeros stay
  A.makeCompressed();
  const std::string bytes = petsc_matrix(A, PetscScalarType::real);
  const std::string expected(
      "\x00\x12\x7b\x50"  // 1211216
      "\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x02"
      "\x00\x00\x00\x01\x00\x00\x00\x01"
      "\x00\x00\x00\x02\x00\x00\x00\x00"
      "\x3f\xf8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
      48);
  CHECK(bytes == expected);
  const std::string pairs = petsc_matrix(A, PetscScalarType::complex);
  CHECK(pairs == expected.substr(0, 32) + expected.substr(32, 8) + std::string(8, '\0') + std::string(16, '\0'));
}

TEST_CASE("a list of indices has its own mark") {
  CHECK(petsc_index_set({1, 258}) ==
        std::string("\x00\x12\x7b\x52\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x01\x02", 16));
}

TEST_CASE("vectors come back as they were written") {
  const ScratchFolder folder;
  const std::string path = folder.write("v.petsc", petsc_vectors(two_vectors(), PetscScalarType::complex));
  CHECK(read_petsc_vectors(path, 3, 2, PetscScalarType::complex) == two_vectors());
  const std::string real = folder.write("r.petsc", petsc_vectors(two_vectors(), PetscScalarType::real));
  CHECK(read_petsc_vectors(real, 3, 2, PetscScalarType::real) == two_vectors().real().cast<std::complex<double>>());
}

TEST_CASE("a file of vectors that is not what the answer names is refused with the place in it") {
  const ScratchFolder folder;
  const std::string whole = petsc_vectors(two_vectors(), PetscScalarType::real);
  const auto refused = [&](const std::string& bytes, Index size, Index count) {
    return error_of(folder.write("v.petsc", bytes), size, count, PetscScalarType::real);
  };
  CHECK_MESSAGE(contains(refused(whole.substr(0, 50), 3, 2), "v.petsc: ends at byte 48, where a number"),
                refused(whole.substr(0, 50), 3, 2));
  CHECK(contains(refused(whole + "x", 3, 2), "goes on after byte 64"));
  CHECK(contains(refused(whole, 3, 1), "goes on after byte 32"));
  CHECK(contains(refused(whole, 4, 2), "byte 4: vector 1 has 3 numbers, and 4 are needed"));
  CHECK(contains(refused(std::string(4, '\0') + whole.substr(4), 3, 2), "should begin with 1211214"));
  std::string spoiled = whole;
  spoiled.replace(8, 8, std::string("\x7f\xf8\0\0\0\0\0\0", 8));
  CHECK(contains(refused(spoiled, 3, 2), "number 1 of vector 1, before byte 16, is not finite"));
  CHECK(contains(error_of(folder / "none", 3, 2, PetscScalarType::real), "none"));
  // What the complex program has written is no answer of the real one.
  CHECK(contains(refused(petsc_vectors(two_vectors(), PetscScalarType::complex), 3, 2), "byte"));
}
