#include "algebra/sparse/random_start.h"

#include <random>

namespace stillpoint {

Eigen::VectorXd random_start(Index size, unsigned seed) {
  std::mt19937_64 engine(seed);
  Eigen::VectorXd x(size);
  for (double& value : x) value = static_cast<double>(engine() >> 11) * 0x1p-52 - 1;
  return x;
}

}  // namespace stillpoint
