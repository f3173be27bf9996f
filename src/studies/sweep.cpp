#include "stillpoint/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/at.h"
#include "modes/following/step_between.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/mode_rates.h"
#include "stillpoint/operating_point.h"
#include "studies/equilibrium_path.h"
#include "studies/followed_value.h"
#include "studies/hermite_root.h"
#include "studies/spectrum_at.h"
#include "studies/stability_changes.h"
#include "studies/swept_points.h"

namespace stillpoint {

std::vector<double> spaced(double from, double to, Index count, Spacing spacing) {
  if (count < 2) throw Error("a range needs at least two points");
  if (!(from < to))
    throw Error(fmt::format("a range goes from a smaller to a larger value, not from {:g} to {:g}", from, to));
  const bool is_logarithmic = spacing == Spacing::logarithmic;
  if (is_logarithmic && !(from > 0))
    throw Error(fmt::format("a logarithmic range begins above zero, not at {:g}", from));
  std::vector<double> values;
  for (Index k = 0; k < count; ++k) {
    const double part = static_cast<double>(k) / static_cast<double>(count - 1);
    values.push_back(is_logarithmic ? from * std::pow(to / from, part) : from + part * (to - from));
  }
  values.back() = to;
  return values;
}

const char* to_words(SweepEvent::Kind kind) {
  switch (kind) {
    case SweepEvent::Kind::crossing:
      return "crossing";
    case SweepEvent::Kind::veering:
      return "veering";
    case SweepEvent::Kind::coalescence:
      return "coalescence";
    case SweepEvent::Kind::flutter:
      return "flutter";
    case SweepEvent::Kind::divergence:
      return "divergence";
    case SweepEvent::Kind::zeros_change:
      return "change of the number of eigenvalues";
  }
  return "";
}

bool changes_stability(const SweepEvent& event) {
  return event.kind == SweepEvent::Kind::flutter || event.kind == SweepEvent::Kind::divergence;
}

namespace {

using Complex = std::complex<double>;

/// The study of one parameter while it runs.
class ModeSweep {
 public:
  ModeSweep(const Variation& variation, const Equilibrium& start, const std::vector<double>& values,
            const SweepOptions& options)
      : values_(values), options_(options), start_dof_(start.dof), path_(variation, start, RatesDigits::eight) {
    result_.model = path_.at(variation.value)->model.name();
    result_.parameter = variation.name;
    result_.spacing = options.spacing;
    result_.unit = variation.unit;
  }

  Sweep run();

 private:
  Sweep run_all();
  Sweep run_lowest();
  void find_points();
  void find_next();
  FollowedSpectrum lowest(double parameter);
  // Others that may take the place of those that are followed are computed with them.
  Index computed_count() const { return options_.count + std::max<Index>(4, options_.count / 2); }
  void keep(FollowedSpectrum spectrum);
  const FollowedSpectrum* known_at(double parameter) const;
  SweepPoint point_of(const SpectrumAt& found) const;
  void follow_segment(std::size_t first, std::size_t last);
  void take(const FollowedModes& followed, std::size_t first);
  void take_unfollowed(std::size_t first, std::size_t last, const std::string& reason);
  void sort_events();
  void keep_lowest();

  const std::vector<double>& values_;
  const SweepOptions& options_;
  Index start_dof_;
  EquilibriumPath path_;
  Sweep result_;
  std::vector<FollowedSpectrum> spectra_;           // at the points; of large models without vectors and matrices
  std::unordered_map<double, std::size_t> places_;  // of the spectra, by parameter
  std::optional<FollowedSpectrum> next_;            // of a large model: that of the last point, until it is followed
};

// The coordinates of large models would be more than anybody reads.
constexpr Index most_coordinates = 200;

SweepPoint ModeSweep::point_of(const SpectrumAt& found) const {
  SweepPoint point{found.followed.parameter, found.verdict, found.certified, found.structural_zeros, {}};
  if (!found.point || found.point->model.coordinates() > most_coordinates) return point;
  const Model& model = found.point->model;
  point.q.resize(model.coordinates());
  for (Index i = 0; i < model.coordinates(); ++i) point.q[i] = coordinate_value(model, found.point->rest.state, i);
  return point;
}

// A branch of equilibria that ends leaves what lies before it. Where there are fewer values than before it, zeros are
// among those that are followed.
void ModeSweep::find_points() {
  const auto begin = [&](double value) {
    if (options_.progress) options_.progress(fmt::format("{} = {:.6g}", result_.parameter, value));
  };
  SweptPoints points = sweep_points(path_, values_, options_.stop, begin);
  for (SpectrumAt& found : points.found) {
    const Eigen::Index before = spectra_.empty() ? 0 : spectra_.back().s.size();
    if (found.followed.s.size() < before && found.structural_zeros > 0)
      found = spectrum_at(path_, found.followed.parameter, before);
    result_.points.push_back(point_of(found));
    keep(std::move(found.followed));
  }
  result_.is_partial = !points.ended.empty();
  result_.ended = points.ended;
}

// Where two undamped oscillations meet, they begin to grow; where the two of one pair do, it becomes a real one.
SweepEvent::Kind kind_of(const FollowedEvent& event, const FollowedModes& followed) {
  constexpr double small = 1e-4, zero = 1e-9;  // rounding of a double value, and of the mean of both
  switch (event.kind) {
    case FollowedEvent::Kind::crossing:
      return SweepEvent::Kind::crossing;
    case FollowedEvent::Kind::veering:
      return SweepEvent::Kind::veering;
    case FollowedEvent::Kind::coalescence:
      break;
  }
  if (std::abs(event.s) <= zero * followed.s.cwiseAbs().maxCoeff()) return SweepEvent::Kind::divergence;
  return std::abs(event.s.real()) <= small * std::abs(event.s) ? SweepEvent::Kind::flutter
                                                               : SweepEvent::Kind::coalescence;
}

// Where two values ±s meet at zero the equilibrium loses its last stiffness, and with it the digits of its coordinates:
// the place is found from some way off.
void refine_meeting_at_zero(SweepEvent& event, double width, const SpectrumOf& at) {
  constexpr double part = 1e-2;
  const auto square = [&](double parameter) {
    const PairThere pair = pair_next_to(0, at(parameter));
    return ValueAndRate{pair.square, pair.rate};
  };
  HermiteRoot root;
  try {
    root = hermite_root(square, event.parameter, part * width);
  } catch (const Error&) {  // the branch of equilibria does not go so far: the place stays as it was found
    return;
  }
  if (!root.found) return;
  event.parameter = root.place;
  event.error = root.error;
}

// Whether one of two values that meet on the imaginary axis grows at the next point, and none did before.
bool grows_after(const FollowedEvent& event, const FollowedModes& followed) {
  constexpr double growing = 1e-9;
  const auto after = std::upper_bound(followed.parameters.begin(), followed.parameters.end(), event.parameter);
  const SweepEvent::Kind kind = kind_of(event, followed);
  if ((kind != SweepEvent::Kind::flutter && kind != SweepEvent::Kind::divergence) ||
      after == followed.parameters.begin() || after == followed.parameters.end())
    return false;
  const Eigen::Index k = after - followed.parameters.begin();
  const auto grows = [&](Eigen::Index point) {
    return std::max(followed.s(event.first, point).real(), followed.s(event.second, point).real()) >
           growing * std::abs(followed.s(event.first, point));
  };
  return grows(k) && !grows(k - 1);
}

// Rows of later segments follow those of earlier ones.
void ModeSweep::take(const FollowedModes& followed, std::size_t first) {
  const Eigen::Index before = result_.s.rows();
  result_.s.conservativeResize(before + followed.s.rows(), Eigen::NoChange);
  result_.s.bottomRows(followed.s.rows()).setConstant(std::numeric_limits<double>::quiet_NaN());
  result_.s.block(before, static_cast<Eigen::Index>(first), followed.s.rows(), followed.s.cols()) = followed.s;
  const auto offset = static_cast<Index>(before);
  for (const FollowedEvent& event : followed.events) {
    result_.events.push_back({.kind = kind_of(event, followed),
                              .parameter = event.parameter,
                              .error = event.error,
                              .s = event.s,
                              .branches = {event.first + offset, event.second + offset},
                              .gap = event.gap,
                              .destabilizes = grows_after(event, followed)});
  }
  result_.uncertain.insert(result_.uncertain.end(), followed.uncertain.begin(), followed.uncertain.end());
}

// The values of each point in an order of their own; nothing is said of what is which.
void ModeSweep::take_unfollowed(std::size_t first, std::size_t last, const std::string& reason) {
  FollowedModes values;
  values.s.resize(spectra_[first].s.size(), static_cast<Eigen::Index>(last - first + 1));
  for (std::size_t k = first; k <= last; ++k) values.s.col(static_cast<Eigen::Index>(k - first)) = spectra_[k].s;
  values.uncertain.push_back({values_[first], values_[last]});
  take(values, first);
  result_.is_partial = true;
  result_.ended = reason;
}

void ModeSweep::keep(FollowedSpectrum spectrum) {
  places_.emplace(spectrum.parameter, spectra_.size());
  spectra_.push_back(std::move(spectrum));
}

// The spectrum at a point of the study; null in between.
const FollowedSpectrum* ModeSweep::known_at(double parameter) const {
  const auto known = places_.find(parameter);
  return known != places_.end() ? &spectra_[known->second] : nullptr;
}

void ModeSweep::follow_segment(std::size_t first, std::size_t last) {
  const std::vector<double> parameters(values_.begin() + static_cast<std::ptrdiff_t>(first),
                                       values_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  const auto size = spectra_[first].s.size();
  const auto at = [&](double parameter) {
    const FollowedSpectrum* const known = known_at(parameter);
    FollowedSpectrum found = known ? *known : spectrum_at(path_, parameter, size).followed;
    if (found.s.size() != size)
      throw Undecided(fmt::format("the number of eigenvalues differs at {} = {:.10g}", result_.parameter, parameter));
    return found;
  };
  FollowedModes followed;
  try {
    followed = follow_modes(at, parameters, {});
  } catch (const Error& lost) {  // between two points there is no equilibrium, or no spectrum
    return take_unfollowed(first, last, lost.what());
  }
  result_.solves += followed.solves;
  const std::size_t before = result_.events.size();
  take(followed, first);
  const double width =
      parameters.size() > 1 ? (parameters.back() - parameters.front()) / static_cast<double>(parameters.size() - 1) : 0;
  for (std::size_t k = before; k < result_.events.size(); ++k) {
    if (result_.events[k].kind == SweepEvent::Kind::divergence) refine_meeting_at_zero(result_.events[k], width, at);
  }
  for (SweepEvent& change : stability_changes(followed, at, result_.s.rows() - followed.s.rows()))
    result_.events.push_back(std::move(change));
}

Sweep ModeSweep::run() { return start_dof_ > few_dof ? run_lowest() : run_all(); }

FollowedSpectrum ModeSweep::lowest(double parameter) {
  if (next_ && next_->parameter == parameter) return *std::exchange(next_, {});
  return lowest_at(path_, parameter, computed_count()).followed;
}

void ModeSweep::find_next() {
  const double value = values_[result_.points.size()];
  if (options_.progress) options_.progress(fmt::format("{} = {:.6g}", result_.parameter, value));
  SpectrumAt found = lowest_at(path_, value, computed_count());
  result_.points.push_back(point_of(found));
  keep({.parameter = value,
        .s = found.followed.s,
        .rates = found.followed.rates,
        .x = {},
        .y = {},
        .M = {},
        .C = {},
        .errors = found.followed.errors});
  next_ = std::move(found.followed);
}

// Some modes of a large model: each point is found when the ones before it have been followed, and let go.
Sweep ModeSweep::run_lowest() {
  find_next();
  FollowOptions how{.lowest = options_.count};
  how.stop = [&] {
    result_.ended = options_.stop && options_.stop() ? "interrupted" : "";
    try {
      if (result_.ended.empty()) find_next();
    } catch (const Error& reason) {
      result_.ended = reason.what();
    }
    return !result_.ended.empty();
  };
  const FollowedModes followed = follow_modes([&](double parameter) { return lowest(parameter); }, values_, how);
  if (result_.ended.empty()) result_.ended = followed.ended;
  result_.is_partial = !result_.ended.empty();
  result_.solves = followed.solves;
  result_.points.resize(followed.parameters.size());
  result_.s.resize(0, followed.s.cols());
  take(followed, 0);
  const auto at = [&](double parameter) {
    const FollowedSpectrum* const known = known_at(parameter);
    return known ? *known : lowest(parameter);
  };
  for (SweepEvent& change : stability_changes(followed, at, 0)) result_.events.push_back(std::move(change));
  sort_events();
  keep_lowest();
  return std::move(result_);
}

Sweep ModeSweep::run_all() {
  find_points();
  path_.hold_starts();
  const std::size_t count = result_.points.size();
  result_.s.resize(0, static_cast<Eigen::Index>(count));
  for (std::size_t first = 0; first < count;) {
    std::size_t last = first;
    while (last + 1 < count && spectra_[last + 1].s.size() == spectra_[first].s.size()) ++last;
    if (spectra_[first].s.size() > 0) follow_segment(first, last);
    if (last + 1 < count)
      result_.events.push_back({.kind = SweepEvent::Kind::zeros_change,
                                .parameter = 0.5 * (values_[last] + values_[last + 1]),
                                .error = 0.5 * (values_[last + 1] - values_[last]),
                                .s = {},
                                .branches = {}});
    first = last + 1;
  }
  sort_events();
  keep_lowest();
  return std::move(result_);
}

void ModeSweep::sort_events() {
  std::stable_sort(result_.events.begin(), result_.events.end(),
                   [](const SweepEvent& a, const SweepEvent& b) { return a.parameter < b.parameter; });
}

// Of a conjugate pair the upper one stays; the other one only where it becomes real.
void ModeSweep::keep_lowest() {
  constexpr double rounding = 1e-12, missing = std::numeric_limits<double>::quiet_NaN();
  for (Complex& s : result_.s.reshaped()) {
    if (s.imag() < -rounding * std::abs(s)) s = {missing, missing};
  }
  struct Order {
    Eigen::Index first_point = 0;
    double size = 0;
    Eigen::Index branch = 0;
  };
  std::vector<Order> kept;
  for (Eigen::Index b = 0; b < result_.s.rows(); ++b) {
    Eigen::Index k = 0;
    while (k < result_.s.cols() && !std::isfinite(result_.s(b, k).real())) ++k;
    if (k < result_.s.cols()) kept.push_back({k, std::abs(result_.s(b, k)), b});
  }
  std::stable_sort(kept.begin(), kept.end(), [](const Order& a, const Order& b) {
    return std::pair(a.first_point, a.size) < std::pair(b.first_point, b.size);
  });
  std::vector<Index> place(at(result_.s.rows()), -1);
  std::vector<Eigen::Index> rows;
  for (const Order& order : kept) {
    place[at(order.branch)] = static_cast<Index>(rows.size());
    rows.push_back(order.branch);
  }
  for (SweepEvent& event : result_.events) {
    // One that is not followed has met one that is.
    for (Index& branch : event.branches) branch = at(branch) < place.size() ? place[at(branch)] : -1;
  }
  if (static_cast<Index>(rows.size()) > options_.count) rows.resize(at(options_.count));
  result_.s = result_.s(rows, Eigen::all).eval();
}

}  // namespace

Sweep sweep_modes(const Variation& variation, const Equilibrium& start, const std::vector<double>& values,
                  const SweepOptions& options) {
  if (values.empty() || std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) != values.end())
    throw Error("the values of a study must ascend");
  constexpr Index most_of_large = 200;
  if (start.dof > few_dof && options.count > most_of_large)
    throw Error(fmt::format(
        "all modes are followed where there are {} degrees of freedom or fewer; of {} not more than {} modes are",
        few_dof, start.dof, most_of_large));
  return ModeSweep(with_scale(variation, values), start, values, options).run();
}

}  // namespace stillpoint
