// A motion that starts where another one ended, and inputs that are expressions of the time.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "stillpoint/elements/all.h"
#include "stillpoint/motion.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/read_model.h"
#include "support/error_texts.h"
#include "support/motion/loops.h"
#include "support/motion/moving_cases.h"
#include "support/scratch_folder.h"

using namespace stillpoint;
using Eigen::VectorXd;
using EndTestJson = nlohmann::ordered_json;

namespace {

/// The end of a motion as it comes back from its JSON.
MotionEnd written_and_read(const Model& model, const Motion& motion) {
  const ScratchFolder folder;
  return read_end_of_motion(model, folder.write("run.json", to_json(model, motion)));
}

State pushed(const Model& model, Index coordinate, double rate) {
  State start = model.initial_state();
  start.v = VectorXd::Zero(model.coordinates());
  start.v[coordinate] = rate;
  return consistent_state(model, start, {.held = {coordinate}});
}

}  // namespace

TEST_CASE("continued motion: what is read is what was reached, to the last bit") {
  const Model model = cases::model_called("universal_chain");
  const Motion motion = integrate(model, pushed(model, 4, 2.5), {.times = {0, 0.3}});
  REQUIRE(motion.status == MotionStatus::done);
  REQUIRE(!motion.end.orientations.empty());
  const MotionEnd end = written_and_read(model, motion);
  CHECK(end.time == motion.end_time);
  CHECK(end.state.q == motion.end.q);
  CHECK(end.state.v == motion.end.v);
  CHECK(apart(end.state, motion.end) == 0);
}

TEST_CASE("continued motion: a run cut in two ends where the uncut one does") {
  struct Case {
    const char* name;
    Index pushed;
    double rate;
  };
  for (const Case& one : {Case{"four_bar", 0, 1}, Case{"double_pendulum", 2, 2}, Case{"universal_chain", 4, 2.5},
                          Case{"spatial_double_pendulum", 3, 1.5}}) {
    CAPTURE(one.name);
    const Model model = cases::model_called(one.name);
    const State start = pushed(model, one.pushed, one.rate);
    const MotionOptions usual;
    const Motion whole = integrate(model, start, {.times = {0, 1}});
    const Motion first = integrate(model, start, {.times = {0, 0.37}});
    REQUIRE(whole.status == MotionStatus::done);
    const MotionEnd end = written_and_read(model, first);
    const State from_there = consistent_state(model, end.state, {.time = end.time});
    CHECK(apart(from_there, end.state) < 1e-12);  // it is consistent already
    const Motion second = integrate(model, from_there, {.start_time = end.time, .times = {1}});
    CHECK(second.times.front() == 1);
    // Both parts have errors of a few tolerances, relative to rates and lengths of about 1.
    CHECK(apart(second.end, whole.end) < 100 * usual.tolerance);
    CHECK(apart(second.end, first.end) > 1e-3);
  }
}

TEST_CASE("continued motion: inputs over time go on, and constant ones are kept") {
  const Model model = cases::model_called("base_excited");
  const VectorXd u = VectorXd::Zero(1);
  const InputMotion inputs = follow_expressions(model, u, {{0, "0.1*sin(15*t)"}});
  const State start = consistent_state(model, model.initial_state(), {.inputs = inputs});
  const Motion whole = integrate(model, start, {.times = {0, 2}, .inputs = inputs});
  const Motion first = integrate(model, start, {.times = {0, 0.8}, .inputs = inputs});
  const MotionEnd end = written_and_read(model, first);
  CHECK(end.state.u[0] == 0.1 * std::sin(15 * 0.8));
  const Motion second =
      integrate(model, end.state, {.start_time = end.time, .times = times_until(2, 0.4, end.time), .inputs = inputs});
  REQUIRE(second.times.size() == 4);
  CHECK(second.times.front() == 0.8);
  CHECK(second.times[2] == doctest::Approx(1.6));
  CHECK(second.times.back() == 2);
  CHECK(apart(second.end, whole.end) < 1e-8);
  const Motion halted = integrate(model, consistent_state(model, end.state), {.start_time = end.time, .times = {2}});
  CHECK(halted.end.u[0] == end.state.u[0]);
}

TEST_CASE("continued motion: expressions are exact inputs of a prescribed motion") {
  const Model model = cases::model_called("base_excited");
  const VectorXd u = VectorXd::Zero(1);
  const InputMotion by_hand = [](double t) {
    const auto one = [](double x) { return VectorXd(VectorXd::Constant(1, x)); };
    return InputSample{one(0.1 * std::sin(15 * t)), one(1.5 * std::cos(15 * t)), one(-22.5 * std::sin(15 * t))};
  };
  const InputMotion inputs = follow_expressions(model, u, {{0, "h/3*sin(15*t)"}});  // h = 0.3 is a parameter
  for (const double t : {0.0, 0.3, 1.7}) {
    const InputSample now = inputs(t), expected = by_hand(t);
    CHECK(now.u[0] == doctest::Approx(expected.u[0]).epsilon(1e-14));
    CHECK(now.rate[0] == doctest::Approx(expected.rate[0]).epsilon(1e-14));
    CHECK(now.acceleration[0] == doctest::Approx(expected.acceleration[0]).epsilon(1e-14));
  }
  const auto run = [&](const InputMotion& given) {
    return integrate(model, consistent_state(model, model.initial_state(), {.inputs = given}),
                     {.times = {0, 1}, .inputs = given});
  };
  CHECK(apart(run(inputs).end, run(by_hand).end) < 1e-10);
}

TEST_CASE("continued motion: an input that loses its value ends the motion there with a sentence") {
  const Model model = cases::model_called("base_excited");
  const VectorXd u = VectorXd::Zero(1);
  const InputMotion inputs = follow_expressions(model, u, {{0, "0.01*t^3*log(1 - t)"}});
  const State start = consistent_state(model, model.initial_state(), {.inputs = inputs});
  const Motion motion = integrate(model, start, {.times = times_until(2, 0.1), .inputs = inputs});
  CHECK(motion.status == MotionStatus::stuck);
  CHECK(motion.end_time > 0.5);
  CHECK(motion.end_time < 1);
  CHECK(contains(motion.message, "the input 'base' = '0.01*t^3*log(1 - t)' has no finite "));
  CHECK(motion.end.q.allFinite());
  CHECK(motion.outputs.allFinite());
  CHECK(error_of([&] {
          follow_expressions(model, u, {{0, "1/t"}})(0);
        }) == "the input 'base' = '1/t' has no finite value at t = 0 s");
  CHECK(error_of([&] {
          follow_expressions(model, u, {{0, "sqrt(t)"}})(0);
        }) == "the input 'base' = 'sqrt(t)' has no finite rate or acceleration at t = 0 s");
}

TEST_CASE("continued motion: a file that is none is refused, with file, key and name") {
  const Model model = cases::model_called("universal_chain");
  const Motion motion = integrate(model, pushed(model, 4, 1), {.times = {0, 0.1}});
  const EndTestJson good = EndTestJson::parse(to_json(model, motion));
  const ScratchFolder folder;
  const std::string body = good["end"]["orientations"].begin().key();
  const std::string position = good["end"]["positions"].begin().key();
  struct Wrong {
    std::function<void(EndTestJson&)> spoil;
    std::string text;
  };
  const std::vector<Wrong> wrong = {
      {[](EndTestJson& json) { json["schema"] = "stillpoint.modes/1"; }, "schema is \"stillpoint.modes/1\"; a motion"},
      {[](EndTestJson& json) { json.erase("schema"); }, "the file has no 'schema'"},
      {[](EndTestJson& json) { json = EndTestJson::array(); }, "the file must be an object"},
      {[](EndTestJson& json) { json["model"]["name"] = "pump"; },
       "this is a motion of the model \"pump\", not of 'universal_chain'"},
      {[](EndTestJson& json) { json["model"] = 3; }, "model must be an object"},
      {[](EndTestJson& json) { json.erase("end"); }, "the file has no 'end'"},
      {[](EndTestJson& json) { json["end"].erase("time"); }, "end has no 'time'"},
      {[](EndTestJson& json) { json["end"]["time"] = -1; }, "end.time is -1 s; it must not be negative"},
      {[](EndTestJson& json) { json["end"]["time"] = nullptr; }, "end.time is null; it must be a finite number"},
      {[&](EndTestJson& json) { json["end"]["positions"].erase(position); },
       "end.positions lacks the coordinate '" + position + "' of this model"},
      {[&](EndTestJson& json) { json["end"]["positions"]["nothing"] = 1; },
       "end.positions holds 'nothing', which is no coordinate of this model"},
      {[&](EndTestJson& json) { json["end"]["positions"][position] = "far"; },
       "end.positions." + position + " is \"far\"; it must be a finite number"},
      {[](EndTestJson& json) { json["end"]["positions"] = 1; }, "end.positions must be an object"},
      {[&](EndTestJson& json) { json["end"]["rates"][position] = nullptr; },
       "end.rates." + position + " is null; it must be a finite number"},
      {[&](EndTestJson& json) {
         json["end"]["orientations"][body] = {1, 0, 0};
       },
       "end.orientations." + body + " must be a quaternion"},
      {[&](EndTestJson& json) {
         json["end"]["orientations"][body] = {1, 1, 0, 0};
       },
       "end.orientations." + body + " has the length 1.41421; "},
      {[&](EndTestJson& json) {
         json["end"]["orientations"][body] = {1, 0, 0, EndTestJson::object()};
       },
       "end.orientations." + body + "[4] is object; it must be a finite number"},
      {[&](EndTestJson& json) { json["end"]["orientations"].erase(body); },
       "end.orientations lacks the body '" + body + "' of this model"},
      {[](EndTestJson& json) { json["end"]["inputs"]["motor"] = 1; }, "end.inputs holds 'motor', which is no input"}};
  for (const Wrong& one : wrong) {
    EndTestJson json = good;
    one.spoil(json);
    const std::string path = folder.write("run.json", json.dump());
    const std::string error = error_of([&] { read_end_of_motion(model, path); });
    CAPTURE(one.text);
    CHECK_MESSAGE(error.starts_with(path + ": "), error);
    CHECK_MESSAGE(contains(error, one.text), error);
  }
  const std::string path = folder.write("run.json", "{\"schema\": 1e999}");
  CHECK(contains(error_of([&] { read_end_of_motion(model, path); }), "is not valid JSON"));
  CHECK(contains(error_of([&] { read_end_of_motion(model, folder / "none.json"); }), "cannot be read"));
}
