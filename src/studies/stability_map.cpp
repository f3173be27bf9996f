#include "stillpoint/stability_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/at.h"
#include "base/in_parallel.h"
#include "stillpoint/error.h"
#include "studies/equilibrium_path.h"

namespace stillpoint {

namespace {

std::vector<const SweepEvent*> changes_in(const Sweep& sweep) {
  std::vector<const SweepEvent*> changes;
  for (const SweepEvent& event : sweep.events) {
    if (changes_stability(event)) changes.push_back(&event);
  }
  return changes;
}

bool are_alike(const SweepEvent& a, const SweepEvent& b) {
  return a.kind == b.kind && a.destabilizes == b.destabilizes;
}

// The farthest that a change moves from one row to the other, in parts of the range.
double farthest_move(const Sweep& a, const Sweep& b) {
  const auto first = changes_in(a), second = changes_in(b);
  const double range = a.points.empty() ? 0 : a.points.back().parameter - a.points.front().parameter;
  double farthest = 0;
  for (std::size_t i = 0; i < first.size() && range > 0; ++i)
    farthest = std::max(farthest, std::abs(first[i]->parameter - second[i]->parameter) / range);
  return farthest;
}

class MapStudy {
 public:
  MapStudy(const RowStartAt& start, const std::vector<double>& first_values, const MapOptions& options)
      : start_(start), first_values_(first_values), options_(options) {}

  /// Sweeps at these values; fewer if it is stopped.
  void add_rows(const std::vector<double>& values);
  /// The middles of neighbouring rows that differ, or are far from each other.
  std::vector<double> middles() const;
  bool is_stopped() const { return is_stopped_; }
  std::vector<MapRow> rows;
  std::string refusal;  ///< of the first row that has none

 private:
  Sweep row_from(const RowStart& start, double value);

  const RowStartAt& start_;
  const std::vector<double>& first_values_;
  const MapOptions& options_;
  std::mutex talking_;
  bool is_stopped_ = false;
};

Sweep MapStudy::row_from(const RowStart& start, double value) {
  SweepOptions how{.spacing = options_.first_spacing, .count = std::numeric_limits<Index>::max()};
  how.stop = [&] {
    const std::lock_guard one_at_a_time(talking_);
    is_stopped_ = is_stopped_ || (options_.stop && options_.stop());
    return is_stopped_;
  };
  if (options_.progress) {
    const std::lock_guard one_at_a_time(talking_);
    options_.progress(fmt::format("{:.6g}", value));
  }
  Sweep failed;
  try {
    return sweep_modes(start.variation, start.rest, first_values_, how);
  } catch (const Error& reason) {
    failed.is_partial = true;
    failed.ended = reason.what();
  }
  return failed;
}

// The starts are found one after the other, since each may be found from the one before; the rows are independent.
void MapStudy::add_rows(const std::vector<double>& values) {
  std::vector<MapRow> added(values.size());
  std::vector<std::optional<RowStart>> starts(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    added[k].value = values[k];
    try {
      starts[k] = start_(values[k]);
    } catch (const Error& reason) {
      added[k].sweep.is_partial = true;
      added[k].sweep.ended = reason.what();
    }
  }
  in_parallel(static_cast<Index>(values.size()), [&](Index k) {
    if (starts[at(k)]) added[at(k)].sweep = row_from(*starts[at(k)], values[at(k)]);
  });
  // Rows that were not begun when the study was stopped say nothing.
  for (MapRow& row : added) {
    if (is_stopped_ && row.sweep.points.empty()) continue;
    if (row.sweep.points.empty() && refusal.empty()) refusal = row.sweep.ended;

    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const MapRow& a, const MapRow& b) { return a.value < b.value; });
}

std::vector<double> MapStudy::middles() const {
  constexpr double smooth_curve = 0.05;
  std::vector<double> values;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    if (have_same_changes(rows[k - 1].sweep, rows[k].sweep) &&
        farthest_move(rows[k - 1].sweep, rows[k].sweep) <= smooth_curve)
      continue;
    const double a = rows[k - 1].value, b = rows[k].value;
    values.push_back(options_.second_spacing == Spacing::logarithmic ? std::sqrt(a * b) : 0.5 * (a + b));
  }
  return values;
}

// Where the same changes happen in neighbouring rows, each goes on; where others do, curves end and others begin.
std::vector<MapBoundary> boundaries_of(const std::vector<MapRow>& rows) {
  std::vector<MapBoundary> boundaries;
  std::vector<std::size_t> open;  // those that the last row has, in its order
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto changes = changes_in(rows[k].sweep);
    const bool goes_on = k > 0 && have_same_changes(rows[k - 1].sweep, rows[k].sweep);
    if (!goes_on) {
      open.clear();
      for (const SweepEvent* change : changes) {
        open.push_back(boundaries.size());
        boundaries.push_back({change->kind, change->destabilizes, {}});
      }
    }
    for (std::size_t i = 0; i < changes.size(); ++i)
      boundaries[open[i]].points.push_back({changes[i]->parameter, rows[k].value, changes[i]->error, changes[i]->s});
  }
  return boundaries;
}

}  // namespace

RowStartAt starts_along(const Variation& second, const Equilibrium& rest, double farthest,
                        std::function<Variation(double second)> first_at) {
  const auto path =
      std::make_shared<EquilibriumPath>(with_scale(second, {second.value, farthest}), rest, RatesDigits::eight);
  return [path, first_at = std::move(first_at)](double value) {
    return RowStart{first_at(value), path->at(value)->rest};
  };
}

bool have_same_changes(const Sweep& a, const Sweep& b) {
  const auto first = changes_in(a), second = changes_in(b);
  return a.is_partial == b.is_partial &&
         std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const SweepEvent* x, const SweepEvent* y) { return are_alike(*x, *y); });
}

std::vector<MapSegment> segments_of(const Sweep& row) {
  std::vector<MapSegment> segments;
  if (row.points.empty()) return segments;
  const auto changes = changes_in(row);
  double from = row.points.front().parameter;
  for (std::size_t i = 0; i <= changes.size(); ++i) {
    const double to = i < changes.size() ? changes[i]->parameter : row.points.back().parameter;
    MapSegment segment{from, to, nullptr};
    // Of the points inside the one in the middle, away from the ends where rounding hides signs.
    for (const SweepPoint& point : row.points) {
      const double middle = 0.5 * (from + to);
      const bool is_inside = point.parameter > from && point.parameter < to;
      const bool is_end = (i == 0 && point.parameter == from) || (i == changes.size() && point.parameter == to);
      if (!is_inside && !is_end) continue;
      if (!segment.sample || std::abs(point.parameter - middle) < std::abs(segment.sample->parameter - middle))
        segment.sample = &point;
    }
    if (to > from || segment.sample) segments.push_back(segment);
    from = to;
  }
  return segments;
}

StabilityMap map_stability(const RowStartAt& start, const std::string& second, const std::vector<double>& second_values,
                           const std::vector<double>& first_values, const MapOptions& options) {
  if (second_values.size() < 2) throw Error(fmt::format("a map needs two values of '{}' at least", second));
  MapStudy study(start, first_values, options);
  study.add_rows(second_values);
  for (int division = 0; division < options.most_divisions && !study.is_stopped(); ++division) {
    const std::vector<double> values = study.middles();
    if (values.empty()) break;
    study.add_rows(values);
  }
  StabilityMap map;
  map.second = second;
  map.first_spacing = options.first_spacing;
  map.second_spacing = options.second_spacing;
  map.rows = std::move(study.rows);
  const auto whole =
      std::find_if(map.rows.begin(), map.rows.end(), [](const MapRow& row) { return !row.sweep.points.empty(); });
  if (whole == map.rows.end() && !study.is_stopped()) throw Error(study.refusal);
  if (whole != map.rows.end()) {
    map.model = whole->sweep.model;
    map.first = whole->sweep.parameter;
    map.first_unit = whole->sweep.unit;
  }
  map.boundaries = boundaries_of(map.rows);
  map.is_partial = study.is_stopped();
  if (map.is_partial) map.ended = "interrupted";
  return map;
}

}  // namespace stillpoint
