// The unit of frequency.

#include "algebra/scaling/typical_frequency.h"

#include <doctest/doctest.h>

using namespace stillpoint;
using Eigen::VectorXd;

TEST_CASE("typical frequency: the geometric mean of the frequencies, a power of two") {
  CHECK(typical_frequency(VectorXd{{16}}, VectorXd{{1}}) == 4);
  CHECK(typical_frequency(VectorXd{{1, 256}}, VectorXd{{1, 1}}) == 4);  // of 1 and 16
  CHECK(typical_frequency(VectorXd{{100}}, VectorXd{{1}}) == 8);        // of 8 and 16 the nearer one
  CHECK(typical_frequency(VectorXd{{1}}, VectorXd{{64}}) == 0.125);
}

TEST_CASE("typical frequency: coordinates without mass or stiffness do not count, nor do cancelled ones") {
  CHECK(typical_frequency(VectorXd{{16, 5, 0, 0}}, VectorXd{{1, 0, 7, 0}}) == 4);
  CHECK(typical_frequency(VectorXd{{16, 1e-20, 1}}, VectorXd{{1, 1, 1e-30}}) == 4);
  CHECK(typical_frequency(VectorXd{{0}}, VectorXd{{1}}) == 1);
  CHECK(typical_frequency(VectorXd(0), VectorXd(0)) == 1);
}
