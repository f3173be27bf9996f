// PETSc's objects and error codes in C++: a failure is an exception with PETSc's own words, and objects are destroyed.
#pragma once

#include <slepceps.h>
#include <slepcpep.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace stillpoint::slepc {

/// What ends the program on all ranks.
class EngineFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws EngineFailure if the call before has failed; `doing` says at what.
inline void check(PetscErrorCode code, const char* doing) {
  if (code == 0) return;
  const char* words = nullptr;
  char* message = nullptr;
  PetscErrorMessage(code, &words, &message);
  std::string text = doing + std::string(": ") + (words ? words : "PETSc fails");
  if (message && *message) text += std::string(" (") + message + ")";
  throw EngineFailure(text);
}

/// An object of PETSc or SLEPc that belongs to this scope.
template <class Handle, PetscErrorCode (*destroy)(Handle*)>
class Owned {
 public:
  Owned() = default;
  ~Owned() { reset(); }
  Owned(Owned&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  void reset() {
    if (handle_) destroy(&handle_);
  }
  Handle get() const { return handle_; }
  Handle* out() {
    reset();
    return &handle_;
  }

 private:
  Handle handle_ = nullptr;
};

using OwnedMatrix = Owned<Mat, MatDestroy>;
using OwnedVector = Owned<Vec, VecDestroy>;
using OwnedIndexSet = Owned<IS, ISDestroy>;
using OwnedViewer = Owned<PetscViewer, PetscViewerDestroy>;

/// Returns a vector for the product with the matrix, of random numbers that are the same in each run.
inline OwnedVector random_vector(Mat A, unsigned long seed) {
  constexpr const char* doing = "no vector can be made";
  OwnedVector vector;
  check(MatCreateVecs(A, vector.out(), nullptr), doing);
  Owned<PetscRandom, PetscRandomDestroy> random;
  check(PetscRandomCreate(PETSC_COMM_WORLD, random.out()), doing);
  check(PetscRandomSetSeed(random.get(), seed), doing);
  check(PetscRandomSeed(random.get()), doing);
  check(VecSetRandom(vector.get(), random.get()), doing);
  return vector;
}

constexpr bool is_complex_build = sizeof(PetscScalar) == 2 * sizeof(PetscReal);

}  // namespace stillpoint::slepc
