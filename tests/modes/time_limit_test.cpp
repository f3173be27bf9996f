// A time limit: the sparse engines end with what they know, say so, and claim no more.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "stillpoint/error.h"
#include "stillpoint/modes.h"
#include "support/modes/damped_row.h"

using namespace stillpoint;

namespace {

Deadline over() { return Deadline(Deadline::Clock::now()); }

bool is_out_of_time(const Spectrum& spectrum) {
  return std::count(spectrum.reasons.begin(), spectrum.reasons.end(), Uncertified::out_of_time) == 1;
}

/// Options whose time is over as soon as one of the words of progress satisfies a condition.
ModesOptions until_told(Index count, const std::function<bool(const std::string&)>& is_told) {
  const auto soon = Deadline::Clock::now() + std::chrono::milliseconds(4000);
  return {.which = Lowest{count},
          .progress =
              [=](const std::string& text) {
                if (is_told(text)) std::this_thread::sleep_until(soon);
              },
          .deadline = Deadline(soon)};
}

/// How many modes of one spectrum are in the other, within the bounds of both.
std::size_t shared(const Spectrum& part, const Spectrum& whole) {
  return static_cast<std::size_t>(std::count_if(part.modes.begin(), part.modes.end(), [&](const Mode& mode) {
    return std::any_of(whole.modes.begin(), whole.modes.end(),
                       [&](const Mode& other) { return std::abs(other.s - mode.s) <= other.error + mode.error; });
  }));
}

}  // namespace

TEST_CASE("time limit: what an undamped search has found is the lowest part of the answer, and is said to be a part") {
  const LinearSystem row = damped_row(3000, 0, 0);
  const Spectrum whole = solve_conservative(row, {.which = Lowest{30}});
  REQUIRE(whole.certified);
  const auto has_some = [](const std::string& text) { return std::atoi(text.c_str()) > 1; };  // "8 of 30 eigenvalues"
  const Spectrum part = solve_conservative(row, until_told(30, has_some));
  CHECK(!part.certified);
  CHECK(is_out_of_time(part));
  REQUIRE(!part.modes.empty());
  CHECK(part.modes.size() < whole.modes.size());
  CHECK(shared(part, whole) == part.modes.size());
  CHECK(std::abs(part.modes.back().s - whole.modes[part.modes.size() - 1].s) <= part.modes.back().error);
}

TEST_CASE("time limit: an undamped search that has found nothing says that") {
  // Before the first view nothing is known, and at the first one nothing has converged.
  try {
    const Spectrum part = solve_conservative(damped_row(3000, 0, 0), {.which = Lowest{60}, .deadline = over()});
    CHECK(!part.certified);
    CHECK(is_out_of_time(part));
  } catch (const Undecided& error) {
    CHECK(std::string(error.what()) == "the time limit was reached before a mode was found");
  }
}

TEST_CASE("time limit: without time for the count the modes are there, uncounted") {
  const LinearSystem row = damped_row(300, 0.5, 0.4, 0.05);
  const Spectrum whole = solve_general(row, {.which = Lowest{5}});
  REQUIRE(whole.certified);
  const Spectrum part =
      solve_general(row, until_told(5, [](const std::string& text) { return text.starts_with("counting"); }));
  CHECK(!part.certified);
  CHECK(is_out_of_time(part));
  CHECK(part.modes.size() == whole.modes.size());
  CHECK(shared(part, whole) == part.modes.size());
  REQUIRE(!part.warnings.empty());
  CHECK(part.warnings.front().find("time limit") != std::string::npos);
}

TEST_CASE("time limit: one that is over at once leaves what converged, or nothing, and nobody waits") {
  const LinearSystem row = damped_row(3000, 0.5, 0.4, 0.05);
  const Spectrum part = solve_general(row, {.which = Lowest{5}, .deadline = over()});
  CHECK(!part.certified);
  CHECK(is_out_of_time(part));
}

TEST_CASE("time limit: time enough changes nothing") {
  const LinearSystem row = damped_row(300, 0.5, 0.4, 0.05);
  const Spectrum free = solve_general(row, {.which = Lowest{5}});
  const Spectrum limited = solve_general(row, {.which = Lowest{5}, .deadline = Deadline::after(1e6)});
  REQUIRE(free.modes.size() == limited.modes.size());
  for (std::size_t k = 0; k < free.modes.size(); ++k) CHECK(free.modes[k].s == limited.modes[k].s);
  CHECK(limited.certified);
  CHECK(!Deadline::after(1e300).is_over());
}

TEST_CASE("time limit: a count tells how far it is and what is left") {
  std::set<std::string> told;
  const LinearSystem row = damped_row(300, 0.5, 0.4, 0.05);
  solve_general(row, {.which = Lowest{5}, .progress = [&](const std::string& text) { told.insert(text); }});
  CHECK(std::any_of(told.begin(), told.end(), [](const std::string& text) {
    return text.find("counting: ") == 0 && text.find(" % of the edge, about ") != std::string::npos;
  }));
}
