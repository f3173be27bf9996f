// Rates of frequency responses as tables, in which the parameters that matter most come first, and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "formats/json_number.h"
#include "report/digits.h"
#include "report/json_parts.h"
#include "report/sensitivity_words.h"
#include "stillpoint/response_rates.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

std::string response_heading(const ResponseRequest& request, Complex value) {
  const std::string between = fmt::format("from '{}' to '{}'", request.input, request.output);
  if (request.omega == 0) return fmt::format("DC gain {}: {:.9g}\n", between, value.real());
  std::string text =
      fmt::format("response {} at {:.6g} Hz: {:.9g}", between, request.omega / (2 * std::numbers::pi), std::abs(value));
  if (value != 0.0)
    text += fmt::format(" ({:.4f} dB, {:.4f}°)", 20 * std::log10(std::abs(value)),
                        180 / std::numbers::pi * std::arg(value));
  return text + "\n";
}

std::string response_row(const ResponseSensitivity::OfParameter& one, Complex value, const ResponseRate& rate,
                         bool has_phase) {
  const double change = change_of(one.parameter);
  const double degrees = change * phase_rate(value, rate.rate);
  std::string text = row_beginning(one.parameter) +
                     right(signed_number(100 * change * (rate.rate / value).real()) + " %", sensitivity_change_width) +
                     right(signed_number(change * decibel_rate(value, rate.rate)), sensitivity_change_width);
  if (has_phase)
    text += right(signed_number(std::abs(degrees) > rounding_of_rates ? degrees : 0), sensitivity_change_width);
  return text + (one.parameter.value == 0 ? "  for +1" : "") + "\n";
}

std::string table_of_zero(const ResponseSensitivity& all, std::size_t i) {
  std::string text = "  there is no response, and no decibels; the rates of it are\n";
  for (const ResponseSensitivity::OfParameter& one : all.parameters) {
    if (one.refused.empty() && std::abs(one.rates[i].rate) > one.rates[i].error)
      text += row_beginning(one.parameter) +
              fmt::format("{:.6g} {:+.6g}i for +1\n", one.rates[i].rate.real(), one.rates[i].rate.imag());
  }
  return text;
}

std::string response_table(const ResponseSensitivity& all, std::size_t i, std::size_t most_rows) {
  const Complex value = all.values[i];
  const bool has_phase = all.requests[i].omega != 0;
  std::string text = response_heading(all.requests[i], value);
  if (value == 0.0) return text + table_of_zero(all, i);
  std::vector<const ResponseSensitivity::OfParameter*> ranked;
  std::size_t without = 0;
  const auto effect = [&](const ResponseSensitivity::OfParameter* one) {
    return std::abs(change_of(one->parameter) * one->rates[i].rate);
  };
  for (const ResponseSensitivity::OfParameter& one : all.parameters) {
    if (!one.refused.empty()) continue;
    const bool matters =
        effect(&one) > rounding_of_rates * std::abs(value) && std::abs(one.rates[i].rate) > one.rates[i].error;
    if (matters) ranked.push_back(&one);
    else ++without;
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](const ResponseSensitivity::OfParameter* a, const ResponseSensitivity::OfParameter* b) {
                     return stands_before(a->parameter, effect(a), b->parameter, effect(b));
                   });
  if (!ranked.empty())
    text += heading_of_rows() + right("gain", sensitivity_change_width) + right("dB", sensitivity_change_width) +
            (has_phase ? right("phase (°)", sensitivity_change_width) : "") + "\n";
  for (std::size_t k = 0; k < std::min(ranked.size(), most_rows); ++k)
    text += response_row(*ranked[k], value, ranked[k]->rates[i], has_phase);
  return text + lines_below(ranked.size(), most_rows, without);
}

Json rates_json(const ResponseSensitivity& all, std::size_t i) {
  Json rates = Json::object();
  for (const ResponseSensitivity::OfParameter& one : all.parameters) {
    if (!one.refused.empty()) continue;
    const ResponseRate& rate = one.rates[i];
    rates[one.parameter.name] = {{"response", complex_json(rate.rate)},
                                 {"error", json_number(rate.error)},
                                 {"decibels", json_number(decibel_rate(all.values[i], rate.rate))},
                                 {"degrees", json_number(phase_rate(all.values[i], rate.rate))}};
  }
  return rates;
}

}  // namespace

std::string to_text(const ResponseSensitivity& sensitivity, std::size_t most_rows) {
  std::string text;
  for (std::size_t i = 0; i < sensitivity.requests.size(); ++i)
    text += (text.empty() ? "" : "\n") + response_table(sensitivity, i, most_rows);
  for (const ResponseSensitivity::OfParameter& one : sensitivity.parameters) {
    if (!one.refused.empty())
      text += fmt::format("no rates with respect to '{}': {}\n", one.parameter.name, one.refused);
  }
  return text;
}

std::string to_json(const ResponseSensitivity& sensitivity, const std::string& model) {
  Json json;
  json["schema"] = "stillpoint.response_sensitivity/1";
  json["model"] = model;
  json["parameters"] = Json::array();
  for (const ResponseSensitivity::OfParameter& one : sensitivity.parameters) {
    json["parameters"].push_back({{"name", one.parameter.name},
                                  {"value", json_number(one.parameter.value)},
                                  {"unit", one.parameter.unit.empty() ? Json(nullptr) : Json(one.parameter.unit)},
                                  {"refused", one.refused.empty() ? Json(nullptr) : Json(one.refused)}});
  }
  json["responses"] = Json::array();
  for (std::size_t i = 0; i < sensitivity.requests.size(); ++i) {
    json["responses"].push_back({{"input", sensitivity.requests[i].input},
                                 {"output", sensitivity.requests[i].output},
                                 {"omega", json_number(sensitivity.requests[i].omega)},
                                 {"response", complex_json(sensitivity.values[i])},
                                 {"rates", rates_json(sensitivity, i)}});
  }
  return dumped(json);
}

}  // namespace stillpoint
