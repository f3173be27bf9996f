// The elements of a model in rounds whose parts share no coordinate, and motions on several threads.
#include "model/independent_rounds.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/motion.h"
#include "stillpoint/threads.h"
#include "support/motion/loops.h"

using namespace stillpoint;

namespace {

std::set<Index> coordinates_of(const Model& model, const PartOfArray& part) {
  std::vector<Index> all;
  const Context context = model.context(model.initial_state());
  for (Index i = part.range.first; i < part.range.last; ++i) part.array->elements->add_coordinates(context, i, all);
  return {all.begin(), all.end()};
}

/// Checks that each element is in one part, and that parts of a round share nothing. Returns the number of rounds with
/// several parts.
int check_rounds(const Model& model, const std::vector<std::vector<PartOfArray>>& rounds) {
  std::size_t elements = 0, expected = 0;
  for (const ModelArray& array : model.arrays()) expected += static_cast<std::size_t>(array.elements->size());
  int with_several = 0;
  for (const std::vector<PartOfArray>& round : rounds) {
    std::set<Index> used;
    std::size_t sum = 0;
    for (const PartOfArray& part : round) {
      CHECK(part.range.first < part.range.last);
      elements += static_cast<std::size_t>(part.range.last - part.range.first);
      const std::set<Index> own = coordinates_of(model, part);
      sum += own.size();
      used.insert(own.begin(), own.end());
    }
    CHECK(used.size() == sum);
    with_several += round.size() > 1;
  }
  CHECK(elements == expected);
  return with_several;
}

constexpr Index many = 3000;

}  // namespace

TEST_CASE("independent rounds: parts of a long linkage are in few rounds") {
  const Model model = loops::parallel(many, 1.2);
  const auto rounds = independent_rounds(model);
  CHECK(check_rounds(model, rounds) >= 2);
  CHECK(rounds.size() <= 4);
}

TEST_CASE("independent rounds: elements that all share a body are in rounds of their own") {
  constexpr int parts = 70, each = 1024;  // more parts than a word has bits
  ModelBuilder build("star");
  const Place hub = build.point("hub", {0, 0}, {.mass = 1}), wall = build.fixed("wall", {1, 0});
  for (std::int64_t i = 0; i < parts * each; ++i)
    build.add(Name("spring", {i}), Spring{.a = wall, .b = hub, .stiffness = 1, .free_length = 1});
  const Model model = build.model();
  const auto rounds = independent_rounds(model);
  CHECK(check_rounds(model, rounds) == 0);
  CHECK(rounds.size() >= parts);
}

TEST_CASE("independent rounds: a motion does not depend on the number of threads") {
  const Model model = loops::parallel(many, 1.2);
  const State start = loops::pushed(model, 1);
  for (const MotionMethod method : {MotionMethod::taylor, MotionMethod::explicit_order_8}) {
    std::array<State, 2> end;
    for (const int threads : {1, 3}) {
      set_most_threads(threads);
      end[threads == 1 ? 0 : 1] = integrate(model, start, {.method = method, .times = {0, 0.02}}).end;
    }
    set_most_threads(0);
    CHECK((end[0].q.array() == end[1].q.array()).all());
    CHECK((end[0].v.array() == end[1].v.array()).all());
    CHECK(end[0].q != start.q);
  }
}

TEST_CASE("independent rounds: matrices that are filled at the same time are those of the linear system") {
  constexpr std::int64_t bodies = 1800;  // of three coordinates, whose inertia depends on the angle
  ModelBuilder build("row");
  Place before = ground;
  for (std::int64_t i = 0; i < bodies; ++i) {
    const auto x = static_cast<double>(i);
    const Place body = build.body(Name("body", {i}), {x, 0.1 * std::sin(x)},
                                  {.mass = 1 + 0.001 * x, .inertia = 0.1, .centre = {0.5, 0.2}});
    build.add(Name("rod", {i}), Distance{.a = before, .b = body, .length = 1});
    before = body;
  }
  const Model model = build.model();
  State state = model.initial_state();
  for (Index i = 0; i < model.coordinates(); ++i) state.q[i] += 0.3 * std::cos(i);
  MotionAssembly motion(model);
  Assembly whole(model);
  for (const double turned : {0.0, 0.4}) {
    state.q.array() += turned;
    const MotionAssembly::Parts& parts = motion.at(state);
    const Matrices& expected = whole.at(state);
    CHECK((parts.M - expected.M).norm() <= 1e-15 * expected.M.norm());
    CHECK((parts.J - expected.J).norm() == 0);
    CHECK(parts.J.norm() > 1);
  }
}

TEST_CASE("independent rounds: residuals of many constraints change as J says, and their change as it changes") {
  constexpr Index loops_of_many = 15'000;
  constexpr double h = 1e-4, agreement = 1e-7;
  const Model model = loops::parallel(loops_of_many, 1.2);
  State state = model.initial_state();
  state.v.resize(model.coordinates());
  for (Index i = 0; i < model.coordinates(); ++i) state.v[i] = std::cos(i);
  MotionAssembly assembly(model);
  const auto at_time = [&](double t) { return model.displaced(model.initial_state(), t * state.v); };
  const Eigen::VectorXd rates = assembly.at(at_time(0)).J * state.v;
  const Eigen::VectorXd change =
      (constraint_residual(model, at_time(h)) - constraint_residual(model, at_time(-h))) / (2 * h);
  CHECK((change - rates).lpNorm<Eigen::Infinity>() < agreement);
  CHECK(rates.cwiseAbs().minCoeff() < rates.cwiseAbs().maxCoeff());
  const Eigen::VectorXd after = assembly.at(at_time(h)).J * state.v, before = assembly.at(at_time(-h)).J * state.v;
  CHECK(((after - before) / (2 * h) - constraint_curvature(model, state)).lpNorm<Eigen::Infinity>() < agreement);
  CHECK(constraint_curvature(model, state).norm() > 1);
}
