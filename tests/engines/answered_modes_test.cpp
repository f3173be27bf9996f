// An engine by the contract of docs/engines.md: a small one of dense LAPACK finds the modes of the serial engine, and
// what it does wrong is noticed.
#include "engines/answered_modes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "support/engines/compared_modes.h"
#include "support/engines/dense_engine.h"
#include "support/error_texts.h"
#include "support/forms/systems.h"
#include "support/modes/copies.h"
#include "support/modes/random_systems.h"
#include "support/scratch_folder.h"

using namespace stillpoint;
using testing::Misdeed;

namespace {

ModesOptions asking(const Which& which) { return {.which = which}; }

Spectrum by_dense_engine(const LinearSystem& system, const ModesOptions& options, Misdeed misdeed = Misdeed::none) {
  return testing::spectrum_by_engine(system, options,
                                     [&](const std::string& folder) { testing::run_dense_engine(folder, misdeed); });
}

void check_same(const LinearSystem& system, const ModesOptions& options) {
  const Spectrum serial = solve_some(system, options), answered = by_dense_engine(system, options);
  CAPTURE(serial.region);
  CAPTURE(answered.region);
  std::string values;
  for (const Mode& mode : serial.modes) values += fmt::format("{} {} | ", mode.s.real(), mode.s.imag());
  for (const Mode& mode : answered.modes) values += fmt::format("{} {} , ", mode.s.real(), mode.s.imag());
  CAPTURE(values);
  CHECK_MESSAGE(answered.certified, testing::all_warnings(answered));
  REQUIRE(serial.certified);
  CHECK(testing::difference(serial, answered, options) == "");
}

/// Two masses on springs and a bar between them.
LinearSystem small_system(double damping) {
  const Eigen::MatrixXd M = Eigen::Vector4d(1, 2, 3, 4).asDiagonal();
  Eigen::MatrixXd K(4, 4), J(1, 4);
  K << 3, -1, 0, 0, -1, 4, -1, 0, 0, -1, 5, -1, 0, 0, -1, 6;
  J << 1, 0, -1, 0;
  return system_of(M, K, J, damping * K);
}

/// A four-bar linkage whose bars all lie in one line.
LinearSystem singular() { return system_of_case("four_bar", {{"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}}); }

template <class Thrown, class Action>
std::string text_of(const Action& action) {
  try {
    action();
  } catch (const Thrown& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("an engine finds the modes of the serial engine: undamped, lowest, in a band and near a point") {
  const LinearSystem system = small_system(0);
  check_same(system, asking(Lowest{2}));
  check_same(system, asking(Lowest{20}));
  check_same(system, asking(Band{0.15, 0.35}));
  check_same(system, asking(Band{0, 0.25}));
  check_same(system, asking(Nearest{{0, 1.5}, 1}));
}

TEST_CASE("an engine finds the modes of the serial engine: damped, gyroscopic, with follower forces") {
  check_same(small_system(0.01), asking(Lowest{2}));
  check_same(small_system(0.3), asking(Lowest{3}));
  check_same(small_system(0.01), asking(Band{0.1, 0.25}));
  check_same(small_system(0.01), asking(Nearest{{0, 1.5}, 1}));  // by the complex numbers
  check_same(small_system(0.01), asking(Nearest{{-0.1, 0}, 2}));
  Random random(7);
  for (const Forces forces : {Forces::gyroscopic, Forces::any}) {
    const Copies copies = random_copies(random, forces);
    check_same(copies.one, asking(Lowest{2}));
  }
}

TEST_CASE("an engine finds all copies of six identical mechanisms, and the free motions of a structure") {
  Random random(3);
  const Copies copies = random_copies(random, Forces::conservative);
  check_same(copies.all, asking(Lowest{copies.copies}));
  Eigen::MatrixXd K(3, 3);
  K << 1, -1, 0, -1, 2, -1, 0, -1, 1;
  const LinearSystem free = system_of(Eigen::MatrixXd::Identity(3, 3), K);
  check_same(free, asking(Lowest{2}));
  const Spectrum spectrum = by_dense_engine(free, asking(Lowest{2}));
  CHECK(spectrum.at_zero == 2);
}

TEST_CASE("redundant constraints are left out of the request, so that inertia counts") {
  Eigen::MatrixXd J(3, 4);
  J << 1, 0, -1, 0, 0, 1, 0, -1, 1, 1, -1, -1;
  const LinearSystem system =
      system_of(Eigen::MatrixXd::Identity(4, 4), Eigen::MatrixXd(Eigen::Vector4d(1, 2, 3, 4).asDiagonal()), J);
  const EngineProblem problem(system, asking(Lowest{1}));
  CHECK(problem.request().constraints == 2);
  check_same(system, asking(Lowest{2}));
}

TEST_CASE("what an engine does wrong is noticed") {
  const ModesOptions lowest = asking(Lowest{2});
  for (const double damping : {0.0, 0.01}) {
    CAPTURE(damping);
    const LinearSystem system = small_system(damping);
    const Spectrum dropped = by_dense_engine(system, lowest, Misdeed::drop_a_mode);
    CHECK_FALSE(dropped.certified);
    CHECK(dropped.found == dropped.expected - 2);
    const Spectrum spoiled = by_dense_engine(system, lowest, Misdeed::spoil_a_vector);
    CHECK_FALSE(spoiled.certified);
    CHECK(std::any_of(spoiled.warnings.begin(), spoiled.warnings.end(),
                      [](const std::string& text) { return contains(text, "does not solve the problem"); }));
    const Spectrum repeated = by_dense_engine(system, lowest, Misdeed::repeat_a_mode);
    CHECK_FALSE(repeated.certified);
    CHECK(std::any_of(repeated.warnings.begin(), repeated.warnings.end(),
                      [](const std::string& text) { return contains(text, "depends on others"); }));
  }
  const Spectrum uncounted = by_dense_engine(small_system(0), lowest, Misdeed::no_inertia);
  CHECK_FALSE(uncounted.certified);
  CHECK(contains(testing::first_warning(uncounted), "no clear inertia"));
}

// The imaginary part would make two conjugate values of one, as many as there are.
TEST_CASE("a real value with an imaginary part that is rounding counts once") {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(1, 1);
  const LinearSystem overdamped = system_of(one, 6 * one, Eigen::MatrixXd(0, 1), 5 * one);  // s = -2, -3
  const ModesOptions lowest = asking(Lowest{2});
  const Spectrum both = by_dense_engine(overdamped, lowest);
  CHECK_MESSAGE(both.certified, testing::all_warnings(both));
  CHECK(both.modes.size() == 2);
  const Spectrum one_of_them = by_dense_engine(overdamped, lowest, Misdeed::give_one_of_two_real_values);
  CHECK_FALSE(one_of_them.certified);
  REQUIRE(one_of_them.modes.size() == 1);
  CHECK(one_of_them.modes[0].s.imag() == 0);
  CHECK(one_of_them.found == one_of_them.expected - 1);
}

TEST_CASE("an answer that is not there, not whole, or not of this request is refused with file and key") {
  const LinearSystem system = small_system(0);
  const ModesOptions options = asking(Lowest{2});
  const EngineProblem problem(system, options);
  const ScratchFolder scratch;
  const std::string folder = scratch / "request", path = folder + "/answer.json";
  problem.write(folder);
  const auto refusal = [&] { return text_of<Error>([&] { read_engine_answer(folder, problem); }); };
  CHECK(contains(refusal(), "answer.json: does not exist: the engine has not answered"));
  testing::run_dense_engine(folder);
  CHECK(refusal() == "nothing was thrown");
  const std::string whole = content_of(path);
  const auto spoiled = [&](const std::function<void(nlohmann::ordered_json&)>& spoil) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(whole);
    spoil(json);
    std::ofstream(path) << json.dump();
    return refusal();
  };
  std::ofstream(path) << whole.substr(0, whole.size() / 2);
  CHECK(contains(refusal(), "is not valid JSON"));
  CHECK(contains(spoiled([](auto& json) { json["identity"] = "0"; }), "'identity' is that of another request"));
  CHECK(contains(spoiled([](auto& json) { json["schema"] = "x/2"; }), "'schema' is 'x/2'"));
  CHECK(contains(spoiled([](auto& json) { json["scalar"] = "complex"; }), "answered by the wrong program"));
  CHECK(contains(spoiled([](auto& json) { json.erase("values"); }), "has no 'values'"));
  CHECK(
      contains(spoiled([](auto& json) { json["values"][0] = "a"; }), "'values[0]' must be a finite number, not \"a\""));
  CHECK(contains(spoiled([](auto& json) { json["values"].push_back(1); }), "vectors.petsc: ends at byte"));
  CHECK(contains(spoiled([](auto& json) { json["region"] = {1, -1}; }), "'region' must ascend"));
  CHECK(contains(spoiled([](auto& json) { json["region"] = {1}; }), "'region' must be a list of 2 numbers"));
  CHECK(contains(spoiled([](auto& json) { json["inertia"][0]["negative"] = 77; }),
                 "'inertia[0].negative' must be a whole number from 0 to 5, not 77"));
  CHECK(contains(spoiled([](auto& json) { json["inertia"][1].erase("zero"); }), "'inertia[1]' has no 'zero'"));
  CHECK(contains(spoiled([](auto& json) { json["status"] = "tired"; }), "'status' is 'tired'"));
  CHECK(contains(spoiled([](auto& json) {
                   json["status"] = "failed";
                   json["message"] = "not enough memory";
                 }),
                 "the engine dense LAPACK of the tests failed: not enough memory"));
  std::filesystem::remove(folder + "/vectors.petsc");
  std::ofstream(path) << whole;
  CHECK(contains(refusal(), "vectors.petsc"));
}

TEST_CASE("without modes in the band no file of vectors is needed") {
  for (const double damping : {0.0, 0.01}) {
    CAPTURE(damping);
    const Spectrum none =
        testing::spectrum_by_engine(small_system(damping), asking(Band{0, 1e-3}), [](const std::string& folder) {
          testing::run_dense_engine(folder);
          std::filesystem::remove(folder + "/vectors.petsc");
        });
    CHECK_MESSAGE(none.certified, testing::all_warnings(none));
    CHECK(none.modes.empty());
  }
}

TEST_CASE("an answer for other parameters is refused, and a new request removes an old answer") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "request";
  const EngineProblem first(small_system(0), asking(Lowest{2}));
  first.write(folder);
  testing::run_dense_engine(folder);
  const EngineProblem fewer(small_system(0), asking(Lowest{1}));
  CHECK(contains(text_of<Error>([&] { read_engine_answer(folder, fewer); }), "another request"));
  fewer.write(folder);
  CHECK_FALSE(std::filesystem::exists(folder + "/answer.json"));
  CHECK_FALSE(std::filesystem::exists(folder + "/vectors.petsc"));
}

TEST_CASE("inertia that contradicts the vectors, or a region that leaves modes out, certifies nothing") {
  const LinearSystem system = small_system(0);
  const ModesOptions options = asking(Lowest{2});
  const EngineProblem problem(system, options);
  const ScratchFolder scratch;
  const std::string folder = scratch / "request";
  problem.write(folder);
  testing::run_dense_engine(folder);
  const EngineAnswer answer = read_engine_answer(folder, problem);
  const auto warning = [&](const EngineAnswer& changed) {
    const Spectrum spectrum = spectrum_of_answer(system, problem, changed, options);
    CHECK_FALSE(spectrum.certified);
    return testing::all_warnings(spectrum);
  };
  EngineAnswer changed = answer;
  changed.inertia[1].negative = changed.inertia[0].negative;
  CHECK(contains(warning(changed), "the engine contradicts itself"));
  changed = answer;
  changed.inertia[1].zero = 1;
  CHECK(contains(warning(changed), "no clear inertia"));
  changed = answer;
  changed.from *= 0.5;
  changed.inertia[0].a[2] *= 0.5;
  CHECK(contains(warning(changed), "does not end as far below zero as above"));
  changed = answer;
  changed.is_converged = false;
  changed.message = "out of patience";
  CHECK(contains(warning(changed), "the engine says: out of patience"));
}

TEST_CASE("systems and requests that no engine knows are refused") {
  const auto refusal = [](const LinearSystem& system, const Which& which) {
    return text_of<Error>([&] { EngineProblem(system, asking(which)); });
  };
  CHECK(contains(refusal(small_system(0), All{}), "not all, nor the unstable"));
  CHECK(contains(refusal(small_system(0), Unstable{}), "not all, nor the unstable"));
  CHECK(contains(refusal(singular(), Lowest{1}), "singular"));
  const Eigen::MatrixXd one = Eigen::MatrixXd::Identity(1, 1);
  CHECK(contains(refusal(system_of(one, one, one), Lowest{1}), "nothing can move"));
  CHECK(contains(text_of<Error>([&] { modes_by_engine(small_system(0), asking(Lowest{1}), Method::ucs, "none"); }),
                 "penalty"));
}

TEST_CASE("60 random systems have the modes of the serial engine, or are said not to be certain") {
  std::mt19937 random(35);
  const testing::EngineTally tally =
      testing::compare_random_systems(60, random, [](const std::string& folder) { testing::run_dense_engine(folder); });
  CHECK_MESSAGE(tally.differences.empty(), tally.differences.front());
  CHECK(tally.certified > 45);
}
