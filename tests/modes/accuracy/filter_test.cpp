// The filter of spurious eigenvalues, on failures that are made up.

#include "modes/accuracy/filter.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/error_texts.h"

using namespace stillpoint;

namespace {

constexpr double rounding = 1e-10;  // the floor
constexpr ModeClass genuine = ModeClass::genuine, spurious = ModeClass::spurious, undecided = ModeClass::undecided;

std::vector<Failure> failures(const std::vector<double>& values) {
  std::vector<Failure> result;
  for (const double value : values) result.push_back({value});
  return result;
}

}  // namespace

TEST_CASE("filter: those that fail least are true, as many as must exist, in any order") {
  const Separation found = separate(failures({1, 1e-9, 0.8, 3e-8, 0}), 3, rounding);
  CHECK(found.agrees);
  CHECK(found.kinds == std::vector{spurious, genuine, spurious, genuine, genuine});
  CHECK(found.by_count == found.kinds);
  CHECK(found.margin == doctest::Approx(0.8 / 3e-8));
}

TEST_CASE("filter: where all are true, or none, nothing is to be separated") {
  const Separation all = separate(failures({1e-9, 0.5}), 2, rounding);
  CHECK(all.agrees);
  CHECK(all.kinds == std::vector{genuine, genuine});
  CHECK(std::isnan(all.margin));
  const Separation none = separate(failures({0.9, 1}), 0, rounding);
  CHECK(none.agrees);
  CHECK(none.kinds == std::vector{spurious, spurious});
}

TEST_CASE("filter: fewer candidates than must exist contradict the count") {
  const Separation found = separate(failures({0, 0}), 3, rounding);
  CHECK(!found.agrees);
  CHECK(contains(found.disagreement, "3 eigenvalues must exist, but only 2 are finite"));
}

TEST_CASE("filter: where both sets fail alike the classes of those beside the border are undecided") {
  const Separation found = separate(failures({1e-9, 0.02, 0.05, 1}), 2, rounding);
  CHECK(!found.agrees);
  CHECK(found.margin == doctest::Approx(2.5));
  CHECK(found.by_count == std::vector{genuine, genuine, spurious, spurious});
  CHECK(found.kinds == std::vector{genuine, undecided, undecided, spurious});
  CHECK(contains(found.disagreement, "2 eigenvalues must exist"));
  CHECK(contains(found.disagreement, "the largest gap is after 1"));
}

TEST_CASE("filter: a true one that violates the constraints by more than a tenth is undecided") {
  const Separation found = separate(failures({1e-9, 0.2, 50}), 2, rounding);
  CHECK(!found.agrees);
  CHECK(found.kinds == std::vector{genuine, undecided, spurious});
}

TEST_CASE("filter: a gap elsewhere that is wider than that of the count contradicts it") {
  const Separation found = separate(failures({1e-9, 1e-3, 0.05, 0.9}), 2, rounding);  // 10⁶, 50, 18
  CHECK(!found.agrees);
  CHECK(contains(found.disagreement, "the largest gap is after 1"));
  CHECK(found.kinds == found.by_count);  // the margin itself is wide enough
}

TEST_CASE("filter: failures below the floor count as equal, and then tie breakers decide, if they differ enough") {
  const std::vector<Failure> clear{{1e-12, 5}, {1e-11, 1e-3}, {1e-13, 2e-3}};
  const Separation found = separate(clear, 2, rounding);
  CHECK(found.agrees);
  CHECK(found.kinds == std::vector{spurious, genuine, genuine});
  CHECK(found.margin == doctest::Approx(2500));
  const std::vector<Failure> alike{{3e-11, 5}, {5e-11, 1}, {2e-11, 0.1}};
  const Separation unclear = separate(alike, 2, rounding);
  CHECK(!unclear.agrees);
  CHECK(unclear.margin == 1);
  CHECK(unclear.kinds == std::vector{undecided, undecided, undecided});
}

TEST_CASE("filter: a disagreement makes the spectrum uncertified, with its words") {
  Spectrum spectrum;
  report(separate(failures({1e-9, 0.8}), 1, rounding), spectrum);
  CHECK(spectrum.certified);
  CHECK(spectrum.margin == doctest::Approx(8e8));
  report(separate(failures({0.05, 0.06}), 1, rounding), spectrum);
  CHECK(!spectrum.certified);
  CHECK(spectrum.reasons == std::vector{Uncertified::classes_disagree});
  REQUIRE(!spectrum.warnings.empty());
  CHECK(contains(spectrum.warnings.back(), "1 eigenvalues must exist"));
}
