// The truth test as a table and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "formats/json_number.h"
#include "report/digits.h"
#include "stillpoint/verify_modes.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

constexpr int mode_width = 6, value_width = 34, number_width = 12;

std::string value_text(std::complex<double> s, double error) { return eigenvalue_in_line(s, error, s.imag() != 0); }

Json pair(std::complex<double> s) { return Json::array({json_number(s.real()), json_number(s.imag())}); }

}  // namespace

std::string to_text(const Verification& verification) {
  std::string text = fmt::format("{} of {} modes agree with the motion of the mechanism\n\n", verification.agreeing,
                                 verification.done);
  text += right("mode", mode_width) + "  " + left("s, linear (rad/s)", value_width) +
          left("s, from motion (rad/s)", value_width) + right("difference", number_width) +
          right("allowed", number_width) + "\n";
  std::string branch;
  for (const VerifiedMode& mode : verification.modes) {
    if (mode.branch != branch) text += fmt::format("branch '{}'\n", branch = mode.branch);
    const double error = std::max(mode.difference, 1e-12 * std::abs(mode.s));
    text += right(std::to_string(mode.mode + 1), mode_width) + "  " + left(value_text(mode.s, error), value_width);
    if (!mode.is_done) {
      text += mode.note + "\n";
      continue;
    }
    text += left(mode.s == 0.0 ? "0" : value_text(mode.from_motion, error), value_width) +
            right(magnitude(mode.difference), number_width) + right(magnitude(mode.bar), number_width) +
            (mode.agrees ? "\n" : "  disagrees\n");
  }
  return text;
}

std::string to_json(const Verification& verification, const std::string& model) {
  Json json;
  json["schema"] = "stillpoint.verify/1";
  json["model"] = model;
  json["modes"] = Json::array();
  for (const VerifiedMode& mode : verification.modes) {
    json["modes"].push_back({{"mode", mode.mode + 1},
                             {"branch", mode.branch.empty() ? Json(nullptr) : Json(mode.branch)},
                             {"s", pair(mode.s)},
                             {"from_motion", mode.is_done ? pair(mode.from_motion) : Json(nullptr)},
                             {"difference", mode.is_done ? json_number(mode.difference) : Json(nullptr)},
                             {"bar", mode.is_done ? json_number(mode.bar) : Json(nullptr)},
                             {"agrees", mode.is_done ? Json(mode.agrees) : Json(nullptr)},
                             {"runs", mode.runs},
                             {"note", mode.note.empty() ? Json(nullptr) : Json(mode.note)}});
  }
  json["verified"] = verification.agreeing;
  json["of"] = verification.done;
  return json.dump(2) + "\n";
}

}  // namespace stillpoint
