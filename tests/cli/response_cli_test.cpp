// The verb `response` from outside.

#include <cmath>
#include <complex>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "support/plants/doubly_held.h"
#include "support/tool.h"

using namespace stillpoint;
using ResponseJson = nlohmann::json;

namespace {

const std::string drive_train = case_folder("drive_train");

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// −(d s + k) / (J1 (s² + d s / J + k / J))
std::complex<double> shaft_by_motor(double omega) {
  const double J1 = 0.02, J2 = 0.5, k = 400, d = 0.05, J = J1 * J2 / (J1 + J2);
  const std::complex<double> s(0, omega);
  return -(d * s + k) / (J1 * (s * s + d * s / J + k / J));
}

}  // namespace

TEST_CASE("response: CSV has a line for each frequency, with the values of the closed form") {
  const Answer answer = run("response " + drive_train + " --output shaft --from 1 --to 100 --points 5");
  CHECK(answer.code == 0);
  CHECK(answer.err == "");
  const std::vector<std::string> lines = lines_of(answer.out);
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] ==
        "frequency_hz,omega_rad_s,\"shaft/motor re\",\"shaft/motor im\",\"shaft/motor magnitude_db\","
        "\"shaft/motor phase_deg\"");
  double hertz = 0, omega = 0, re = 0, im = 0, decibels = 0, degrees = 0;
  REQUIRE(std::sscanf(lines[3].c_str(), "%lf,%lf,%lf,%lf,%lf,%lf", &hertz, &omega, &re, &im, &decibels, &degrees) == 6);
  CHECK(hertz == doctest::Approx(10).epsilon(1e-14));
  CHECK(omega == doctest::Approx(20 * std::numbers::pi).epsilon(1e-14));
  const std::complex<double> expected = shaft_by_motor(omega);
  CHECK(std::abs(std::complex<double>(re, im) - expected) < 1e-13 * std::abs(expected));
  CHECK(decibels == doctest::Approx(20 * std::log10(std::abs(expected))).epsilon(1e-12));
  CHECK(degrees == doctest::Approx(std::arg(expected) * 180 / std::numbers::pi).epsilon(1e-9));
}

TEST_CASE("response: columns and curves of several inputs and outputs carry their own names and values") {
  const std::string arguments = "response " + drive_train + " --input motor,load.phi --output shaft,rotor.phi";
  const std::vector<std::string> lines = lines_of(run(arguments + " --from 1 --to 10 --points 2").out);
  REQUIRE(lines.size() == 3);
  CHECK(contains(lines[0], "\"shaft/motor phase_deg\",\"shaft/load.phi re\""));
  CHECK(contains(lines[0], "\"rotor.phi/motor re\""));
  // A torque on the load twists the shaft the other way, by as much as it turns J2: (d s + k) / (J2 (s² + …)).
  const ResponseJson json = ResponseJson::parse(run(arguments + " --unit rad --from 3 --to 30 --points 2 --json").out);
  REQUIRE(json["pairs"].size() == 4);
  CHECK(json["pairs"][1]["input"] == "load.phi");
  CHECK(json["pairs"][1]["output"] == "shaft");
  const auto value = json["pairs"][1]["response"][0];
  const std::complex<double> found(value[0], value[1]), expected = -shaft_by_motor(3) * 0.02 / 0.5;
  CHECK(std::abs(found - expected) < 1e-12 * std::abs(expected));
}

namespace {

struct Curve {
  std::vector<double> x, y;
};

/// The curves of a colour in a picture: its legend, magnitude, phase, each a path "Mx yLx y...".
std::vector<Curve> curves_in(const std::string& svg, const std::string& colour) {
  std::vector<Curve> curves;
  for (const std::string& line : lines_of(svg)) {
    const std::size_t points = line.find(" d=\"");
    if (points == std::string::npos || !contains(line, "stroke=\"" + colour)) continue;
    std::istringstream numbers(line.substr(points + 4));
    Curve& curve = curves.emplace_back();
    char command = 0;
    for (double x = 0, y = 0; numbers >> command >> x >> y;) {
      curve.x.push_back(x);
      curve.y.push_back(y);
    }
  }
  return curves;
}

}  // namespace

TEST_CASE("response: the plot rises where the magnitude does, over the frequency in its own unit") {
  const std::string arguments =
      "response " + drive_train + " --output shaft,motor_speed --from 10 --to 1000 --points 41 ";
  const ScratchFolder folder;
  const auto picture = [&](const std::string& unit) {
    CHECK(run(arguments + "--unit " + unit + " -o '" + folder / "bode.svg" + "'").code == 0);
    return content_of(folder / "bode.svg");
  };
  const std::string svg = picture("rad");
  CHECK(contains(svg, "angular frequency (rad/s)"));
  const std::string in_hertz = picture("hz");
  CHECK(contains(in_hertz, ">frequency (Hz)"));
  const ResponseJson json = ResponseJson::parse(run(arguments + "--unit rad --json").out);
  const std::vector<std::string> colours{"#0072b2", "#d55e00"};
  for (std::size_t c = 0; c < 2; ++c) {
    const std::vector<Curve> curves = curves_in(svg, colours[c]);
    REQUIRE(curves.size() == 3);
    for (const auto& [curve, key] : {std::pair{1, "magnitude_db"}, std::pair{2, "phase_deg"}}) {
      const Curve& drawn = curves[static_cast<std::size_t>(curve)];
      const std::vector<double> values = json["pairs"][c][key];
      REQUIRE(drawn.y.size() == values.size());
      // Down the page as the values fall: one scale for all points.
      double scale = 0;
      for (std::size_t k = 1; k < values.size(); ++k) {
        if (std::abs(values[k] - values[0]) > std::abs(scale)) scale = values[k] - values[0];
      }
      const auto extreme = static_cast<std::size_t>(
          std::find_if(values.begin(), values.end(), [&](double v) { return v - values[0] == scale; }) -
          values.begin());
      const double pixels = (drawn.y[extreme] - drawn.y[0]) / scale;
      CHECK(pixels < 0);
      for (std::size_t k = 0; k < values.size(); ++k)
        CHECK(std::abs(drawn.y[k] - drawn.y[0] - pixels * (values[k] - values[0])) < 0.3);
    }
    CHECK(curves[1].x.front() == doctest::Approx(curves[2].x.front()));
  }
  // From 10 to 1000 of its unit, 100 stands in the middle of 72 ... 752.
  for (const std::string& text : {svg, in_hertz}) {
    const std::size_t label = text.find("text-anchor=\"middle\">100</text>");
    REQUIRE(label != std::string::npos);
    CHECK(text.substr(text.rfind("<text ", label), 14) == "<text x=\"412\" ");
  }
}

TEST_CASE("response: without a range it covers the modes, in Hz or rad/s, with points on the peaks") {
  const ResponseJson json = ResponseJson::parse(run("response " + drive_train + " --json").out);
  CHECK(json["schema"] == "stillpoint.response/1");
  CHECK(json["model"]["name"] == "drive_train");
  const auto& omega = json["omega_rad_s"];
  CHECK(omega.size() > 400);
  CHECK(omega.front().get<double>() == doctest::Approx(14.4222).epsilon(1e-4));
  CHECK(omega.back().get<double>() == doctest::Approx(1442.22).epsilon(1e-4));
  REQUIRE(json["pairs"].size() == 3);
  CHECK(json["pairs"][0]["input"] == "motor");
  CHECK(json["pairs"][0]["output"] == "shaft");
  double peak = 0;
  for (const auto& value : json["pairs"][0]["magnitude_db"]) peak = std::max(peak, value.get<double>());
  CHECK(peak == doctest::Approx(20 * std::log10(std::abs(shaft_by_motor(144.2162)))).epsilon(1e-4));
  const ResponseJson in_rad =
      ResponseJson::parse(run("response " + drive_train + " --json --unit rad --from 2 --to 8 --points 2").out);
  CHECK(in_rad["omega_rad_s"] == ResponseJson({2.0, 8.0}));
}

TEST_CASE("response: the phase of an undamped system falls at poles and rises at zeros") {
  const ResponseJson json = ResponseJson::parse(
      run("response " + case_folder("mass_ring") + " --input 'carriage[1].y' --output 'carriage[1].y' --json").out);
  // Force and motion of one place: poles and zeros take turns, so the phase stays between 0 and −180.
  for (const auto& value : json["pairs"][0]["phase_deg"]) {
    if (value.is_null()) continue;
    CHECK(value.get<double>() > -181);
    CHECK(value.get<double>() < 1);
  }
}

TEST_CASE("response: files are written by their ending, whole or not at all") {
  const ScratchFolder folder;
  const auto write = [&](const std::string& name) {
    return run("response " + drive_train + " -o '" + folder / name + "'");
  };
  CHECK(write("bode.svg").code == 0);
  const std::string svg = content_of(folder / "bode.svg");
  CHECK(svg.starts_with("<svg "));
  CHECK(contains(svg, "shaft by motor"));
  CHECK(contains(svg, "frequency (Hz)"));
  CHECK(write("bode.csv").code == 0);
  CHECK(content_of(folder / "bode.csv").starts_with("frequency_hz,"));
  CHECK(write("bode.json").code == 0);
  CHECK(ResponseJson::parse(content_of(folder / "bode.json"))["pairs"].size() == 3);
  check_refused("response " + drive_train + " -o bode.png", "the endings are .csv, .json and .svg");
}

TEST_CASE("response: coordinates take the place of inputs and outputs, and wrong words are told") {
  const std::string four_bar = case_folder("four_bar");
  CHECK(run("response " + four_bar + " --set c=1 --input phi --output phi --points 3").code == 0);
  check_refused("response " + four_bar, "'four_bar' has no inputs: name a coordinate on which a force acts");
  check_refused("response " + four_bar + " --input phi",
                "'four_bar' has no outputs: name a coordinate whose motion is the output");
  check_refused("response " + drive_train + " --input moter",
                "there is no input or coordinate 'moter' (did you mean 'motor'?)");
  check_refused("response " + drive_train + " --from 5 --to 2", "--from 5 --to 2: the first frequency must be below");
  check_refused("response " + drive_train + " --unit Hz", "--unit: Hz not in");
  check_refused("response " + drive_train + " --from 0", "--from: 0 is not a number above zero\n");
  check_refused("response " + drive_train + " --to inf", "--to: inf is not a number above zero\n");
}

TEST_CASE(
    "response: a reaction that is not determined is refused, or shown with a warning; singular positions are told") {
  const ScratchFolder folder;
  const std::string model = "'" + folder.write("model.yaml", doubly_held) + "' --output first --points 2";
  check_refused("response " + model, "output 'first' is a reaction that is not determined");
  const Answer shown = run("response " + model + " --unit rad --from 3 --to 5 --minimum-norm --json");
  CHECK(shown.code == 0);
  CHECK(contains(shown.err, "warning: redundant constraints leave undetermined the reaction 'first'"));
  // Each has 6.5 ẍ, with x = u / (5 − 15 ω²).
  const auto value = ResponseJson::parse(shown.out)["pairs"][0]["response"][0];
  CHECK(std::abs(value[0].get<double>()) == doctest::Approx(6.5 * 9 / (15 * 9 - 5)).epsilon(1e-12));

  const Answer flat = run("response " + case_folder("four_bar") +
                          " --set k=0 --set gx=9.81 --set gy=0 --set phi_guess=0 --input phi --output phi --points 2");
  CHECK(flat.code == 0);
  CHECK(contains(flat.err, "warning: the configuration is singular"));
  CHECK(contains(ResponseJson::parse(shown.out)["warnings"][0], "undetermined"));
}

TEST_CASE("response: a frequency on a pole is told, and the rest is there") {
  const Answer answer = run("response " + drive_train + " --unit rad --from 1e-200 --to 1 --points 2");
  CHECK(answer.code == 0);
  CHECK(contains(answer.err, "warning: there is a pole at"));
  CHECK(lines_of(answer.out).size() == 3);
}
