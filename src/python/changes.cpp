// Changes of linear systems: members, constraints, controllers in the loop, and two systems side by side.
#include <pybind11/eigen.h>
#include <pybind11/stl.h>

#include "python/handles.h"
#include "python/watched.h"
#include "stillpoint/change_system.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

SystemHandle handle_of(LinearSystem system) {
  return {std::make_shared<AnalysisCase>(AnalysisCase{std::move(system)})};
}

}  // namespace

void bind_changes(py::module_& module) {
  using Free = py::call_guard<py::gil_scoped_release, BlasAtOneThread>;
  module.def(
      "with_member",
      [](const SystemHandle& handle, const LinearCombination& motion, double mass, double damping, double stiffness) {
        return handle_of(stillpoint::with_member(
            handle.system(), {.motion = motion, .mass = mass, .damping = damping, .stiffness = stiffness}));
      },
      "system"_a, "motion"_a, "mass"_a, "damping"_a, "stiffness"_a, Free());
  module.def(
      "with_constraints",
      [](const SystemHandle& handle, const std::vector<LinearCombination>& combinations) {
        return handle_of(stillpoint::with_constraints(handle.system(), combinations));
      },
      "system"_a, "combinations"_a, Free());
  module.def(
      "close_loop",
      [](const SystemHandle& handle, const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& C,
         const Eigen::MatrixXd& D, const std::vector<std::string>& measured, const std::vector<std::string>& driven,
         const std::string& name) {
        return handle_of(stillpoint::close_loop(handle.system(), {A, B, C, D, measured, driven, name}));
      },
      "system"_a, "A"_a, "B"_a, "C"_a, "D"_a, "measured"_a, "driven"_a, "name"_a, Free());
  module.def(
      "side_by_side",
      [](const SystemHandle& first, const SystemHandle& second, const std::string& first_prefix,
         const std::string& second_prefix) {
        return handle_of(stillpoint::side_by_side(first.system(), second.system(), first_prefix, second_prefix));
      },
      "first"_a, "second"_a, "first_prefix"_a, "second_prefix"_a, Free());
}

}  // namespace stillpoint::python
