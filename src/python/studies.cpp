// Studies over parameters: sensitivities, sweeps, critical points and paths of equilibria; and the truth test.
#include <pybind11/complex.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <numbers>

#include "python/arrays.h"
#include "python/handles.h"
#include "python/rest_request.h"
#include "python/study_beginning.h"
#include "python/watched.h"
#include "python/words.h"
#include "stillpoint/continuation.h"
#include "stillpoint/critical.h"
#include "stillpoint/plane_start.h"
#include "stillpoint/response_rates.h"
#include "stillpoint/sensitivity.h"
#include "stillpoint/stability_map.h"
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
struct ResponseSensitivityHandle {
  ResponseSensitivity found;
  std::string name;
};
struct SweepHandle {
  Sweep sweep;
  Model model;
};
struct MapHandle {
  StabilityMap map;
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
// Sensitivities

struct SensitivityRequest {
  std::vector<std::string> names;
  Index count = 0;
  std::optional<Index> mode;
  RestRequest rest;
};

/// Those that are asked for; without names all that do not count things.
std::vector<Variation> variations_in(const SensitivityRequest& request, const ModelFamily& family, const Model& model) {
  if (request.names.empty()) return variations_of(family);
  std::vector<Variation> variations;
  for (const std::string& name : request.names) variations.push_back(variation_called(name, family, model));
  return variations;
}

SensitivityHandle find_rates(const ModelHandle& handle, const SensitivityRequest& request, Watch& watch) {
  const ModelFamily family = family_of(handle);
  const Equilibrium rest = at_rest(search_for(handle.model, request.rest));
  const LinearSystem system = linearize(handle.model, rest);
  ModesWithRates asked = lowest_modes(system, request.mode.value_or(request.count), watch.sink());
  if (const auto number = request.mode) {
    if (*number < 1 || static_cast<std::size_t>(*number) > asked.modes.size())
      throw Error(
          fmt::format("mode={}: the mechanism has {} modes, which are counted from 1", *number, asked.modes.size()));
    asked = equal_modes(asked, *number);
  }
  const std::vector<Variation> variations = variations_in(request, family, handle.model);
  Sensitivity found = find_sensitivity(system, rest, asked.modes, variations, watch.sink());
  found.first_mode = asked.first;
  return {std::move(found), handle.model, std::move(asked.warnings)};
}

py::dict facts_of_sensitivity(const SensitivityHandle& handle) {
  const Sensitivity& found = handle.found;
  const auto rows = std::ssize(found.parameters), columns = std::ssize(found.modes);
  constexpr std::complex<double> unset{Mode::unset, Mode::unset};
  Eigen::MatrixXcd rates = Eigen::MatrixXcd::Constant(rows, columns, unset), frozen = rates;
  Eigen::MatrixXd hertz = Eigen::MatrixXd::Constant(rows, columns, Mode::unset), damping = hertz;
  Eigen::MatrixXd moved = Eigen::MatrixXd::Constant(rows, handle.model.coordinates(), Mode::unset);
  std::vector<std::string> names, refused;
  Eigen::VectorXd values(rows);
  Eigen::VectorXcd s(columns);
  for (Eigen::Index j = 0; j < columns; ++j) s[j] = found.modes[static_cast<std::size_t>(j)].s;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const ParameterSensitivity& one = found.parameters[static_cast<std::size_t>(i)];
    names.push_back(one.parameter.name);
    refused.push_back(one.refused);
    values[i] = one.parameter.value;
    if (one.refused.empty()) moved.row(i) = one.rates.q;
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
                  "damping_rates"_a = std::move(damping), "equilibrium_rates"_a = std::move(moved),
                  "warnings"_a = handle.warnings, "name"_a = handle.model.name());
}

ResponseSensitivityHandle find_response_rates(const ModelHandle& handle, const SensitivityRequest& request,
                                              const std::vector<ResponseRequest>& responses, Watch& watch) {
  const ModelFamily family = family_of(handle);
  const Equilibrium rest = at_rest(search_for(handle.model, request.rest));
  return {find_response_sensitivity(linearize(handle.model, rest), rest, responses,
                                    variations_in(request, family, handle.model), watch.sink()),
          handle.model.name()};
}

py::dict facts_of_response_rates(const ResponseSensitivityHandle& handle) {
  const ResponseSensitivity& found = handle.found;
  const auto rows = std::ssize(found.parameters), columns = std::ssize(found.requests);
  Eigen::MatrixXcd rates = Eigen::MatrixXcd::Constant(rows, columns, {Mode::unset, Mode::unset});
  Eigen::MatrixXd errors = Eigen::MatrixXd::Constant(rows, columns, Mode::unset), decibels = errors, phases = errors;
  std::vector<std::string> names, refused, inputs, outputs;
  Eigen::VectorXd values(rows), omega(columns);
  Eigen::VectorXcd H(columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const ResponseRequest& request = found.requests[static_cast<std::size_t>(j)];
    inputs.push_back(request.input);
    outputs.push_back(request.output);
    omega[j] = request.omega;
    H[j] = found.values[static_cast<std::size_t>(j)];
  }
  for (Eigen::Index i = 0; i < rows; ++i) {
    const ResponseSensitivity::OfParameter& one = found.parameters[static_cast<std::size_t>(i)];
    names.push_back(one.parameter.name);
    refused.push_back(one.refused);
    values[i] = one.parameter.value;
    for (Eigen::Index j = 0; j < std::min(columns, static_cast<Eigen::Index>(std::ssize(one.rates))); ++j) {
      const ResponseRate& rate = one.rates[static_cast<std::size_t>(j)];
      rates(i, j) = rate.rate;
      errors(i, j) = rate.error;
      decibels(i, j) = decibel_rate(H[j], rate.rate);
      phases(i, j) = phase_rate(H[j], rate.rate);
    }
  }
  return py::dict("parameters"_a = names, "values"_a = std::move(values), "refused"_a = refused, "inputs"_a = inputs,
                  "outputs"_a = outputs, "omega"_a = std::move(omega), "H"_a = std::move(H),
                  "rates"_a = std::move(rates), "errors"_a = std::move(errors), "decibel_rates"_a = std::move(decibels),
                  "phase_rates"_a = std::move(phases), "name"_a = handle.name);
}

// ---------------------------------------------------------------------------------------------------------------------
// Sweeps

SweepHandle sweep(const ModelHandle& handle, const std::string& name, const std::vector<double>& values,
                  const SweepOptions& how, const RestRequest& rest, Watch& watch) {
  const StudyBeginning study = begin_study(family_of(handle), name, values.front(), rest);
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
// Maps of stability over two parameters

struct MapRequest {
  std::string first, second;
  std::vector<double> first_values, second_values;
  MapOptions how;
  RestRequest rest;
};

bool counts_things(const ModelFamily& family, const std::string& name) {
  const std::vector<ModelParameter> all = family.parameters();
  return std::any_of(all.begin(), all.end(),
                     [&](const ModelParameter& parameter) { return parameter.name == name && parameter.is_integer; });
}

/// The equilibrium of a row is followed along the second parameter; where that counts things, each row has a model of
/// its own, and the equilibrium is sought.
RowStartAt row_starts(const ModelFamily& family, const MapRequest& map, bool second_counts) {
  const auto study_at = [family, map](double second) {
    return begin_study(family, map.first, map.first_values.front(), map.rest, {{map.second, second}});
  };
  if (second_counts)
    return [study_at](double second) {
      StudyBeginning study = study_at(second);
      return RowStart{std::move(study.variation), std::move(study.rest)};
    };
  const StudyBeginning start = study_at(map.second_values.front());
  return start_plane(family, start.variation, start.rest, map.second, map.second_values.front(),
                     map.second_values.back())
      .start;
}

MapHandle map_two(const ModelHandle& handle, const MapRequest& map, Watch& watch) {
  const ModelFamily family = family_of(handle);
  require_two_parameters(map.first, map.second);
  const bool second_counts = counts_things(family, map.second);
  MapOptions how = watched_options(map.how, watch);
  if (second_counts) how.most_divisions = 0;
  return {map_stability(row_starts(family, map, second_counts), map.second, map.second_values, map.first_values, how)};
}

py::dict facts_of_map(const MapHandle& handle) {
  const StabilityMap& map = handle.map;
  std::vector<double> rows;
  for (const MapRow& row : map.rows) rows.push_back(row.value);
  py::list boundaries;
  for (const MapBoundary& boundary : map.boundaries) {
    const auto count = std::ssize(boundary.points);
    Eigen::VectorXd first(count), second(count), error(count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const MapBoundary::Point& point = boundary.points[static_cast<std::size_t>(k)];
      first[k] = point.first, second[k] = point.second, error[k] = point.error;
    }
    boundaries.append(py::dict("kind"_a = to_words(boundary.kind), "destabilizes"_a = boundary.destabilizes,
                               "first"_a = std::move(first), "second"_a = std::move(second),
                               "error"_a = std::move(error)));
  }
  return py::dict("name"_a = map.model, "first"_a = map.first, "second"_a = map.second, "rows"_a = rows,
                  "boundaries"_a = boundaries, "is_partial"_a = map.is_partial, "ended"_a = map.ended);
}

// ---------------------------------------------------------------------------------------------------------------------
// Critical points, and where a mode has a given frequency or damping

struct Interval {
  std::string name;
  double from = 0, to = 0;
};

/// Those of the other parameters whose rates are wanted, where the one that is varied has a value.
std::vector<Variation> other_variations(const ModelFamily& family, const std::vector<std::string>& names,
                                        const Variation& varied, double value) {
  const bool is_parameter = !varied.input && varied.name.find('.') == std::string::npos;
  const Parameters settings = is_parameter ? Parameters{{varied.name, value}} : Parameters{};
  const Model model = varied.model_at(value);
  std::vector<Variation> others;
  for (const std::string& name : names)
    if (name != varied.name) others.push_back(variation_called(name, family, model, settings));
  return others;
}

CriticalHandle critical(const ModelHandle& handle, const Interval& over, CriticalOptions how,
                        const std::vector<std::string>& parameters, const RestRequest& rest, Watch& watch) {
  const ModelFamily family = family_of(handle);
  const StudyBeginning study = begin_study(family, over.name, over.from, rest);
  if (!parameters.empty()) {
    other_variations(family, parameters, study.variation, over.from);  // names are checked first
    how.parameters = [&](double value) { return other_variations(family, parameters, study.variation, value); };
  }
  return {find_critical_points(study.variation, study.rest, over.from, over.to, watched_options(how, watch)),
          study.model};
}

TargetsHandle targets(const ModelHandle& handle, const Interval& over, const ModeTarget& target,
                      const CriticalOptions& how, const RestRequest& rest, Watch& watch) {
  const StudyBeginning study = begin_study(family_of(handle), over.name, over.from, rest);
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
                    const RestRequest& rest, Watch& watch) {
  const StudyBeginning study = begin_study(family_of(handle), name, start, rest);
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
    VerificationHandle found{verify_branches(handle.model, handle.rest, system, spectra, how), handle.model.name(), {}};
    for (const BranchSpectrum& branch : spectra) {
      for (const std::string& warning : branch.spectrum.warnings)
        found.warnings.push_back(fmt::format("branch '{}': {}", branch.name, warning));
    }
    return found;
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
      .def(
          "text",
          [](const SensitivityHandle& h, std::size_t rows, bool equilibrium) {
            return to_text(h.found, h.model, {.most_rows = rows, .equilibrium = equilibrium});
          },
          "rows"_a, "equilibrium"_a);
  py::class_<ResponseSensitivityHandle>(module, "ResponseSensitivityReport")
      .def("facts", &facts_of_response_rates)
      .def("json", [](const ResponseSensitivityHandle& h) { return to_json(h.found, h.name); })
      .def(
          "text", [](const ResponseSensitivityHandle& h, std::size_t rows) { return to_text(h.found, rows); },
          "rows"_a);
  py::class_<SweepHandle>(module, "SweepReport")
      .def("facts", &facts_of_sweep)
      .def("json", [](const SweepHandle& h) { return to_json(h.sweep, h.model); })
      .def("text", [](const SweepHandle& h) { return to_text(h.sweep); })
      .def("csv", [](const SweepHandle& h) { return to_csv(h.sweep); })
      .def("npz", [](const SweepHandle& h) { return py::bytes(to_npz(h.sweep)); })
      .def(
          "svg", [](const SweepHandle& h, bool locus) { return locus ? to_root_locus_svg(h.sweep) : to_svg(h.sweep); },
          "locus"_a);
  py::class_<MapHandle>(module, "MapReport")
      .def("facts", &facts_of_map)
      .def("json", [](const MapHandle& h) { return to_json(h.map); })
      .def("text", [](const MapHandle& h) { return to_text(h.map); })
      .def("csv", [](const MapHandle& h) { return to_csv(h.map); })
      .def("npz", [](const MapHandle& h) { return py::bytes(to_npz(h.map)); })
      .def("svg", [](const MapHandle& h) { return to_svg(h.map); });
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
         const py::dict& rest, const py::object& show) {
        const SensitivityRequest request{names, count, mode, rest_request(rest)};
        return watched(show, [=](Watch& watch) { return find_rates(model, request, watch); });
      },
      "model"_a, "parameters"_a, "count"_a, "mode"_a, "rest"_a, "show"_a);
  module.def(
      "response_sensitivity",
      [](const ModelHandle& model, const std::vector<std::string>& names,
         const std::vector<std::tuple<std::string, std::string, double>>& responses, const py::dict& rest,
         const py::object& show) {
        std::vector<ResponseRequest> requests;
        for (const auto& [input, output, hertz] : responses)
          requests.push_back({input, output, 2 * std::numbers::pi * hertz});
        const SensitivityRequest request{.names = names, .count = 0, .mode = {}, .rest = rest_request(rest)};
        return watched(show, [=](Watch& watch) { return find_response_rates(model, request, requests, watch); });
      },
      "model"_a, "parameters"_a, "responses"_a, "rest"_a, "show"_a);
  module.def(
      "sweep",
      [](const ModelHandle& model, const std::string& over, const std::vector<double>& values, Index count,
         const std::string& spacing, const py::dict& rest, const py::object& show) {
        const SweepOptions how{.spacing = meaning("spacing", spacing, spacings()), .count = count};
        return watched(show, [=, from = rest_request(rest)](Watch& watch) {
          return sweep(model, over, values, how, from, watch);
        });
      },
      "model"_a, "over"_a, "values"_a, "count"_a, "spacing"_a, "rest"_a, "show"_a);
  module.def(
      "stability_map",
      [](const ModelHandle& model, const std::string& first, const std::vector<double>& first_values,
         const std::string& second, const std::vector<double>& second_values, const std::vector<std::string>& spacing,
         const py::dict& rest, const py::object& show) {
        const MapRequest request{first,
                                 second,
                                 first_values,
                                 second_values,
                                 {.first_spacing = meaning("spacing", spacing.at(0), spacings()),
                                  .second_spacing = meaning("spacing", spacing.at(1), spacings())},
                                 rest_request(rest)};
        return watched(show, [=](Watch& watch) { return map_two(model, request, watch); });
      },
      "model"_a, "first"_a, "first_values"_a, "second"_a, "second_values"_a, "spacing"_a, "rest"_a, "show"_a);
  module.def(
      "critical",
      [](const ModelHandle& model, const std::string& over, double from, double to, Index points,
         const std::vector<std::string>& parameters, const py::dict& rest, const py::object& show) {
        return watched(show, [=, begin = rest_request(rest)](Watch& watch) {
          return critical(model, {over, from, to}, {.points = points}, parameters, begin, watch);
        });
      },
      "model"_a, "over"_a, "from_"_a, "to"_a, "points"_a, "parameters"_a, "rest"_a, "show"_a);
  module.def(
      "targets",
      [](const ModelHandle& model, const std::string& over, double from, double to, const std::string& quantity,
         double value, Index mode, Index points, const py::dict& rest, const py::object& show) {
        const WordTable<ModeTarget::Quantity> quantities{{"frequency", ModeTarget::Quantity::frequency_hz},
                                                         {"damping", ModeTarget::Quantity::damping_ratio},
                                                         {"order", ModeTarget::Quantity::order_of_speed}};
        const ModeTarget target{meaning("target", quantity, quantities), value, mode};
        if (target.quantity == ModeTarget::Quantity::order_of_speed && !(value > 0))
          throw Error(fmt::format("target: order={:g}: this must be above zero", value));
        return watched(show, [=, begin = rest_request(rest)](Watch& watch) {
          return targets(model, {over, from, to}, target, {.points = points}, begin, watch);
        });
      },
      "model"_a, "over"_a, "from_"_a, "to"_a, "quantity"_a, "value"_a, "mode"_a, "points"_a, "rest"_a, "show"_a);
  module.def(
      "follow",
      [](const ModelHandle& model, const std::string& over, double from, double to, double start, bool downwards,
         Index points, double step, bool branches, const py::dict& rest, const py::object& show) {
        const ContinuationOptions how{.from = from,
                                      .to = to,
                                      .downwards = downwards,
                                      .most_points = points,
                                      .crossing_branches = branches,
                                      .largest_step = step};
        return watched(show, [=, begin = rest_request(rest)](Watch& watch) {
          return follow(model, over, start, how, begin, watch);
        });
      },
      "model"_a, "over"_a, "from_"_a, "to"_a, "start"_a, "downwards"_a, "points"_a, "step"_a, "branches"_a, "rest"_a,
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
