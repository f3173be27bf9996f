// Sensitivities as tables: for each mode the parameters that matter most come first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/at.h"
#include "report/digits.h"
#include "report/sensitivity_words.h"
#include "stillpoint/sensitivity.h"

namespace stillpoint {

double change_of(const Variation& parameter) {
  constexpr double one_percent = 0.01;
  return parameter.value == 0 ? 1 : one_percent * parameter.value;
}

std::string value_text(const Variation& parameter) {
  return fmt::format("{:.6g}{}{}", parameter.value, parameter.unit.empty() ? "" : " ", parameter.unit);
}

std::string signed_number(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  return size >= 1e4 || size < 1e-3 ? fmt::format("{:+.2e}", value) : fmt::format("{:+.4f}", value);
}

std::string row_beginning(const Variation& parameter) {
  return "  " + left(parameter.name, sensitivity_name_width) + left(value_text(parameter), sensitivity_value_width);
}

std::string heading_of_rows() {
  return "  " + left("+1 % of", sensitivity_name_width) + left("which is", sensitivity_value_width);
}

// Effects that only rounding tells apart stay in the order in which they were asked for.
bool stands_before(const Variation& a, double effect_of_a, const Variation& b, double effect_of_b) {
  const bool a_is_zero = a.value == 0, b_is_zero = b.value == 0;
  return a_is_zero != b_is_zero ? b_is_zero : static_cast<float>(effect_of_a) > static_cast<float>(effect_of_b);
}

std::string lines_below(std::size_t ranked, std::size_t most_rows, std::size_t without) {
  std::string text;
  if (ranked > most_rows) text += fmt::format("  and {} that matter less\n", ranked - most_rows);
  if (without > 0) text += fmt::format("  {} other{} no influence\n", without, without == 1 ? " has" : "s have");
  return text;
}

namespace {

double without_rounding(double change) { return std::abs(change) > rounding_of_rates ? change : 0; }

/// Whether a rate is more than rounding and its own error.
bool matters(const Mode& mode, const ParameterSensitivity& one, const ModeRate& rate) {
  if (rate.kind == ModeRate::Kind::defective) return true;
  const double change = std::abs(change_of(one.parameter) * rate.s);
  return change > rounding_of_rates * std::abs(mode.s) && std::abs(rate.s) > rate.error;
}

std::string in_percent(double value) { return value == 0 ? "0" : signed_number(100 * value) + " %"; }

/// The relative change of the frequency, or of s where it is real.
double relative(const Mode& mode, std::complex<double> rate) {
  return mode.s.imag() != 0 ? rate.imag() / mode.s.imag() : rate.real() / mode.s.real();
}

std::string heading(const Sensitivity& all, std::size_t i) {
  const Mode& mode = all.modes[i];
  std::string text = fmt::format("mode {}: {} rad/s", all.first_mode + i + 1,
                                 eigenvalue_in_line(mode.s, mode.error, mode.s.imag() != 0));
  if (mode.s.imag() != 0)
    text += fmt::format(", {:.6g} Hz, damping ratio {:.4g}", frequency(mode), damping_ratio(mode) + 0.0);
  return text + "\n";
}

std::string row(const Mode& mode, const ParameterSensitivity& one, const ModeRate& rate) {
  const double change = change_of(one.parameter);
  std::string text = row_beginning(one.parameter);
  if (rate.kind == ModeRate::Kind::defective)
    return text + "no derivative: s changes like the square root of the parameter\n";
  if (mode.s == 0.0) return text + "stays zero\n";
  text += right(in_percent(without_rounding(change * relative(mode, rate.s))), sensitivity_change_width) +
          right(in_percent(without_rounding(change * relative(mode, rate.frozen))), sensitivity_change_width) +
          right(signed_number(std::abs(mode.s) * without_rounding(change * rate.s.real() / std::abs(mode.s))),
                sensitivity_change_width);
  if (mode.s.imag() != 0)
    text += right(signed_number(without_rounding(change * damping_ratio_rate(mode, rate.s))), sensitivity_change_width);
  if (one.parameter.value == 0) text += "  for +1";
  if (rate.kind == ModeRate::Kind::multiple) text += fmt::format("  one of {} that separate", rate.copies);
  return text + "\n";
}

std::string table(const Sensitivity& all, std::size_t i, const SensitivityPrint& print) {
  std::vector<const ParameterSensitivity*> ranked;
  std::size_t without = 0;
  for (const ParameterSensitivity& one : all.parameters) {
    if (!one.refused.empty()) continue;
    if (matters(all.modes[i], one, one.modes[i])) ranked.push_back(&one);
    else ++without;
  }
  const auto effect = [&](const ParameterSensitivity* one) {
    return one->modes[i].kind == ModeRate::Kind::defective ? HUGE_VAL
                                                           : std::abs(change_of(one->parameter) * one->modes[i].s);
  };
  std::stable_sort(ranked.begin(), ranked.end(), [&](const ParameterSensitivity* a, const ParameterSensitivity* b) {
    return stands_before(a->parameter, effect(a), b->parameter, effect(b));
  });
  std::string text = heading(all, i);
  if (!ranked.empty())
    text += heading_of_rows() + right(all.modes[i].s.imag() != 0 ? "frequency" : "s", sensitivity_change_width) +
            right("at fixed rest", sensitivity_change_width) + right("Re s (1/s)", sensitivity_change_width) +
            (all.modes[i].s.imag() != 0 ? right("damping ratio", sensitivity_change_width) : "") + "\n";
  for (std::size_t k = 0; k < std::min(ranked.size(), print.most_rows); ++k)
    text += row(all.modes[i], *ranked[k], ranked[k]->modes[i]);
  return text + lines_below(ranked.size(), print.most_rows, without);
}

std::string shift_table(const Sensitivity& all, const Model& model) {
  constexpr Eigen::Index most_coordinates = 5;
  std::string text = "\nequilibrium: how far coordinates move, largest first\n";
  for (const ParameterSensitivity& one : all.parameters) {
    if (!one.refused.empty() || one.rates.q.size() == 0 || one.rates.q.isZero(0)) continue;
    std::vector<Eigen::Index> order(at(one.rates.q.size()));
    std::iota(order.begin(), order.end(), 0);
    const Eigen::Index most = std::min(most_coordinates, one.rates.q.size());
    std::partial_sort(order.begin(), order.begin() + most, order.end(), [&](Eigen::Index a, Eigen::Index b) {
      return std::abs(one.rates.q[a]) > std::abs(one.rates.q[b]);
    });
    text += "  " + left(one.parameter.name, sensitivity_name_width);
    for (Eigen::Index k = 0; k < most; ++k) {
      const double moved = change_of(one.parameter) * one.rates.q[order[at(k)]];
      if (moved != 0)
        text += fmt::format(" {} {}", model.coordinate_name(static_cast<Index>(order[at(k)])), signed_number(moved));
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string to_text(const Sensitivity& sensitivity, const Model& model, const SensitivityPrint& print) {
  std::string text;
  for (std::size_t i = 0; i < sensitivity.modes.size(); ++i) {
    if (sensitivity.modes[i].s.imag() < 0) continue;
    text += (text.empty() ? "" : "\n") + table(sensitivity, i, print);
  }
  if (print.equilibrium) text += shift_table(sensitivity, model);
  for (const ParameterSensitivity& one : sensitivity.parameters) {
    if (!one.refused.empty())
      text += fmt::format("no rates with respect to '{}': {}\n", one.parameter.name, one.refused);
  }
  return text;
}

}  // namespace stillpoint
