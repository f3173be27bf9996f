// The engine of SLEPc on 1, 2 and 3 ranks beside the serial engine: eigenvalues within the error bounds, counts and
// verdict words. Sizes are small; with STILLPOINT_LARGE_ENGINE_CASES set they are those of 10⁵ unknowns.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "engines/answered_modes.h"
#include "stability/judge_answer.h"
#include "stillpoint/error.h"
#include "support/engines/compared_modes.h"
#include "support/forms/systems.h"
#include "support/modes/copies.h"
#include "support/modes/random_systems.h"
#include "support/scratch_folder.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

bool is_large() { return std::getenv("STILLPOINT_LARGE_ENGINE_CASES") != nullptr; }

using Entries = std::vector<Eigen::Triplet<double, Index>>;

SparseMatrix matrix_of(Index rows, Index columns, const Entries& entries) {
  SparseMatrix A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

void add_spring(Entries& to, Index i, Index j, double k) {
  to.emplace_back(i, i, k);
  to.emplace_back(j, j, k);
  to.emplace_back(i, j, -k);
  to.emplace_back(j, i, -k);
}

/// Masses and springs in a row; held at both ends, or free.
LinearSystem chain(Index n, bool is_free) {
  Entries K;
  for (Index i = 0; i + 1 < n; ++i) add_spring(K, i, i + 1, 1);
  for (const Index end : {Index{0}, n - 1}) K.emplace_back(end, end, is_free ? 0 : 1);
  LinearSystem system;
  system.K = matrix_of(n, n, K);
  system.M.resize(n, n);
  system.M.setIdentity();
  return checked(std::move(system));
}

/// Masses with two coordinates each on a grid, stiffer along their springs than across, with pins that allow one
/// direction, and dampers along the springs.
LinearSystem pinned_grid(Index side, double damping) {
  std::mt19937 random(1);
  const Index points = side * side, pins = std::max<Index>(1, points / 40);
  Entries K, C, J;
  for (Index p = 0; p < points; ++p) {
    for (const Index step : {Index{1}, side}) {
      if (step == 1 ? (p + 1) % side == 0 : p + side >= points) continue;
      const double along = 1, across = 0.1;
      add_spring(K, 2 * p, 2 * (p + step), step == 1 ? along : across);
      add_spring(K, 2 * p + 1, 2 * (p + step) + 1, step == 1 ? across : along);
      add_spring(C, 2 * p + (step == 1 ? 0 : 1), 2 * (p + step) + (step == 1 ? 0 : 1), damping);
    }
    const bool is_at_wall = p % side == 0 || (p + 1) % side == 0;
    if (is_at_wall) K.emplace_back(2 * p, 2 * p, 1);
    if (is_at_wall) K.emplace_back(2 * p + 1, 2 * p + 1, 1);
  }
  for (Index pin = 0; pin < pins; ++pin) {
    const Index p = pin * (points / pins);
    const double angle = static_cast<double>(random() % 1000u) * 0.006;
    J.emplace_back(pin, 2 * p, std::cos(angle));
    J.emplace_back(pin, 2 * p + 1, std::sin(angle));
  }
  LinearSystem system;
  system.K = matrix_of(2 * points, 2 * points, K);
  if (damping > 0) system.C = matrix_of(2 * points, 2 * points, C);
  system.M.resize(2 * points, 2 * points);
  system.M.setIdentity();
  system.J = matrix_of(pins, 2 * points, J);
  return checked(std::move(system));
}

testing::Engine on_ranks(int ranks) {
  return [ranks](const std::string& folder) {
    const std::string request = content_of(folder + "/request.json");
    const char* const program = contains(request, "\"scalar\": \"real\"") ? "real" : "complex";
    const Answer answer =
        shell(fmt::format("export OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                          "OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_rmaps_base_oversubscribe=1; "
                          "timeout 500 mpirun -n {} \"$(dirname \"$TOOL\")/stillpoint-slepc-{}\" '{}'",
                          ranks, program, folder));
    if (answer.code != 0) throw Error(answer.err);
  };
}

void check_on_all_ranks(const LinearSystem& system, const ModesOptions& options) {
  const Spectrum serial = solve_some(system, options);
  REQUIRE_MESSAGE(serial.certified, testing::first_warning(serial));
  for (const int ranks : {1, 2, 3}) {
    CAPTURE(ranks);
    const Spectrum answered = testing::spectrum_by_engine(system, options, on_ranks(ranks));
    CHECK_MESSAGE(answered.certified, testing::all_warnings(answered));
    CHECK(testing::difference(serial, answered, options) == "");
    CHECK(std::string(to_words(judge_answer(system, answered).stability)) ==
          to_words(judge_answer(system, serial).stability));
  }
}

}  // namespace

TEST_CASE("chain: lowest, a band, near a point") {
  const LinearSystem system = chain(is_large() ? 100'000 : 2'000, false);
  check_on_all_ranks(system, {.which = Lowest{6}});
  check_on_all_ranks(system, {.which = Nearest{{0, 1.2}, 3}});
  if (!is_large()) check_on_all_ranks(system, {.which = Band{0.1, 0.101}});
}

TEST_CASE("free-free chain: its rigid-body motion is two zeros") {
  check_on_all_ranks(chain(is_large() ? 100'000 : 2'000, true), {.which = Lowest{4}});
}

TEST_CASE("pinned grid: undamped and damped") {
  const Index side = is_large() ? 200 : 20;
  check_on_all_ranks(pinned_grid(side, 0), {.which = Lowest{8}});
  check_on_all_ranks(pinned_grid(side, 1e-3), {.which = Lowest{8}});
}

TEST_CASE("pinned grid, damped: near a point off the axis by the program of complex numbers") {
  check_on_all_ranks(pinned_grid(20, 1e-3), {.which = Nearest{{0, 0.5}, 4}});
}

// Of 1000 loops so many pivots wait for later fronts that MUMPS's work space is too small at first.
TEST_CASE("four_bar: its one mode") {
  check_on_all_ranks(system_of_case("four_bar", {{"N", is_large() ? 100'000 : 1000}}), {.which = Lowest{1}});
}

namespace {

Copies six_copies(Random& random, Forces forces) {
  Copies copies = random_copies(random, forces);
  while (copies.copies < 6) copies = random_copies(random, forces);
  return copies;
}

}  // namespace

TEST_CASE("six identical mechanisms: all copies") {
  Random random(11);
  const Copies copies = six_copies(random, Forces::conservative);
  check_on_all_ranks(copies.all, {.which = Lowest{copies.copies}});
}

// The stiffness is singular: a shift at zero would be worth nothing.
TEST_CASE("six identical mechanisms with dampers and free motions: all copies") {
  Random random(11);
  six_copies(random, Forces::conservative);  // the same numbers as before
  const Copies copies = six_copies(random, Forces::damped);
  check_on_all_ranks(copies.all, {.which = Lowest{copies.copies}});
}

TEST_CASE("a share of the random systems") {
  std::mt19937 random(5);
  const testing::EngineTally tally = testing::compare_random_systems(12, random, on_ranks(1));
  CHECK_MESSAGE(tally.differences.empty(), tally.differences.front());
  CHECK(tally.certified >= 8);
}

TEST_CASE("the tool starts the ranks itself") {
  const Answer answer = run("modes " + case_folder("four_bar") + " --set N=50 --engine slepc --ranks 2");
  CHECK_MESSAGE(answer.code == 0, answer.err);
  const Answer serial = run("modes " + case_folder("four_bar") + " --set N=50 --engine sparse --count 1");
  CHECK(contains(answer.out, "slepc"));
  const auto verdict = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  CHECK(verdict(answer.out) == verdict(serial.out));
}

TEST_CASE("the program for other numbers, and a folder without a request, are refused in one line") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "request";
  EngineProblem(chain(10, false), {.which = Lowest{2}}).write(folder);
  const auto said = [&](const std::string& program, const std::string& where) {
    const Answer answer = shell(
        "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; mpirun -n 2 "
        "--oversubscribe \"$(dirname \"$TOOL\")/stillpoint-slepc-" +
        program + "\" '" + where + "'");
    CHECK(answer.code != 0);
    return answer.err;
  };
  CHECK(contains(said("complex", folder), "the request is for real numbers, and this is stillpoint-slepc-complex"));
  CHECK(contains(said("real", scratch / "none"), "request.json cannot be read"));
  CHECK_FALSE(std::filesystem::exists(folder + "/answer.json"));
}
