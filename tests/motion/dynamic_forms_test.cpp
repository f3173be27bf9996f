// Eight forms of one linear system agree, on every small case and on redundant constraints; each says by name what it
// cannot do. With STILLPOINT_CAMPAIGN set, at 200 states of every case.
#include <doctest/doctest.h>

#include <algorithm>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/error.h"
#include "stillpoint/motion.h"
#include "support/motion/loops.h"
#include "support/motion/moving_cases.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::VectorXd;

namespace {

const Index most_coordinates = is_campaign() ? 500 : draws(40, 12);

VectorXd constraint_forces(const Model& model, const State& state, const VectorXd& lambda) {
  MotionAssembly assembly(model);
  return assembly.at(state).J.transpose() * lambda;
}

struct Compared {
  double accelerations = 0, forces = 0;
};
Compared compare(const Model& model, const State& state, const Accelerations& reference, const FormOptions& form) {
  const Accelerations found = accelerations(model, state, form);
  const VectorXd forces = constraint_forces(model, state, reference.lambda);
  const double size = std::max(1.0, reference.a.lpNorm<Eigen::Infinity>());
  const double force = std::max(1.0, forces.lpNorm<Eigen::Infinity>());
  return {(found.a - reference.a).lpNorm<Eigen::Infinity>() / size,
          (constraint_forces(model, state, found.lambda) - forces).lpNorm<Eigen::Infinity>() / force};
}

std::vector<FormOptions> exact_forms() {
  std::vector<FormOptions> forms;
  for (const DynamicForm form : {DynamicForm::augmented, DynamicForm::range_space, DynamicForm::null_space,
                                 DynamicForm::tree, DynamicForm::baumgarte})
    forms.push_back({.form = form});
  for (const PseudoinverseMethod method :
       {PseudoinverseMethod::svd, PseudoinverseMethod::varga, PseudoinverseMethod::greville,
        PseudoinverseMethod::householder, PseudoinverseMethod::gram_schmidt})
    forms.push_back({.form = DynamicForm::udwadia_kalaba, .pseudoinverse = {.method = method, .tolerance = 1e-10}});
  return forms;
}

bool needs_inverse_mass(const FormOptions& form) {
  return form.form == DynamicForm::range_space || form.form == DynamicForm::udwadia_kalaba;
}

}  // namespace

TEST_CASE("dynamic forms: all agree on every small case") {
  const int states_each = is_campaign() ? 200 : draws(6, 2);
  int cases_done = 0, compared = 0, refused = 0;
  double worst = 0;
  for (const cases::MovingCase& one : cases::moving_cases(most_coordinates)) {
    const Model& model = one.model;
    CAPTURE(one.name);
    Random random(17);
    bool is_done = false;
    for (int k = 0; k < states_each; ++k) {
      const auto state = random_moving_state(model, random);
      if (!state) continue;
      const Accelerations reference = accelerations(model, *state, {.form = DynamicForm::kkt});
      for (const FormOptions& form : exact_forms()) {
        CAPTURE(name_of(form.form));
        CAPTURE(static_cast<int>(form.pseudoinverse.method));
        try {
          const Compared found = compare(model, *state, reference, form);
          CHECK(found.accelerations < 1e-10);
          CHECK(found.forces < 1e-10);
          worst = std::max({worst, found.accelerations, found.forces});
          ++compared;
        } catch (const Error& error) {
          CHECK(needs_inverse_mass(form));
          CHECK(error.message().find("' has no inertia") != std::string::npos);
          ++refused;
        }
      }
      is_done = true;
    }
    cases_done += is_done;
  }
  MESSAGE(cases_done, " cases, ", compared, " comparisons, worst ", worst, ", ", refused, " refused");
  CHECK(cases_done >= draws(20, 8));
  CHECK(refused > 0);
}

TEST_CASE("dynamic forms: the error of the penalty is of the order of one over the penalty") {
  const Model model = loops::parallel(3, 1.0);
  const State state = loops::pushed(model, 2);
  const Accelerations exact = accelerations(model, state, {.form = DynamicForm::kkt});
  double before = 0;
  for (const double penalty : {1e4, 1e5, 1e6}) {
    const double error =
        (accelerations(model, state, {.form = DynamicForm::penalty, .penalty = penalty}).a - exact.a).norm();
    CHECK(error > 0);
    if (before > 0) CHECK(error / before == doctest::Approx(0.1).epsilon(0.02));
    before = error;
  }
}

TEST_CASE("dynamic forms: redundant constraints leave accelerations and forces as they are") {
  // The same rod twice, and a loop more than is needed.
  const auto two_links = [](int copies) {
    ModelBuilder build("links");
    build.gravity({0, -9.81, 0});
    const auto a = build.body("a", {0, 0}, {.angle = 0.4, .mass = 1, .inertia = 0.1, .centre = {0.5, 0}});
    const auto tip = build.marker("tip", a, {1, 0});
    const auto b = build.point("b", {std::cos(0.4) + 0.6, std::sin(0.4) + 0.8}, {.mass = 0.5});
    build.add("hinge", Revolute{.a = ground, .b = a});
    for (int k = 0; k < copies; ++k) build.add({}, Distance{.a = tip, .b = b, .length = 1});
    return build.model();
  };
  const Model once = two_links(1), twice = two_links(3);
  State state = once.initial_state();
  state.v = (VectorXd(5) << 0, 0, 1.5, 0.3, -2).finished();
  const State moving = consistent_state(once, state);
  const Accelerations exact = accelerations(once, moving, {.form = DynamicForm::kkt});
  std::vector<FormOptions> forms = exact_forms();
  forms.push_back({.form = DynamicForm::kkt});
  for (const FormOptions& form : forms) {
    CAPTURE(name_of(form.form));
    const Accelerations found = accelerations(twice, moving, form);
    CHECK((found.a - exact.a).norm() < 1e-10);
    CHECK((constraint_forces(twice, moving, found.lambda) - constraint_forces(once, moving, exact.lambda)).norm() <
          1e-10);
  }
}

TEST_CASE("dynamic forms: a form says by name why it cannot be used") {
  ModelBuilder build("massless");
  const auto bob = build.point("bob", {1, 0}, {.mass = 1});
  const auto joint = build.point("joint", {0.5, 0.1});
  build.add("one", Distance{.a = build.fixed("A", {0, 0}), .b = joint, .length = std::hypot(0.5, 0.1)});
  build.add("two", Distance{.a = joint, .b = bob, .length = std::hypot(0.5, 0.1)});
  const Model model = build.model();
  const State state = model.initial_state();
  for (const DynamicForm form : {DynamicForm::range_space, DynamicForm::udwadia_kalaba})
    CHECK_THROWS_WITH_AS(accelerations(model, state, {.form = form}), doctest::Contains("'joint.x' has no inertia"),
                         Error);
  const Model large = loops::parallel(20);
  CHECK_THROWS_WITH_AS(
      accelerations(large, large.initial_state(), {.form = DynamicForm::udwadia_kalaba, .largest_dense = 10}),
      doctest::Contains("allowed are 10"), Error);
}

TEST_CASE("dynamic forms: a motion by each of them ends at the same place") {
  const Model model = loops::parallel(2, 1.2);
  const State start = loops::pushed(model);
  const Motion reference = integrate(model, start, {.times = {0, 0.4}});
  std::vector<FormOptions> forms = exact_forms();
  forms.push_back({.form = DynamicForm::kkt});
  for (const FormOptions& form : forms) {
    CAPTURE(name_of(form.form));
    const Motion motion = integrate(model, start, {.times = {0, 0.4}, .form = form});
    REQUIRE(motion.status == MotionStatus::done);
    CHECK((motion.end.q - reference.end.q).norm() < 1e-9);
    CHECK(motion.largest_imbalance < 1e-8);
  }
}
