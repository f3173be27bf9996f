// Studies over parameters: sensitivities, sweeps, critical points and paths of equilibria; and the truth test.
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "python/arrays.h"
#include "python/handles.h"
#include "python/watched.h"
#include "python/words.h"
#include "stillpoint/continuation.h"
#include "stillpoint/critical.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/sensitivity.h"
#include "stillpoint/sweep.h"
#include "stillpoint/verify_modes.h"

namespace py = pybind11;
using namespace py::literals;

namespace stillpoint::python {

namespace {

struct SensitivityHandle {
  Sensitivity found;
  Model model;
  std::vector<std::string> warnings;
};
struct SweepHandle {
  Sweep sweep;
  Model model;
};
struct CriticalHandle {
  CriticalPoints found;
  Model model;
};
struct TargetsHandle {
  TargetPoints found;
};
struct BranchHandle {
  EquilibriumBranch branch;
  Model model;
};
struct VerificationHandle {
  Verification found;
  std::string name;
  std::vector<std::string> warnings;
};

// ---------------------------------------------------------------------------------------------------------------------
// Where a study begins

const ModelFamily& family_of(const ModelHandle& handle) {
  require_no_controllers(handle.model, handle.controllers);
  if (!handle.family)
    throw Error("this model was not read from a file or a text, so that it has no parameters to vary");
  return *handle.family;
}

bool is_parameter(const std::string& name) {
  return name.find(':') == std::string::npos && name.find('.') == std::string::npos;
}

/// A parameter "k", an input "input:motor", or a number of an element "spring[3].stiffness".
Variation variation_called(const std::string& name, const ModelFamily& family, const Model& model,
                           const Parameters& settings = {}) {
  constexpr std::string_view of_input = "input:";
  if (name.starts_with(of_input)) return input_of(model, name.substr(of_input.size()));
  if (name.find('.') != std::string::npos) return number_of(model, name);
  return parameter_of(family, name, settings);
}

Equilibrium at_rest(const Model& model, const State& guess, const std::vector<Index>& held) {
  if (!model.preloaded().empty())
    throw Error(
        "parameter studies do not preload springs, since these would be others for each value: write the free lengths "
        "that preload finds into the model");
  EquilibriumOptions how;
  how.held = held;
  Equilibrium rest = find_equilibrium(model, guess, how);
  if (rest.status != EquilibriumStatus::at_rest) throw Undecided(rest.message);
  return rest;
}

/// The equilibrium at a value of what is varied.
struct StudyBeginning {
  Model model;
  Variation variation;
  Equilibrium rest;
};

StudyBeginning begin_study(const ModelHandle& handle, const std::string& name, double value, const Settings& at) {
  const ModelFamily& family = family_of(handle);
  const Parameters settings = is_parameter(name) ? Parameters{{name, value}} : Parameters{};
  Model model = family.at(settings);
  OperatingPoint point = operating_point(model, at);
  Variation variation = variation_called(name, family, model, settings);
  variation.value = value;
  if (variation.input) point.state.u[*variation.input] = value;
  else model = variation.model_at(value);
  Equilibrium rest = at_rest(model, point.state, point.coordinates);
  return {std::move(model), std::move(variation), std::move(rest)};
}

template <class Options>
Options watched_options(Options options, Watch& watch) {
  options.progress = watch.sink();
  options.stop = watch.stop();
  return options;
}

// ---------------------------------------------------------------------------------------------------------------------
// Sensitivities

SensitivityHandle find_rates(const ModelHandle& handle, const std::vector<std::string>& names, Index count,
                             std::optional<Index> number, const Settings& at, Watch& watch) {
  const ModelFamily& family = family_of(handle);
  const OperatingPoint point = operating_point(handle.model, at);
  const Equilibrium rest = at_rest(handle.model, point.state, point.coordinates);
  const LinearSystem system = linearize(handle.model, rest);
  ModesWithRates asked = lowest_modes(system, number.value_or(count), watch.sink());
  if (number) {
    if (*number < 1 || static_cast<std::size_t>(*number) > asked.modes.size())
      throw Error(
          fmt::format("mode={}: the mechanism has {} modes, which are counted from 1", *number, asked.modes.size()));
    asked = equal_modes(asked, *number);
  }
  std::vector<Variation> variations;
  for (const std::string& name : names) variations.push_back(variation_called(name, family, handle.model));
  if (names.empty()) variations = variations_of(family);
  Sensitivity found = find_sensitivity(system, rest, asked.modes, variations);
  found.first_mode = asked.first;
  return {std::move(found), handle.model, std::move(asked.warnings)};
}

py::dict facts_of_sensitivity(const SensitivityHandle& handle) {
  const Sensitivity& found = handle.found;
  const auto rows = std::ssize(found.parameters), columns = std::ssize(found.modes);
  constexpr std::complex<double> unset{Mode::unset, Mode::unset};
  Eigen::MatrixXcd rates = Eigen::MatrixXcd::Constant(rows, columns, unset), frozen = rates;
  Eigen::MatrixXd hertz = Eigen::MatrixXd::Constant(rows, columns, Mode::unset), damping = hertz;
  std::vector<std::string> names, refused;
  Eigen::VectorXd values(rows);
  Eigen::VectorXcd s(columns);
  for (Eigen::Index j = 0; j < columns; ++j) s[j] = found.modes[static_cast<std::size_t>(j)].s;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const ParameterSensitivity& one = found.parameters[static_cast<std::size_t>(i)];
    names.push_back(one.parameter.name);
    refused.push_back(one.refused);
    values[i] = one.parameter.value;
    for (Eigen::Index j = 0; j < std::min(columns, static_cast<Eigen::Index>(std::ssize(one.modes))); ++j) {
      const ModeRate& rate = one.modes[static_cast<std::size_t>(j)];
      const Mode& mode = found.modes[static_cast<std::size_t>(j)];
      rates(i, j) = rate.s;
      frozen(i, j) = rate.frozen;
      hertz(i, j) = frequency_rate(mode, rate.s);
      damping(i, j) = damping_ratio_rate(mode, rate.s);
    }
  }
  return py::dict("parameters"_a = names, "values"_a = std::move(values), "refused"_a = refused, "s"_a = std::move(s),
                  "rates"_a = std::move(rates), "frozen"_a = std::move(frozen), "frequency_rates"_a = std::move(hertz),
                  "damping_rates"_a = std::move(damping), "warnings"_a = handle.warnings,
                  "name"_a = handle.model.name());
}

// ---------------------------------------------------------------------------------------------------------------------
// Sweeps

const WordTable<Spacing> spacings{{"linear", Spacing::linear}, {"log", Spacing::logarithmic}};

SweepHandle sweep(const ModelHandle& handle, const std::string& name, const std::vector<double>& values,
                  const SweepOptions& how, const Settings& at, Watch& watch) {
  const StudyBeginning study = begin_study(handle, name, values.front(), at);
  return {sweep_modes(study.variation, study.rest, values, watched_options(how, watch)), study.model};
}

py::dict facts_of_sweep(const SweepHandle& handle) {
  const Sweep& found = handle.sweep;
  const auto count = std::ssize(found.points);
  Eigen::VectorXd values(count);
  Eigen::MatrixXd q(handle.model.coordinates(), count);
  std::vector<std::string> verdicts;
  std::vector<bool> certified;
  for (Eigen::Index k = 0; k < count; ++k) {
    const SweepPoint& point = found.points[static_cast<std::size_t>(k)];
    values[k] = point.parameter;
    q.col(k) = point.q;
    verdicts.emplace_back(to_words(point.verdict.stability));
    certified.push_back(point.certified);
  }
  py::list events;
  for (const SweepEvent& event : found.events) {
    events.append(py::dict("kind"_a = to_words(event.kind), "parameter"_a = event.parameter, "error"_a = event.error,
                           "s"_a = event.s, "branches"_a = event.branches, "gap"_a = event.gap,
                           "destabilizes"_a = event.destabilizes));
  }
  py::list uncertain;
  for (const FollowedModes::Interval& interval : found.uncertain)
    uncertain.append(py::make_tuple(interval.from, interval.to));
  return py::dict("name"_a = found.model, "parameter"_a = found.parameter, "unit"_a = found.unit,
                  "values"_a = std::move(values), "s"_a = found.s, "q"_a = std::move(q), "verdicts"_a = verdicts,
                  "certified"_a = certified, "events"_a = events, "uncertain"_a = uncertain,
                  "is_partial"_a = found.is_partial, "ended"_a = found.ended);
}

// ---------------------------------------------------------------------------------------------------------------------
// Critical points, and where a mode has a given frequency or damping

struct Interval {
  std::string name;
  double from = 0, to = 0;
};

CriticalHandle critical(const ModelHandle& handle, const Interval& over, const CriticalOptions& how, const Settings& at,
                        Watch& watch) {
  const StudyBeginning study = begin_study(handle, over.name, over.from, at);
  return {find_critical_points(study.variation, study.rest, over.from, over.to, watched_options(how, watch)),
          study.model};
}

TargetsHandle targets(const ModelHandle& handle, const Interval& over, const ModeTarget& target,
                      const CriticalOptions& how, const Settings& at, Watch& watch) {
  const StudyBeginning study = begin_study(handle, over.name, over.from, at);
  return {find_targets(study.variation, study.rest, over.from, over.to, target, watched_options(how, watch))};
}

py::dict facts_of_critical(const CriticalHandle& handle) {
  py::list points;
  for (const CriticalPoint& point : handle.found.points) {
    points.append(py::dict("kind"_a = to_words(point.kind), "parameter"_a = point.parameter, "error"_a = point.error,
                           "s"_a = point.s, "slope"_a = point.slope, "shape"_a = point.shape,
                           "unstable_before"_a = point.unstable_before, "unstable_after"_a = point.unstable_after,
                           "certified"_a = point.certified, "note"_a = point.note));
  }
  return py::dict("name"_a = handle.found.model, "parameter"_a = handle.found.parameter, "points"_a = points,
                  "is_partial"_a = handle.found.is_partial, "ended"_a = handle.found.ended,
                  "is_explained"_a = handle.found.unexplained.empty());
}

py::dict facts_of_targets(const TargetsHandle& handle) {
  const CriticalPoints& search = handle.found.search;
  py::list points;
  for (const TargetPoint& point : handle.found.points) {
    points.append(py::dict("parameter"_a = point.parameter, "error"_a = point.error, "mode"_a = point.mode,
                           "s"_a = point.s, "slope"_a = point.slope));
  }
  return py::dict("name"_a = search.model, "parameter"_a = search.parameter, "points"_a = points,
                  "is_partial"_a = search.is_partial, "ended"_a = search.ended);
}

// ---------------------------------------------------------------------------------------------------------------------
// Paths of equilibria

BranchHandle follow(const ModelHandle& handle, const std::string& name, double start, const ContinuationOptions& how,
                    const Settings& at, Watch& watch) {
  const StudyBeginning study = begin_study(handle, name, start, at);
  return {follow_equilibria(study.variation, study.rest, watched_options(how, watch)), study.model};
}

Eigen::VectorXd values_at(const Model& model, const State& state) {
  Eigen::VectorXd values(model.coordinates());
  for (Index i = 0; i < model.coordinates(); ++i) values[i] = coordinate_value(model, state, i);
  return values;
}

py::dict facts_of_branch(const EquilibriumBranch& branch, const Model& model) {
  const auto count = std::ssize(branch.samples);
  Eigen::VectorXd values(count), lengths(count);
  Eigen::MatrixXd q(model.coordinates(), count);
  std::vector<std::string> verdicts;
  for (Eigen::Index k = 0; k < count; ++k) {
    const EquilibriumSample& sample = branch.samples[static_cast<std::size_t>(k)];
    values[k] = sample.parameter;
    lengths[k] = sample.length;
    q.col(k) = values_at(model, sample.state);
    verdicts.emplace_back(to_words(sample.verdict.stability));
  }
  py::list events, crossing;
  for (const BranchEvent& event : branch.events) {
    events.append(py::dict("kind"_a = to_words(event.kind), "parameter"_a = event.parameter, "error"_a = event.error,
                           "length"_a = event.length, "q"_a = values_at(model, event.state),
                           "direction"_a = event.direction));
  }
  for (const EquilibriumBranch& other : branch.crossing) crossing.append(facts_of_branch(other, model));
  return py::dict("name"_a = branch.model, "parameter"_a = branch.parameter, "unit"_a = branch.unit,
                  "values"_a = std::move(values), "lengths"_a = std::move(lengths), "q"_a = std::move(q),
                  "verdicts"_a = verdicts, "events"_a = events, "crossing"_a = crossing,
                  "reached_end"_a = branch.reached_end, "ended"_a = branch.ended);
}

// ---------------------------------------------------------------------------------------------------------------------
// The truth test

VerificationHandle verify(const RestHandle& handle, std::optional<Index> count, double amplitude, Watch& watch) {
  require_no_controllers(handle.model, handle.controllers);
  const LinearSystem system = linearize(handle.model, handle.rest);
  VerifyOptions how{.amplitude = amplitude, .progress = watch.sink()};
  if (system.singular) {
    if (count) how.most_modes = static_cast<std::size_t>(*count);
    const std::vector<BranchSpectrum> spectra = solve_branches(system);
    return {verify_branches(handle.model, handle.rest, system, spectra, how), handle.model.name(), {}};
  }
  AnalysisOptions search;
  if (count) search.modes.which = Lowest{*count};
  search.modes.progress = watch.sink();
  const FoundModes found = find_modes(system, Method::mcs, search);
  return {verify_modes(handle.model, handle.rest, system, found.spectrum, how), handle.model.name(),
          found.spectrum.warnings};
}

py::dict facts_of_verification(const VerificationHandle& handle) {
  const std::vector<VerifiedMode>& modes = handle.found.modes;
  const auto count = std::ssize(modes);
  Eigen::VectorXcd s(count), from_motion(count);
  Eigen::VectorXd difference(count), bar(count);
  std::vector<bool> done, agrees;
  std::vector<std::string> notes, branches;
  for (Eigen::Index k = 0; k < count; ++k) {
    const VerifiedMode& one = modes[static_cast<std::size_t>(k)];
    s[k] = one.s;
    from_motion[k] = one.from_motion;
    difference[k] = one.difference;
    bar[k] = one.bar;
    done.push_back(one.is_done);
    agrees.push_back(one.agrees);
    notes.push_back(one.note);
    branches.push_back(one.branch);
  }
  return py::dict("name"_a = handle.name, "s"_a = std::move(s), "from_motion"_a = std::move(from_motion),
                  "difference"_a = std::move(difference), "bar"_a = std::move(bar), "is_done"_a = done,
                  "agree"_a = agrees, "notes"_a = notes, "branches"_a = branches, "agrees"_a = handle.found.agrees(),
                  "warnings"_a = handle.warnings);
}

// ---------------------------------------------------------------------------------------------------------------------

void bind_handles(py::module_& module) {
  py::class_<SensitivityHandle>(module, "SensitivityReport")
      .def("facts", &facts_of_sensitivity)
      .def("json", [](const SensitivityHandle& h) { return to_json(h.found, h.model); })
      .def("text", [](const SensitivityHandle& h) { return to_text(h.found, h.model); });
  py::class_<SweepHandle>(module, "SweepReport")
      .def("facts", &facts_of_sweep)
      .def("json", [](const SweepHandle& h) { return to_json(h.sweep, h.model); })
      .def("text", [](const SweepHandle& h) { return to_text(h.sweep); })
      .def("csv", [](const SweepHandle& h) { return to_csv(h.sweep); })
      .def(
          "svg", [](const SweepHandle& h, bool locus) { return locus ? to_root_locus_svg(h.sweep) : to_svg(h.sweep); },
          "locus"_a);
  py::class_<CriticalHandle>(module, "CriticalReport")
      .def("facts", &facts_of_critical)
      .def("json", [](const CriticalHandle& h) { return to_json(h.found, h.model); })
      .def("text", [](const CriticalHandle& h) { return to_text(h.found, h.model); });
  py::class_<TargetsHandle>(module, "TargetsReport")
      .def("facts", &facts_of_targets)
      .def("json", [](const TargetsHandle& h) { return to_json(h.found); })
      .def("text", [](const TargetsHandle& h) { return to_text(h.found); });
  py::class_<BranchHandle>(module, "BranchReport")
      .def("facts", [](const BranchHandle& h) { return facts_of_branch(h.branch, h.model); })
      .def("json", [](const BranchHandle& h) { return to_json(h.branch, h.model); })
      .def("text", [](const BranchHandle& h) { return to_text(h.branch, h.model); })
      .def("csv", [](const BranchHandle& h) { return to_csv(h.branch, h.model); })
      .def(
          "svg", [](const BranchHandle& h, const std::string& name) { return to_svg(h.branch, h.model, name); },
          "coordinate"_a);
  py::class_<VerificationHandle>(module, "VerificationReport")
      .def("facts", &facts_of_verification)
      .def("json", [](const VerificationHandle& h) { return to_json(h.found, h.name); })
      .def("text", [](const VerificationHandle& h) { return to_text(h.found); });
}

void bind_calls(py::module_& module) {
  module.def(
      "sensitivity",
      [](const ModelHandle& model, const std::vector<std::string>& names, Index count, std::optional<Index> mode,
         const Settings& at, const py::object& show) {
        return watched(show, [=](Watch& watch) { return find_rates(model, names, count, mode, at, watch); });
      },
      "model"_a, "parameters"_a, "count"_a, "mode"_a, "at"_a, "show"_a);
  module.def(
      "sweep",
      [](const ModelHandle& model, const std::string& over, const std::vector<double>& values, Index count,
         const std::string& spacing, const Settings& at, const py::object& show) {
        const SweepOptions how{.spacing = meaning("spacing", spacing, spacings), .count = count};
        return watched(show, [=](Watch& watch) { return sweep(model, over, values, how, at, watch); });
      },
      "model"_a, "over"_a, "values"_a, "count"_a, "spacing"_a, "at"_a, "show"_a);
  module.def(
      "critical",
      [](const ModelHandle& model, const std::string& over, double from, double to, Index points, const Settings& at,
         const py::object& show) {
        return watched(show, [=](Watch& watch) {
          return critical(model, {over, from, to}, {.points = points}, at, watch);
        });
      },
      "model"_a, "over"_a, "from_"_a, "to"_a, "points"_a, "at"_a, "show"_a);
  module.def(
      "targets",
      [](const ModelHandle& model, const std::string& over, double from, double to, const std::string& quantity,
         double value, Index mode, Index points, const Settings& at, const py::object& show) {
        const WordTable<ModeTarget::Quantity> quantities{{"frequency", ModeTarget::Quantity::frequency_hz},
                                                         {"damping", ModeTarget::Quantity::damping_ratio}};
        const ModeTarget target{meaning("target", quantity, quantities), value, mode};
        return watched(show, [=](Watch& watch) {
          return targets(model, {over, from, to}, target, {.points = points}, at, watch);
        });
      },
      "model"_a, "over"_a, "from_"_a, "to"_a, "quantity"_a, "value"_a, "mode"_a, "points"_a, "at"_a, "show"_a);
  module.def(
      "follow",
      [](const ModelHandle& model, const std::string& over, double from, double to, double start, bool downwards,
         Index points, double step, bool branches, const Settings& at, const py::object& show) {
        const ContinuationOptions how{.from = from,
                                      .to = to,
                                      .downwards = downwards,
                                      .most_points = points,
                                      .crossing_branches = branches,
                                      .largest_step = step};
        return watched(show, [=](Watch& watch) { return follow(model, over, start, how, at, watch); });
      },
      "model"_a, "over"_a, "from_"_a, "to"_a, "start"_a, "downwards"_a, "points"_a, "step"_a, "branches"_a, "at"_a,
      "show"_a);
  module.def(
      "verify",
      [](const RestHandle& rest, std::optional<Index> count, double amplitude, const py::object& show) {
        return watched(show, [=](Watch& watch) { return verify(rest, count, amplitude, watch); });
      },
      "rest"_a, "count"_a, "amplitude"_a, "show"_a);
}

}  // namespace

void bind_studies(py::module_& module) {
  bind_handles(module);
  bind_calls(module);
}

}  // namespace stillpoint::python
