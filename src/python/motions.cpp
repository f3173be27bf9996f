// Motion of the mechanism in time: where it starts, which inputs drive it, and what was recorded.
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "base/usual_requests.h"
#include "motion/identified_signals.h"
#include "python/arrays.h"
#include "python/handles.h"
#include "python/mode_request.h"
#include "python/rest_request.h"
#include "python/watched.h"
#include "python/words.h"
#include "report/mode_table.h"
#include "stillpoint/assemble.h"
#include "stillpoint/linear_motion.h"
#include "stillpoint/motion.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/verify_modes.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

struct MotionHandle {
  Model model;
  Motion motion;
  MotionSupplement supplement;
};

using InputWords = std::map<std::string, std::string>;
using InputTables = std::map<std::string, std::pair<std::vector<double>, std::vector<double>>>;

/// What a motion is asked for.
struct MotionRequest {
  double until = 0;
  std::optional<double> every{};
  Settings rates{}, stops{};
  InputWords expressions{};
  InputTables tables{};
  std::optional<std::pair<Index, double>> perturbation{};  ///< mode from 1, amplitude
  std::string method = usual::motion_method, stabilize = usual::stabilization, form = usual::dynamic_form,
              pseudoinverse = usual::pseudoinverse;
  std::optional<double> tolerance{};
  bool all_coordinates = false, reactions = false, linear = false, identify = false;
};

template <class NameOfIndex>
Index index_called(const char* kind, const std::string& name, Index count, NameOfIndex name_of) {
  std::vector<std::string> known;
  for (Index i = 0; i < count; ++i) {
    known.push_back(name_of(i));
    if (known.back() == name) return i;
  }
  throw Error(fmt::format("there is no {} '{}'{}", kind, name, did_you_mean(name, known)));
}

Index coordinate_called(const Model& model, const std::string& name) {
  return index_called("coordinate", name, model.coordinates(), [&](Index i) { return model.coordinate_name(i); });
}

Index input_index(const Model& model, const std::string& name) {
  return index_called("input", name, model.inputs(), [&](Index i) { return model.input_name(i); });
}

// ---------------------------------------------------------------------------------------------------------------------
// The start

struct MotionBeginning {
  State state;
  std::vector<Index> held{};
  double time = 0;
  std::optional<Equilibrium> rest{};
};

/// The lowest modes, certified, at least as many lines of them as asked for if there are so many.
Spectrum certified_modes(const LinearSystem& system, Index count) {
  AnalysisOptions how;
  if (system.dof() > few_dof) how.modes.which = Lowest{count};
  const FoundModes found = find_modes(system, Method::mcs, how);
  if (!found.computed || !found.spectrum.certified)
    throw Undecided("perturb: the modes about the equilibrium are not certified");
  return found.spectrum;
}

/// The mode with this number in the table of modes, where a conjugate pair and all zeros take one line.
Mode mode_with_number(const LinearSystem& system, Index number) {
  const Spectrum spectrum = certified_modes(system, number);
  std::vector<TableRow> rows = table_rows(spectrum.modes);
  std::erase_if(rows, [&](const TableRow& row) { return is_of_the_form(spectrum.modes[row.mode]); });
  if (number < 1 || static_cast<std::size_t>(number) > rows.size())
    throw Error(
        fmt::format("perturb: the table of the modes about the equilibrium has the numbers 1 to {}", rows.size()));
  return spectrum.modes[rows[static_cast<std::size_t>(number - 1)].mode];
}

/// The search whose guess is held, if that is asked for.
RestSearch held(const ModelHandle& handle, const RestRequest& rest) {
  RestSearch search = search_for(handle.model, rest);
  if (const Holding holding = hold(search); holding.failed) throw Undecided(holding.failed->message);
  return search;
}

MotionBeginning at_guess(const RestSearch& search) {
  const OperatingPoint& point = search.point;
  const AssembledGuess closed = assemble(search.model, point.state, search.how);
  if (!closed.assembled) throw Undecided(closed.message);
  State state = closed.state;
  for (const Index i : point.coordinates) state.q[i] = point.state.q[i];
  return {std::move(state), point.coordinates};
}

MotionBeginning on_equilibrium(const RestHandle& handle, const MotionRequest& request) {
  if (handle.rest.status != EquilibriumStatus::at_rest) throw Undecided(handle.rest.message);
  if (!request.perturbation) return {handle.rest.state, {}, 0, handle.rest};
  const LinearSystem system = linearize(handle.model, handle.rest);
  if (system.singular)
    throw Error(
        "perturb: the equilibrium is a singular configuration, where motions branch, so that no mode of it can be run");
  const auto& [number, amplitude] = *request.perturbation;
  return {
      start_on_mode(handle.model, handle.rest.state, mode_with_number(system, number), amplitude), {}, 0, handle.rest};
}

/// Orientations are varied from step to step, so that none of their coordinates can be held.
std::vector<Index> that_can_be_held(const Model& model, std::vector<Index> coordinates) {
  std::erase_if(coordinates, [&](Index i) {
    return std::any_of(model.blocks().begin(), model.blocks().end(), [&](const Block& block) {
      return block.kind == BlockKind::space_body && i >= block.first + 3 && i < block.first + 6;
    });
  });
  return coordinates;
}

InputMotion inputs_over_time(const Model& model, const Eigen::VectorXd& u, const MotionRequest& request) {
  if (request.expressions.empty() && request.tables.empty()) return {};
  std::vector<InputTable> tables;
  std::vector<InputExpression> expressions;
  for (const auto& [name, table] : request.tables)
    tables.push_back({.input = input_index(model, name), .times = table.first, .values = table.second});
  for (const auto& [name, text] : request.expressions) expressions.push_back({input_index(model, name), text});
  return follow_expressions(model, u, expressions, follow_tables(u, std::move(tables)));
}

/// The consistent state in which the motion begins.
State consistent(const Model& model, MotionBeginning beginning, const InputMotion& inputs,
                 const MotionRequest& request) {
  State& state = beginning.state;
  if (state.v.size() == 0) state.v = Eigen::VectorXd::Zero(model.coordinates());
  ConsistentOptions how{
      .held_positions = that_can_be_held(model, beginning.held), .inputs = inputs, .time = beginning.time};
  for (const auto& [name, rate] : request.rates) {
    if (!std::isfinite(rate)) throw Error(fmt::format("rate of '{}': this must be a finite number", name));
    how.held.push_back(coordinate_called(model, name));
    state.v[how.held.back()] = rate;
  }
  return consistent_state(model, state, how);
}

// ---------------------------------------------------------------------------------------------------------------------
// How it moves

const WordTable<MotionMethod> motion_methods{{"explicit", MotionMethod::explicit_order_8},
                                             {"minimal", MotionMethod::minimal},
                                             {"taylor", MotionMethod::taylor},
                                             {"implicit", MotionMethod::implicit},
                                             {"sdirk", MotionMethod::sdirk}};

WordTable<DynamicForm> dynamic_forms() {
  return {{"augmented", DynamicForm::augmented},
          {"kkt", DynamicForm::kkt},
          {"range-space", DynamicForm::range_space},
          {"null-space", DynamicForm::null_space},
          {"tree", DynamicForm::tree},
          {"udwadia-kalaba", DynamicForm::udwadia_kalaba},
          {"penalty", DynamicForm::penalty}};
}

const WordTable<PseudoinverseMethod> pseudoinverses{{"svd", PseudoinverseMethod::svd},
                                                    {"varga", PseudoinverseMethod::varga},
                                                    {"greville", PseudoinverseMethod::greville},
                                                    {"householder", PseudoinverseMethod::householder},
                                                    {"gram-schmidt", PseudoinverseMethod::gram_schmidt}};

/// Outputs come first, as a coordinate may be called like one.
Crossing crossing_of(const Model& model, const std::string& name, double value) {
  for (Index i = 0; i < model.outputs(); ++i) {
    if (model.output_name(i) == name) return {i, value};
  }
  return {coordinate_called(model, name), value, true};
}

MotionOptions motion_options(const Model& model, Index named_outputs, const State& start, double start_time,
                             const MotionRequest& request) {
  MotionOptions how;
  if (!(request.until > start_time))
    throw Error(
        fmt::format("until={:g}: the motion starts at {:g} s; its end must be later", request.until, start_time));
  const double every = request.every.value_or((request.until - start_time) / usual::motion_records);
  if (!(every > 0)) throw Error(fmt::format("every={:g}: this must be above zero", every));
  how.start_time = start_time;
  how.times = times_until(request.until, every, start_time);
  const WordTable<int> stabilizations{{"projection", 0}, {"baumgarte", 1}, {"none", 2}};
  const int stabilization = meaning("stabilize", request.stabilize, stabilizations);
  how.projects = stabilization == 0;
  how.form.form = stabilization == 1 ? DynamicForm::baumgarte : meaning("form", request.form, dynamic_forms());
  how.form.pseudoinverse.method = meaning("pseudoinverse", request.pseudoinverse, pseudoinverses);
  for (const auto& [name, value] : request.stops) how.crossings.push_back(crossing_of(model, name, value));
  how.keeps_states = request.all_coordinates || named_outputs == 0;
  how.method = request.method == "auto" ? choose_method(model, start, request.until - start_time).method
                                        : meaning("method", request.method, motion_methods);
  const bool is_implicit = how.method == MotionMethod::implicit || how.method == MotionMethod::sdirk;
  if (request.tolerance || is_implicit) how.tolerance = request.tolerance.value_or(usual::implicit_tolerance);
  return how;
}

Eigen::MatrixXd linear_outputs(const Model& model, const Equilibrium& rest, const State& start,
                               const MotionOptions& how, const std::vector<double>& times) {
  return linear_motion(model, rest, linearize(model, rest), start,
                       {.start_time = how.start_time, .times = times, .inputs = how.inputs});
}

MotionHandle move(const Model& named, const MotionBeginning& beginning, const MotionRequest& request, Watch& watch) {
  if (request.linear && !beginning.rest)
    throw Error("linear needs start='equilibrium': the linear model is that about an equilibrium");
  const InputMotion inputs = inputs_over_time(named, beginning.state.u, request);
  const State start = consistent(named, beginning, inputs, request);
  const Model model = request.reactions ? named.with_reactions() : named;
  MotionOptions how = motion_options(model, named.outputs(), start, beginning.time, request);
  how.inputs = inputs;
  how.stops = [&watch](const MotionRecord&) { return watch.is_cancelled(); };
  how.progress = [&watch](double, const std::string& text) { watch.say(text); };
  Motion motion = integrate(model, start, how);
  MotionSupplement supplement;
  if (request.linear) supplement.linear = linear_outputs(named, *beginning.rest, start, how, motion.times);
  if (request.identify) supplement.identified = identified_in(named.outputs() > 0 ? named : model, motion);
  return {model, std::move(motion), std::move(supplement)};
}

MotionRequest motion_request(const py::dict& asked) {
  MotionRequest request;
  request.until = asked["until"].cast<double>();
  request.every = given<double>(asked, "every");
  for (auto& [key, to] : {std::pair{"rate", &request.rates}, std::pair{"stop", &request.stops}})
    *to = given<Settings>(asked, key).value_or(Settings{});
  request.expressions = given<InputWords>(asked, "expressions").value_or(InputWords{});
  request.tables = given<InputTables>(asked, "tables").value_or(InputTables{});
  request.perturbation = given<std::pair<Index, double>>(asked, "perturb");
  request.method = given<std::string>(asked, "method").value_or(request.method);
  request.stabilize = given<std::string>(asked, "stabilize").value_or(request.stabilize);
  request.form = given<std::string>(asked, "form").value_or(request.form);
  request.pseudoinverse = given<std::string>(asked, "pseudoinverse").value_or(request.pseudoinverse);
  request.tolerance = given<double>(asked, "tolerance");
  request.all_coordinates = given<bool>(asked, "all_coordinates").value_or(false);
  request.reactions = given<bool>(asked, "reactions").value_or(false);
  request.linear = given<bool>(asked, "linear").value_or(false);
  request.identify = given<bool>(asked, "identify").value_or(false);
  return request;
}

// ---------------------------------------------------------------------------------------------------------------------
// What was recorded

py::dict facts_of(const MotionHandle& handle) {
  const Motion& motion = handle.motion;
  const Model& model = handle.model;
  const auto times = std::ssize(motion.times);
  const bool has_states = !motion.states.empty();
  Eigen::MatrixXd coordinates(has_states ? model.coordinates() : 0, has_states ? times : 0);
  std::vector<std::string> coordinate_names, output_names;
  for (Index i = 0; i < coordinates.rows(); ++i) {
    const std::vector<double> values = coordinate_over_time(model, motion, i);
    coordinates.row(i) = Eigen::Map<const Eigen::RowVectorXd>(values.data(), std::ssize(values));
    coordinate_names.push_back(model.coordinate_name(i));
  }
  for (Index i = 0; i < model.outputs(); ++i) output_names.push_back(model.output_name(i));
  const auto array = [](const std::vector<double>& values) {
    return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
  };
  return py::dict(
      "name"_a = model.name(), "times"_a = array(motion.times), "outputs"_a = motion.outputs,
      "output_names"_a = output_names, "coordinates"_a = std::move(coordinates),
      "coordinate_names"_a = coordinate_names, "kinetic"_a = array(motion.kinetic),
      "potential"_a = array(motion.potential), "work"_a = array(motion.work), "imbalance"_a = array(motion.imbalance),
      "linear"_a = handle.supplement.linear, "status"_a = status_of(motion), "message"_a = motion.message,
      "method"_a = name_of(motion.method), "end_time"_a = motion.end_time,
      "largest_imbalance"_a = motion.largest_imbalance, "position_drift"_a = motion.position_drift,
      "rate_drift"_a = motion.rate_drift,
      "singular_times"_a =
          [&] {
            std::vector<double> passed;
            for (const SingularPassage& passage : motion.singular) passed.push_back(passage.time);
            return passed;
          }(),
      "summary"_a = summary_of(motion));
}

}  // namespace

void bind_motions(py::module_& module) {
  py::class_<MotionHandle>(module, "MotionReport")
      .def("facts", &facts_of)
      .def("json", [](const MotionHandle& h) { return to_json(h.model, h.motion, h.supplement); })
      .def("text", [](const MotionHandle& h) { return to_csv(h.model, h.motion, h.supplement); })
      .def("npz", [](const MotionHandle& h) { return py::bytes(to_npz(h.model, h.motion, h.supplement)); })
      .def("svg", [](const MotionHandle& h) { return to_svg(h.model, h.motion, h.supplement); });
  module.def(
      "motion_from_guess",
      [](const ModelHandle& handle, const py::dict& asked, const py::dict& rest, const py::object& show) {
        require_no_controllers(handle.model, handle.controllers);
        const MotionRequest request = motion_request(asked);
        return watched(show, [handle, request, how = rest_request(rest)](Watch& watch) {
          const RestSearch search = held(handle, how);
          return move(search.model, at_guess(search), request, watch);
        });
      },
      "model"_a, "asked"_a, "rest"_a, "show"_a);
  module.def(
      "motion_from_rest",
      [](const RestHandle& handle, const py::dict& asked, const py::object& show) {
        require_no_controllers(handle.model, handle.controllers);
        const MotionRequest request = motion_request(asked);
        return watched(show, [handle, request](Watch& watch) {
          return move(handle.model, on_equilibrium(handle, request), request, watch);
        });
      },
      "rest"_a, "asked"_a, "show"_a);
  module.def(
      "motion_from_file",
      [](const ModelHandle& handle, const std::string& path, const py::dict& asked, const py::dict& rest,
         const py::object& show) {
        require_no_controllers(handle.model, handle.controllers);
        const MotionRequest request = motion_request(asked);
        return watched(show, [handle, path, request, how = rest_request(rest)](Watch& watch) {
          const Model model = held(handle, how).model;
          const MotionEnd reached = read_end_of_motion(model, path);
          return move(model, {operating_point(model, how.at, reached.state).state, {}, reached.time}, request, watch);
        });
      },
      "model"_a, "path"_a, "asked"_a, "rest"_a, "show"_a);
  module.def(
      "motion_continued",
      [](const ModelHandle& handle, const MotionHandle& before, const py::dict& asked, const py::dict& rest,
         const py::object& show) {
        require_no_controllers(handle.model, handle.controllers);
        const MotionRequest request = motion_request(asked);
        if (before.model.coordinates() != handle.model.coordinates() || before.model.name() != handle.model.name())
          throw Error("start: this is the motion of another model");
        return watched(show, [handle, end = before.motion.end, time = before.motion.end_time, request,
                              how = rest_request(rest)](Watch& watch) {
          const Model model = held(handle, how).model;
          return move(model, {operating_point(model, how.at, end).state, {}, time}, request, watch);
        });
      },
      "model"_a, "before"_a, "asked"_a, "rest"_a, "show"_a);
}

}  // namespace stillpoint::python
