// Linear systems: made from a model, from matrices, or read from a folder; their matrices are lent to NumPy.
#include <pybind11/stl.h>

#include "python/arrays.h"
#include "python/handles.h"
#include "python/watched.h"
#include "stillpoint/close_loops.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

constexpr std::pair<const char*, SparseMatrix LinearSystem::*> matrices[] = {
    {"M", &LinearSystem::M},   {"C", &LinearSystem::C},   {"K", &LinearSystem::K},   {"J", &LinearSystem::J},
    {"F", &LinearSystem::F},   {"G", &LinearSystem::G},   {"Hq", &LinearSystem::Hq}, {"Hv", &LinearSystem::Hv},
    {"Ha", &LinearSystem::Ha}, {"Hl", &LinearSystem::Hl}, {"Hu", &LinearSystem::Hu}};

constexpr std::pair<const char*, NameOf LinearSystem::*> books[] = {
    {"coordinate_names", &LinearSystem::coordinate_name}, {"constraint_names", &LinearSystem::constraint_name},
    {"input_names", &LinearSystem::input_name},           {"output_names", &LinearSystem::output_name},
    {"coordinate_units", &LinearSystem::coordinate_unit}, {"input_units", &LinearSystem::input_unit},
    {"output_units", &LinearSystem::output_unit}};

template <class Pairs>
auto member_called(const std::string& name, const Pairs& pairs) {
  for (const auto& [key, member] : pairs) {
    if (name == key) return member;
  }
  throw Error("a linear system has no part '" + name + "'");
}

Index count_of(const LinearSystem& system, const std::string& book) {
  if (book.starts_with("coordinate")) return system.coordinates();
  if (book.starts_with("constraint")) return system.constraints();
  return book.starts_with("input") ? system.inputs() : system.outputs();
}

SystemHandle made_from(const std::string& name, std::map<std::string, SparseMatrix> given,
                       const std::map<std::string, std::vector<std::string>>& words, std::optional<Index> rank) {
  LinearSystem system;
  system.name = name;
  for (auto& [key, matrix] : given) system.*member_called(key, matrices) = std::move(matrix);
  for (const auto& [key, list] : words) {
    system.*member_called(key, books) = [list](Index i) { return list.at(static_cast<std::size_t>(i)); };
  }
  const py::gil_scoped_release free;
  const BlasAtOneThread serial;
  return {std::make_shared<AnalysisCase>(AnalysisCase{checked(std::move(system), {.rank = rank})})};
}

SystemHandle linearized(const RestHandle& handle, bool off_equilibrium, const std::vector<std::string>& open,
                        const std::vector<std::string>& broken, const py::object& show) {
  std::vector<Controller> controllers = with_open_loops(handle.controllers, open, OpenLoop::left_out);
  controllers = with_open_loops(std::move(controllers), broken, OpenLoop::broken);
  return watched(show, [=](Watch&) {
    LinearSystem system = linearize(handle.model, handle.rest, {.off_equilibrium = off_equilibrium});
    system = close_loops(system, controllers);
    return SystemHandle{std::make_shared<AnalysisCase>(AnalysisCase{
        .system = std::move(system), .model = handle.model, .rest = handle.rest, .controllers = controllers})};
  });
}

}  // namespace

void bind_systems(py::module_& module) {
  py::class_<SystemHandle>(module, "System")
      .def_property_readonly("name", [](const SystemHandle& h) { return h.system().name; })
      .def_property_readonly("size",
                             [](const SystemHandle& h) {
                               const LinearSystem& system = h.system();
                               return py::make_tuple(system.coordinates(), system.constraints(), system.inputs(),
                                                     system.outputs());
                             })
      .def_property_readonly("rank", [](const SystemHandle& h) { return h.system().rank(); })
      .def_property_readonly("is_singular", [](const SystemHandle& h) { return h.system().singular; })
      .def(
          "matrix",
          [](const py::object& self, const std::string& name) {
            const LinearSystem& system = self.cast<const SystemHandle&>().system();
            return lent(system.*member_called(name, matrices), self);
          },
          "name"_a, "The arrays of a matrix, lent: (data, indices, indptr, shape).")
      .def(
          "address",
          [](const SystemHandle& h, const std::string& name) {
            return reinterpret_cast<std::uintptr_t>((h.system().*member_called(name, matrices)).valuePtr());
          },
          "name"_a, "Where the entries of a matrix are, for tests that nothing is copied.")
      .def(
          "words",
          [](const SystemHandle& h, const std::string& book) {
            return names_of(h.system().*member_called(book, books), count_of(h.system(), book));
          },
          "book"_a)
      .def("operating_point",
           [](const py::object& self) {
             const LinearSystem& system = self.cast<const SystemHandle&>().system();
             return py::dict("q"_a = lent(system.q, self), "multipliers"_a = lent(system.lambda, self),
                             "u"_a = lent(system.u, self), "y"_a = lent(system.y, self));
           })
      .def("rest",
           [](const SystemHandle& h) -> std::optional<RestHandle> {
             if (!h.analysis->rest) return {};
             return RestHandle{*h.analysis->model, *h.analysis->rest, h.analysis->controllers};
           })
      .def(
          "write", [](const SystemHandle& h, const std::string& folder) { write_linear_system(h.system(), folder); },
          "folder"_a, py::call_guard<py::gil_scoped_release, BlasAtOneThread>());
  module.def("linearize", &linearized, "rest"_a, "off_equilibrium"_a, "open"_a, "broken"_a, "show"_a);
  module.def("linear_system", &made_from, "name"_a, "matrices"_a, "words"_a, "rank"_a);
  module.def(
      "read_linear_system",
      [](const std::string& folder, std::optional<Index> rank) {
        return SystemHandle{std::make_shared<AnalysisCase>(AnalysisCase{read_linear_system(folder, {.rank = rank})})};
      },
      "folder"_a, "rank"_a, py::call_guard<py::gil_scoped_release, BlasAtOneThread>());
}

}  // namespace stillpoint::python
