#include "algebra/dense/lapack_outcome.h"

#include <fmt/format.h>

#include "stillpoint/error.h"

namespace stillpoint {

void throw_not_converged(const char* routine, Eigen::Index order, int info) {
  throw Undecided(
      fmt::format("LAPACK's {} did not converge for a matrix of order {} (info = {})", routine, order, info));
}

void throw_not_finite(const char* routine, Eigen::Index order, const char* which) {
  throw Undecided(
      fmt::format("numbers {} LAPACK's {} (order {}) are beyond the range of double precision; units in which masses, "
                  "stiffnesses and damping are of similar size may help",
                  which, routine, order));
}

}  // namespace stillpoint
