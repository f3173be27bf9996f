// Modes by one method, and by three beside each other.
#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <variant>

#include "base/stopwatch.h"
#include "python/arrays.h"
#include "python/handles.h"
#include "python/mode_request.h"
#include "python/watched.h"
#include "report/mode_table.h"
#include "report/modes_with_masses.h"
#include "stillpoint/effective_masses.h"
#include "stillpoint/error.h"
#include "stillpoint/report.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

struct ModesHandle {
  Analysis analysis;
  ModesReport report;
  double seconds = 0;           ///< that the library took
  bool lists_spurious = false;  ///< in the text
  std::optional<EffectiveMasses> masses{};

  std::string json(bool shapes, bool all_coordinates) const;
  std::string text() const;
};

/// Effective masses, for a base that rotates about a point, or with the word "centre" about the centre of mass.
struct MassesRequest {
  bool is_wanted = false;
  std::variant<std::string, Vec3<double>> about{};
};

struct ComparisonHandle {
  Analysis analysis;
  Comparison comparison;
  bool lists_spurious = false;
};

template <class Value, class Get>
py::array_t<Value> array_of(const std::vector<Mode>& modes, Get get) {
  py::array_t<Value> array(static_cast<py::ssize_t>(modes.size()));
  std::transform(modes.begin(), modes.end(), array.mutable_data(), get);
  return array;
}

Eigen::MatrixXcd vectors_of(const std::vector<Mode>& modes, Index coordinates, ModeVector Mode::*which) {
  Eigen::MatrixXcd vectors(coordinates, std::ssize(modes));
  Eigen::Index column = 0;
  for (const Mode& mode : modes) {
    const ModeVector& vector = mode.*which;
    if (vector.size() == coordinates) vectors.col(column) = vector;
    else vectors.col(column).setConstant(std::complex<double>(Mode::unset, Mode::unset));  // s = ∞
    ++column;
  }
  return vectors;
}

py::dict spectrum_of(const Spectrum& spectrum, const std::vector<ModeAccount>& accounts) {
  const std::vector<Mode>& modes = spectrum.modes;
  std::vector<std::string> descriptions, kinds, reasons;
  for (const ModeAccount& account : accounts) descriptions.push_back(account.description);
  for (const Mode& mode : modes) kinds.emplace_back(word_of(mode.kind));
  for (const Uncertified reason : spectrum.reasons) reasons.emplace_back(to_words(reason));
  return py::dict(
      "s"_a = array_of<std::complex<double>>(modes, [](const Mode& m) { return m.s; }),
      "frequency"_a = array_of<double>(modes, [](const Mode& m) { return frequency(m); }),
      "damping"_a = array_of<double>(modes, [](const Mode& m) { return m.s == 0.0 ? 0.0 : damping_ratio(m) + 0.0; }),
      "error"_a = array_of<double>(modes, [](const Mode& m) { return m.error; }),
      "residual"_a = array_of<double>(modes, [](const Mode& m) { return m.residual; }),
      "condition"_a = array_of<double>(modes, [](const Mode& m) { return m.condition; }), "kind"_a = kinds,
      "descriptions"_a = descriptions, "method"_a = spectrum.method, "solver"_a = spectrum.solver,
      "certified"_a = spectrum.certified, "reasons"_a = reasons, "expected"_a = spectrum.expected,
      "found"_a = spectrum.found, "at_zero"_a = spectrum.at_zero, "region"_a = spectrum.region);
}

py::dict verdict_of(const Verdict& verdict) {
  return py::dict("verdict"_a = to_words(verdict.stability), "in_words"_a = in_words(verdict),
                  "reason"_a = verdict.reason, "unstable"_a = verdict.unstable_roots);
}

EffectiveMasses masses_of(const AnalysisCase& analysis, const MassesRequest& request, const ModesOptions& which) {
  if (!analysis.model)
    throw Error(
        fmt::format("effective_masses: '{}' was made from matrices, which do not say where its masses are; in C++ "
                    "effective_masses takes the motions of the base",
                    analysis.system.name));
  const State& state = analysis.rest->state;
  const auto* const point = std::get_if<Vec3<double>>(&request.about);
  return effective_masses(*analysis.model, state, analysis.system,
                          point ? *point : centre_of_mass(*analysis.model, state), which);
}

ModesHandle modes_of(const Analysis& analysis, Method method, AnalysisOptions how, const MassesRequest& masses,
                     Watch& watch) {
  how.modes.progress = watch.sink();
  const Stopwatch working;
  ModesReport report = report_modes(*analysis, method, how);
  ModesHandle found{analysis, std::move(report), working.seconds(), how.modes.spurious};
  if (masses.is_wanted) found.masses = masses_of(*analysis, masses, how.modes);
  return found;
}

/// Modes of so few unknowns take milliseconds by any engine: a thread to be interrupted would take a good part of that.
bool is_quick(const LinearSystem& system) { return system.coordinates() + system.constraints() <= 60; }

/// About nothing: the origin.
MassesRequest masses_request(bool is_wanted, const std::variant<std::string, std::vector<double>>& about) {
  MassesRequest request{.is_wanted = is_wanted};
  if (const auto* const word = std::get_if<std::string>(&about)) {
    if (*word != "centre")
      throw Error(fmt::format("about='{}': this must be (x, y) or (x, y, z) in m, or 'centre'", *word));
    request.about = *word;
    return request;
  }
  const auto& numbers = std::get<std::vector<double>>(about);
  if (numbers.size() == 1 || numbers.size() > 3)
    throw Error(fmt::format("about: {} numbers; this must be (x, y) or (x, y, z) in m, or 'centre'", numbers.size()));
  Vec3<double> point{};
  if (numbers.size() > 1) point = {numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 0};
  request.about = point;
  return request;
}

ModesHandle find(const SystemHandle& handle, const std::string& method, const py::dict& asked, bool with_masses,
                 const std::variant<std::string, std::vector<double>>& about, const py::object& show) {
  const MassesRequest masses = masses_request(with_masses, about);
  AnalysisOptions how = analysis_options(handle.system(), asked);
  how.modes.spurious = given<bool>(asked, "spurious").value_or(false);
  const Method by = method_called(method);
  if (is_quick(handle.system())) {
    const py::gil_scoped_release free;
    const BlasAtOneThread serial;
    Watch alone;
    return modes_of(handle.analysis, by, how, masses, alone);
  }
  return watched(show,
                 [=, analysis = handle.analysis](Watch& watch) { return modes_of(analysis, by, how, masses, watch); });
}

ComparisonHandle compare(const SystemHandle& handle, const py::dict& asked, const py::object& show) {
  const AnalysisOptions how = analysis_options(handle.system(), asked);
  const bool lists_spurious = given<bool>(asked, "spurious").value_or(false);
  return watched(show, [=, analysis = handle.analysis](Watch& watch) {
    AnalysisOptions watched_how = how;
    watched_how.modes.progress = watch.sink();
    return ComparisonHandle{analysis, compare_methods(*analysis, watched_how), lists_spurious};
  });
}

PrintOptions print_options(bool shapes, bool all_coordinates) {
  return {.shapes = shapes, .all_coordinates = all_coordinates};
}

std::string ModesHandle::json(bool shapes, bool all_coordinates) const {
  const std::string modes = to_json(*analysis, report, print_options(shapes, all_coordinates));
  return masses ? json_with_masses(modes, *masses) : modes;
}

std::string ModesHandle::text() const {
  const std::string modes = to_text(*analysis, report, {.spurious = lists_spurious});
  return masses ? text_with_masses(modes, *masses) : modes;
}

py::dict facts_of_masses(const EffectiveMasses& found) {
  const auto modes = std::ssize(found.modes), directions = std::ssize(found.base.names);
  Eigen::VectorXcd s(modes);
  Eigen::VectorXd modal(modes);
  Eigen::MatrixXd participation(modes, directions), mass(modes, directions);
  for (Eigen::Index k = 0; k < modes; ++k) {
    const EffectiveMasses::OfMode& one = found.modes[static_cast<std::size_t>(k)];
    s[k] = one.s;
    modal[k] = one.modal_mass;
    participation.row(k) = one.participation;
    mass.row(k) = one.mass;
  }
  const Vec3<double>& about = found.base.about;
  return py::dict("directions"_a = found.base.names, "units"_a = found.base.units,
                  "about"_a = py::make_tuple(about.x, about.y, about.z), "s"_a = std::move(s),
                  "modal_mass"_a = std::move(modal), "participation"_a = std::move(participation),
                  "mass"_a = std::move(mass), "total"_a = found.total(), "moving"_a = found.moving,
                  "held"_a = found.held(), "sum"_a = found.sum, "all_modes"_a = found.all_modes,
                  "certified"_a = found.certified, "warnings"_a = found.warnings);
}

py::dict facts_of(const ModesHandle& handle) {
  const MethodReport& result = handle.report.result;
  py::dict facts = spectrum_of(result.spectrum, result.accounts);
  facts.attr("update")(verdict_of(handle.report.verdict));
  facts["certified"] = is_certified(handle.report);
  facts["seconds"] = handle.seconds;
  facts["computed"] = result.computed;
  facts["why_not"] = result.why_not;
  facts["warnings"] = handle.report.warnings;
  py::list branches;
  for (const BranchReport& branch : handle.report.branches) {
    py::dict one = spectrum_of(branch.spectrum, branch.accounts);
    one.attr("update")(verdict_of(branch.verdict));
    one["name"] = branch.name;
    branches.append(one);
  }
  facts["branches"] = branches;
  return facts;
}

py::dict facts_of_comparison(const ComparisonHandle& handle) {
  const Comparison& comparison = handle.comparison;
  py::dict facts = verdict_of(comparison.verdict);
  py::list methods;
  for (std::size_t k = 0; k < comparison.methods.size(); ++k) {
    const MethodReport& method = comparison.methods[k];
    py::dict one = spectrum_of(method.spectrum, method.accounts);
    one["method"] = key_of(method.method);
    one["computed"] = method.computed;
    one["why_not"] = method.why_not;
    const std::optional<Differences>& from_mcs = comparison.differences[k];
    one["difference"] = from_mcs ? from_mcs->largest : Mode::unset;
    one["within_error_bounds"] = from_mcs ? py::object(py::bool_(from_mcs->within_error_bounds)) : py::none();
    methods.append(one);
  }
  facts["methods"] = methods;
  facts["certified"] = is_certified(comparison);
  facts["warnings"] = comparison.warnings;
  return facts;
}

}  // namespace

void bind_modes(py::module_& module) {
  py::class_<ModesHandle>(module, "ModesReport")
      .def("facts", &facts_of)
      .def("shapes",
           [](const ModesHandle& h) {
             return vectors_of(h.report.result.spectrum.modes, h.analysis->system.coordinates(), &Mode::shape);
           })
      .def("left",
           [](const ModesHandle& h) {
             return vectors_of(h.report.result.spectrum.modes, h.analysis->system.coordinates(), &Mode::left);
           })
      .def("json", &ModesHandle::json, "shapes"_a, "all_coordinates"_a)
      .def("text", &ModesHandle::text)
      .def_readonly("masses", &ModesHandle::masses);
  py::class_<EffectiveMasses>(module, "MassesReport")
      .def("facts", &facts_of_masses)
      .def("json", [](const EffectiveMasses& h) { return to_json(h); })
      .def("text", [](const EffectiveMasses& h) { return to_text(h); });
  py::class_<ComparisonHandle>(module, "ComparisonReport")
      .def("facts", &facts_of_comparison)
      .def(
          "json",
          [](const ComparisonHandle& h, bool shapes, bool all) {
            return to_json(*h.analysis, h.comparison, print_options(shapes, all));
          },
          "shapes"_a, "all_coordinates"_a)
      .def("text", [](const ComparisonHandle& h) {
        return to_text(*h.analysis, h.comparison, {.spurious = h.lists_spurious});
      });
  module.def(
      "require_mode_options",
      [](const py::dict& asked) {
        require_known(asked, {"band", "near", "unstable", "all", "least_damped", "engine", "uncounted", "time_limit",
                              "basis", "independent", "alpha", "xi", "omega", "spurious", "count"});
      },
      "asked"_a);
  module.def("find_modes", &find, "system"_a, "method"_a, "asked"_a, "effective_masses"_a, "about"_a, "show"_a);
  module.def("compare", &compare, "system"_a, "asked"_a, "show"_a);
}

}  // namespace stillpoint::python
