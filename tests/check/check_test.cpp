// What `check` says of small models. Each warning is provoked by the smallest model that deserves it, and stays away
// just below its threshold; models without a flaw are met without a word.

#include "stillpoint/check.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "stillpoint/elements/all.h"
#include "stillpoint/read_model.h"

using namespace stillpoint;
using Json = nlohmann::json;

namespace {

enum class World { plane, space };

/// The report on a model from the lines of its mechanism.
CheckReport checked(const std::string& mechanism, const std::string& gravity = "", World world = World::plane) {
  return check_model(read_model_text(
      fmt::format("stillpoint: 1\n{}{}mechanism:\n{}", world == World::space ? "dimension: 3\n" : "",
                  gravity.empty() ? "" : "gravity: " + gravity + "\n", mechanism.empty() ? "  []\n" : mechanism),
      "test"));
}

/// The warnings on a model, one after the other; "" if there is none.
std::string warnings(const std::string& mechanism, const std::string& gravity = "", World world = World::plane) {
  std::string text;
  for (const std::string& warning : checked(mechanism, gravity, world).warnings) text += warning + "\n";
  return text;
}
std::string warnings_in_space(const std::string& mechanism, const std::string& gravity = "") {
  return warnings(mechanism, gravity, World::space);
}

bool begins(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

// What the models below have in common.
const std::string pendulum = R"(
  - {body: bar, at: '0, 0', mass: 1, inertia: 0.1, centre: '0.5, 0'}
  - {revolute: hinge, between: 'ground, bar'}
)";
const std::string hinged_in_space = R"(
  - {revolute: hinge, between: 'ground, bar', axis: '0, 0, 1'}
)";

constexpr double rounding = 1e-14;  // of a few operations on numbers near one

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// The inventory

TEST_CASE("check: no case has a warning, whatever it is") {
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STILLPOINT_SOURCE_DIR "/cases")) {
    if (!exists(entry.path() / "model.yaml")) continue;
    CAPTURE(entry.path().string());
    CHECK(check_model(read_model(entry.path().string())).warnings == std::vector<std::string>{});
    ++cases;
  }
  CHECK(cases >= 10);
}

TEST_CASE("check: long models raise no alarm, whose coordinates go far beyond their lengths") {
  for (const char* const name : {"four_bar", "n_pendulum", "universal_chain"}) {
    CAPTURE(name);
    const Model model = read_model(std::string(STILLPOINT_SOURCE_DIR "/cases/") + name, {{"N", 3000}});
    CHECK(check_model(model).warnings == std::vector<std::string>{});
  }
}

TEST_CASE("check: mass, centre, inertia and weight in the plane are those of two particles") {
  const CheckReport report = checked(R"(
  - {point: P, at: '0, 0', mass: 1}
  - {point: Q, at: '3, 4', mass: 3}
  - {distance: rod, between: 'P, Q', length: 5}
  - {revolute: pin, between: 'ground, P'}
)",
                                     "3, -4");
  CHECK(!report.in_space);
  CHECK(report.mass == 4);
  CHECK(report.weight == 20);
  CHECK(report.centre.x == doctest::Approx(2.25).epsilon(rounding));
  CHECK(report.centre.y == doctest::Approx(3).epsilon(rounding));
  CHECK(report.inertia[2] == doctest::Approx(0.75 * 25).epsilon(rounding));  // reduced mass times distance squared
  CHECK(report.inertia[0] == 0);
}

TEST_CASE("check: the six moments in space are those of particles and a turned body") {
  const CheckReport report = checked(R"(
  - {point: P, at: '1, 2, 3', mass: 2}
  - {point: Q, at: '-1, -2, -3', mass: 2}
  - {body: b, at: '0, 0, 0', mass: 1, inertia: '1, 2, 2.5', rotation: '0, 0, pi/2'}
)",
                                     "", World::space);
  CHECK(report.in_space);
  CHECK(report.mass == 5);
  CHECK(length(report.centre) <= rounding);
  const std::array<double, 6> expected{4 * 13 + 2.0, 4 * 10 + 1.0, 4 * 5 + 2.5, -4 * 2.0, -4 * 3.0, -4 * 6.0};
  for (std::size_t k = 0; k < 6; ++k) {
    CAPTURE(k);
    CHECK(report.inertia[k] == doctest::Approx(expected[k]).epsilon(rounding));
  }
}

TEST_CASE("check: without mass the centre and the inertia are unknown, not zero") {
  for (const World world : {World::plane, World::space}) {
    const std::string point =
        world == World::plane ? "  - {point: P, at: '1, 1'}\n" : "  - {point: P, at: '1, 1, 1'}\n";
    const CheckReport report = checked(point, "", world);
    CHECK(report.mass == 0);
    CHECK(report.weight == 0);
    CHECK(std::isnan(report.centre.x));
    CHECK(std::isnan(report.inertia[2]));
    const Json json = Json::parse(to_json(report));
    CHECK(json["centre_of_mass"] == Json(std::vector<Json>(world == World::plane ? 2 : 3, nullptr)));
    CHECK(json["inertia"] == Json(std::vector<Json>(world == World::plane ? 1 : 6, nullptr)));
  }
}

TEST_CASE("check: parts are listed with what they consist of, the loose ones last") {
  const CheckReport report = checked(pendulum + R"(
  - {point: P, at: '1, 0', mass: 1}
  - {point: Q, at: '2, 0', mass: 1}
  - {distance: rod, between: 'P, Q', length: 1}
  - {spring: s, between: 'ground, P', stiffness: 1, free_length: 0.5}
)");
  CHECK(report.part_count == 2);
  CHECK(report.grounded_parts == 1);
  CHECK(report.held_parts == 1);
  REQUIRE(report.parts.size() == 2);
  CHECK(report.parts[0].first == "bar");
  CHECK(report.parts[1].first == "P");
  const Json parts = Json::parse(to_json(report))["parts"];
  CHECK(parts[0] == Json{{"grounded", true},
                         {"held_by_forces", false},
                         {"first", "bar"},
                         {"bodies", 1},
                         {"points", 0},
                         {"scalars", 0},
                         {"coordinates", 3},
                         {"constraints", 2},
                         {"freedom", 1}});
  CHECK(parts[1]["grounded"] == false);
  CHECK(parts[1]["held_by_forces"] == true);
  CHECK(parts[1]["freedom"] == 3);
  CHECK(has_line(to_text(report), "  parts         2         1 on the ground, 1 held by springs"));
}

TEST_CASE("check: loops are told by the joints that close them, outputs and inputs by their names") {
  const CheckReport report = checked(pendulum + R"(
  - {input: u}
  - {revolute: other, between: 'bar(1, 0), ground(1, 0)'}
  - {force: push, at: 'bar(1, 0)', vector: '0, 1', input: u}
  - {output: tip, position: 'bar(1, 0)'}
)");
  CHECK(report.loops == 1);
  CHECK(report.cut_joints == std::vector<std::string>{"other"});
  const std::string text = to_text(report);
  CHECK(has_line(text, "  loops         1         closed by other"));
  CHECK(has_line(text, "  inputs        1         u"));
  CHECK(has_line(text, "  outputs       2         tip.x, tip.y"));
  CHECK(has_line(text, "  dof           -1        = 3 − 4; at least 1 constraint is redundant"));
  const Json json = Json::parse(to_json(report));
  CHECK(json["loops"] == 1);
  CHECK(json["joints"] == 2);
  CHECK(json["cut_joints"] == Json{"other"});
  CHECK(json["inputs"] == Json{"u"});
  CHECK(json["outputs"] == Json{"tip.x", "tip.y"});
  CHECK(json["freedom"] == -1);
}

TEST_CASE("check: the JSON has the keys that scripts rely on, in plane and space") {
  for (const char* const name : {"four_bar", "pendulum_spatial"}) {
    CAPTURE(name);
    const Json json =
        Json::parse(to_json(check_model(read_model(std::string(STILLPOINT_SOURCE_DIR "/cases/") + name))));
    const std::size_t dimension = json["model"]["dimension"];
    CHECK(json["schema"] == "stillpoint.check/1");
    CHECK(json["model"]["name"] == name);
    CHECK(json["bodies"].is_number());
    CHECK(json["mass"].is_number());
    CHECK(json["weight"].is_number());
    CHECK(json["centre_of_mass"].size() == dimension);
    CHECK(json["gravity"].size() == dimension);
    CHECK(json["inertia"].size() == (dimension == 2 ? 1 : 6));
    CHECK(json["parts"][0]["grounded"] == true);
    CHECK(json["parts"][0]["bodies"].is_number());
    CHECK(json["constraint_residual"]["value"].is_number());
    CHECK(json["constraint_residual"].contains("worst"));
    CHECK(json["massless"].is_array());
    CHECK(json["warnings"].is_array());
  }
}

TEST_CASE("check: lists are cut, in the report and once more in the text, and say how much is left out") {
  const CheckReport report = check_model(read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar", {{"N", 300}}));
  CHECK(report.loops == 300);
  CHECK(report.cut_joints.size() == CheckReport::most_names);
  CHECK(to_text(report).find("coupler[8] and 292 more\n") != std::string::npos);
}

TEST_CASE("check: the text has a line for each topic, and reads as here") {
  const CheckReport report = checked(R"(
  - {body: bar, at: '1, 0, 0', mass: 2, inertia: '0, 0.5, 0.5'}
  - {revolute: hinge, between: 'ground, bar', at: '0, 0, 0', axis: '0, 1, 0'}
)",
                                     "0, 0, -10", World::space);
  CHECK(to_text(report) ==
        "test\n"
        "  coordinates   6         1 body\n"
        "  constraints   5         1 revolute\n"
        "  dof           1         = 6 − 5, if no constraint is redundant\n"
        "  parts         1         on the ground\n"
        "  loops         0\n"
        "  forces, mass  1 rigid_mass\n"
        "  inputs        0\n"
        "  outputs       0\n"
        "  mass          2 kg, centred at (1, 0, 0) m\n"
        "  inertia       0, 0.5, 0.5 kg m² (xx, yy, zz), 0, 0, 0 (xy, xz, yz) about there\n"
        "  gravity       (0, 0, -10) m/s², weight 20 N\n"
        "  no inertia    bar.rx\n"
        "  residual      0 at the guess\n");
}

TEST_CASE("check: masses without gravity get a word, but no warning") {
  CHECK(warnings(pendulum) == "");
  CHECK(has_line(to_text(checked(pendulum)), "  gravity       none; masses have no weight"));
  CHECK(has_line(to_text(checked("")), "  gravity       none"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Structure

TEST_CASE("check: a part that would fall, or lies beside what stands, is named; a spacecraft is not") {
  const std::string bodies = R"(
  - {body: lost, at: '0, 0', mass: 1, inertia: 1}
  - {body: pod, at: '1, 0', mass: 1, inertia: 1}
  - {revolute: neck, between: 'lost(1, 0), pod'}
)";
  const std::string found =
      "nothing holds body 'lost', body 'pod': no constraint, spring or other force leads from there";
  CHECK(warnings(bodies) == "");
  CHECK(begins(warnings(bodies, "0, -9.81"), found));
  CHECK(begins(warnings(bodies + pendulum), found));
  CHECK(warnings(bodies + "  - {spring: s, between: 'ground, lost(0, 1)', stiffness: 1, free_length: 1}\n",
                 "0, -9.81") == "");
  CHECK(warnings(bodies + "  - {revolute: base, between: 'ground, lost'}\n", "0, -9.81") == "");
  CHECK(begins(warnings(bodies + "  - {point: P, at: '5, 5', mass: 1}\n", "0, -9.81"),
               "nothing holds body 'lost', body 'pod', nor 1 other part: no constraint"));
  CHECK(warnings(bodies + "  - {force: thrust, at: pod, vector: '0, 19.62'}\n", "0, -9.81") == "");
  CHECK(begins(warnings(bodies + "  - {torsion_damper: friction, between: 'lost, pod', damping: 1}\n", "0, -9.81"),
               found));
  CHECK(warnings("  - {scalar: cart, value: 0, mass: 1}\n" + pendulum, "0, -9.81") == "");  // it runs freely
}

TEST_CASE("check: a joint of a body, or of the ground, with itself is named") {
  CHECK(begins(warnings(pendulum + "  - {slider: own, slot: bar, pin: 'bar(1, 0)'}\n"),
               "slider 'own' joins body 'bar' with itself; "));
  CHECK(begins(warnings(pendulum + "  - {distance: d, between: 'ground, ground(1, 0)', length: 1}\n"),
               "distance 'd' joins the ground with itself; "));
  CHECK(warnings(pendulum + "  - {slider: rail, slot: ground, pin: 'bar(1, 0)'}\n") == "");
}

TEST_CASE("check: a constraint stated twice is named, whichever end comes first") {
  const auto twice = [](const std::string& second) {
    return warnings(pendulum + "  - {distance: one, between: 'bar(1, 0), ground(3, 0)', length: 2}\n" + second);
  };
  const std::string found = "distance 'one' and distance 'two' constrain the same places; ";
  CHECK(begins(twice("  - {distance: two, between: 'bar(1, 0), ground(3, 0)', length: 2}\n"), found));
  CHECK(begins(twice("  - {distance: two, between: 'ground(3, 0), bar(1, 0)', length: 2}\n"), found));
  CHECK(twice("  - {distance: two, between: 'ground(3, 0), bar(1, 1e-3)', length: 2}\n") == "");
  CHECK(twice("  - {slider: two, slot: 'ground(3, 0)', pin: 'bar(1, 0)'}\n") == "");
}

TEST_CASE("check: two twins are found when both lie in loops, and relations have twins as well") {
  CHECK(begins(warnings(R"(
  - {body: a, at: '0, 0'}
  - {body: b, at: '1, 0'}
  - {revolute: 'base[1]', between: 'ground, a'}
  - {revolute: 'base[2]', between: 'ground(1, 0), b'}
  - {distance: one, between: 'a(0, 1), b(0, 1)', length: 1}
  - {distance: two, between: 'b(0, 1), a(0, 1)', length: 1}
)"),
               "distance 'one' and distance 'two' constrain the same places; "));
  const std::string locked = "  - {scalar: s, value: 0, mass: 1}\n  - {scalar: t, value: 0, mass: 1}\n";
  CHECK(begins(warnings(locked + R"(
  - {coupling: one, coordinates: 's, t', factors: '1, 1'}
  - {coupling: two, coordinates: 's, t', factors: '1, 2'}
)"),
               "coupling 'one' and coupling 'two' constrain the same places; "));
  CHECK(warnings(locked + R"(
  - {coupling: one, coordinates: s, factors: 1}
  - {coupling: two, coordinates: t, factors: 1}
)") == "");
}

TEST_CASE("check: twins in space are told by their axes, too") {
  const std::string bar = "  - {body: bar, at: '0, 0, 0', mass: 1, inertia: '1, 1, 1'}\n" + hinged_in_space;
  CHECK(begins(warnings_in_space(bar + "  - {revolute: twin, between: 'ground, bar', axis: '0, 0, 1'}\n"),
               "revolute 'hinge' and revolute 'twin' constrain the same places; "));
  CHECK(warnings_in_space(bar + "  - {revolute: other, between: 'ground, bar', axis: '0, 1, 0'}\n") == "");
}

TEST_CASE("check: what has no inertia and is reached by nothing is named; the end of a spring is not") {
  const std::string found =
      "nothing acts on 'P.x' (and 1 more): it has no inertia, and no constraint or force reaches it";
  CHECK(begins(warnings("  - {point: P, at: '1, 0'}\n"), found));
  CHECK(warnings("  - {point: P, at: '1, 0', mass: 1}\n") == "");
  const std::string bob = R"(
  - {body: bob, at: '1, 0', mass: 1}
  - {distance: string, between: 'ground, bob', length: 1}
)";
  CHECK(begins(warnings(bob), "nothing acts on 'bob.phi': "));
  CHECK(warnings(bob + "  - {torsion_damper: d, between: 'ground, bob', damping: 1}\n") == "");
  CHECK(warnings(R"(
  - {point: end, at: '1, 0'}
  - {point: mass, at: '2, 0', mass: 1}
  - {spring: s, between: 'ground, end', stiffness: 1, free_length: 1}
  - {damper: d, between: 'end, mass', damping: 1}
)") == "");  // Maxwell's element
}

TEST_CASE("check: a massless body on one spring is named, one on two springs or on a bushing is not") {
  const std::string body = "  - {body: b, at: '1, 0'}\n";
  const std::string one = "  - {spring: s, between: 'ground(0, 1), b(0, 1)', stiffness: 1, free_length: 1}\n";
  const std::string two = "  - {spring: t, between: 'ground(0, 3), b(0, 2)', stiffness: 1, free_length: 1}\n";
  CHECK(begins(warnings(body + one),
               "body 'b' has no mass, no constraint, and too few springs to determine its motion; "));
  CHECK(warnings(body + one + two) == "");
  CHECK(warnings(body + one + "  - {slider: rail, slot: 'ground(1, 0)', pin: b}\n") == "");
  CHECK(begins(warnings("  - {point: P, at: '1, 0'}\n  - {damper: d, between: 'ground, P', damping: 1}\n"),
               "point 'P' has no mass, no constraint, and too few springs"));
  CHECK(warnings_in_space(R"(
  - {body: b, at: '0, 0, 0'}
  - {bushing: mount, between: 'ground, b', stiffness: '1, 1, 1, 1, 1, 1'}
)") == "");
}

TEST_CASE("check: an input that drives nothing is named") {
  const std::string drives = "  - {force: f, at: 'bar(1, 0)', vector: '0, 1', input: u}\n";
  CHECK(begins(warnings(pendulum + "  - {input: u}\n"), "input 'u' drives nothing; "));
  CHECK(begins(warnings(pendulum + "  - {input: u}\n  - {input: w}\n" + drives), "input 'w' drives nothing; "));
  CHECK(warnings(pendulum + "  - {input: u}\n" + drives) == "");
}

// ---------------------------------------------------------------------------------------------------------------------
// The guess

TEST_CASE("check: elements whose two ends coincide are named, unless they need no direction") {
  const std::string P = "  - {point: P, at: '0, 0', mass: 1}\n";
  const std::string no_value = "the force on 'P.x' has no value at the guess: the two ends of ";
  const auto of = [&](const std::string& element) { return warnings(P + element); };
  CHECK(begins(of("  - {spring: s, between: 'ground, P', stiffness: 1, free_length: 1}\n"),
               no_value + "spring 's' coincide; "));
  CHECK(begins(
      of("  - {damper: d, between: 'ground, P', damping: 1}\n  - {damper: e, between: 'ground, P', damping: 1}\n"),
      no_value + "damper 'd' coincide (and 1 more); "));
  CHECK(begins(of("  - {input: u}\n  - {actuator: a, between: 'ground, P', input: u}\n"),
               no_value + "actuator 'a' coincide"));
  CHECK(begins(of("  - {distance: rod, between: 'ground, P', length: 1}\n"),
               "the guess violates distance 'rod' by 1 m²"));
  CHECK(of("  - {distance: rod, between: 'ground, P', length: 1}\n")
            .find("\ndistance 'rod' has no direction at the guess, its two points coincide; move one of them\n") !=
        std::string::npos);
  CHECK(begins(of("  - {scalar: phi, value: 0}\n  - {angle: phi, of: phi, between: 'ground, P'}\n"),
               "angle 'phi' has no direction at the guess"));
  CHECK(of("  - {spring: s, between: 'ground, P', stiffness: 1, free_length: 0}\n") == "");
  CHECK(of("  - {revolute: pin, between: 'ground, P'}\n") == "");
}

TEST_CASE("check: ends that are apart by rounding only coincide; beyond that they do not") {
  const auto spring_to = [](const std::string& x) {
    return checked("  - {point: P, at: '" + x +
                   ", 0', mass: 1}\n  - {spring: s, between: 'ground(1, 0), P', stiffness: 1,"
                   " free_length: 1}\n");
  };
  CHECK(spring_to("1 + 2.3e-16").zero_length == std::vector<std::string>{"spring 's'"});
  CHECK(spring_to("1 + 1e-12").zero_length.empty());
}

TEST_CASE("check: a guess that violates a constraint by more than half of what is usual is named with the constraint") {
  const auto rod = [](double length) {
    return warnings(
        fmt::format("  - {{point: P, at: '1, 0', mass: 1}}\n"
                    "  - {{distance: rod, between: 'ground, P', length: {}}}\n",
                    length));
  };
  CHECK(rod(1 / std::sqrt(1.49)) == "");
  CHECK(begins(rod(1 / std::sqrt(1.51)),
               "the guess violates distance 'rod' by 0.338 m², its length squared is 0.662 m²; "));
  CHECK(rod(std::sqrt(1 / 0.51)) == "");
  CHECK(begins(rod(std::sqrt(1 / 0.49)), "the guess violates distance 'rod' by 1.04 m²"));

  const auto pinned = [](double off) {
    return warnings(
        fmt::format("  - {{body: bar, at: '{}, 0', mass: 1, inertia: 1}}\n"
                    "  - {{revolute: hinge, between: 'ground, bar(-2, 0)'}}\n",
                    2 + off));
  };
  CHECK(pinned(0.99) == "");
  CHECK(begins(pinned(1.01), "the guess violates revolute 'hinge'.x by 1.01 m, where lengths are about 2 m; "));

  const auto welded = [](double angle) {
    return warnings(
        fmt::format("  - {{body: bar, at: '0, 0', angle: {}, mass: 1, inertia: 1}}\n"
                    "  - {{weld: foot, between: 'ground, bar'}}\n",
                    angle));
  };
  CHECK(welded(0.49) == "");
  CHECK(begins(welded(0.51), "the guess violates weld 'foot'.angle by 0.51 rad, where small angles are usual; "));
}

// ---------------------------------------------------------------------------------------------------------------------
// Numbers

TEST_CASE("check: a mass a thousand times all others, or a thousandth of them, is named") {
  const auto masses = [](double a, double b, double c) {
    return warnings(
        fmt::format("  - {{point: P, at: '0, 0', mass: {}}}\n  - {{point: Q, at: '1, 0', mass: {}}}\n"
                    "  - {{body: hook, at: '0, 1', mass: {}, inertia: 0.1}}\n"
                    "  - {{revolute: pin, between: 'ground(0, 1), hook'}}\n"
                    "  - {{revolute: foot, between: 'ground, P'}}\n"
                    "  - {{revolute: hand, between: 'ground(1, 0), Q'}}\n",
                    a, b, c));
  };
  CHECK(masses(1, 2, 1999) == "");
  CHECK(begins(masses(1, 2, 2000), "body 'hook' has a mass of 2000 kg, all others have at most 2 kg; "));
  CHECK(masses(1, 1.001e-3, 1) == "");
  CHECK(begins(masses(1, 1e-3, 1), "point 'Q' has a mass of 0.001 kg, all others have at least 1 kg; "));
  CHECK(masses(1, 2, 0) == "");  // an idealisation
}

TEST_CASE("check: of two masses only the larger is named") {
  CHECK(warnings("  - {point: P, at: '0, 0', mass: 1}\n  - {point: Q, at: '1, 0', mass: 1000}\n") ==
        "point 'Q' has a mass of 1000 kg, all others have at most 1 kg; this may be intended; otherwise check "
        "its unit (kg)\n");
}

TEST_CASE("check: an inertia in kg mm² is named, a flywheel with its places near the axis is not") {
  const auto wheel = [](double inertia, double pin) {
    return warnings(
        fmt::format("  - {{body: wheel, at: '0, 0', mass: 1, inertia: {}}}\n"
                    "  - {{revolute: axle, between: 'ground, wheel'}}\n"
                    "  - {{spring: s, between: 'ground(0, 1), wheel({}, 0)', stiffness: 1, free_length: 1}}\n",
                    inertia, pin));
  };
  CHECK(wheel(0.99, 0.01) == "");
  CHECK(begins(
      wheel(1.01, 0.01),
      "body 'wheel' has an inertia of 1.01 kg m², a radius of gyration of 1 m, but its places lie within 0.01 m; "));
  CHECK(begins(wheel(1.01e4, 0),
               "body 'wheel' has an inertia of 10100 kg m², a radius of gyration of 100 m, but a usual "
               "length here is 1 m; is it in kg mm²?"));
  CHECK(wheel(0.99e4, 0) == "");
}

TEST_CASE("check: moments of inertia that no body has are named; thin bodies and bodies without are fine") {
  const auto moments = [](const std::string& inertia) {
    return warnings_in_space("  - {body: bar, at: '0, 0, 0', mass: 1, inertia: '" + inertia + "'}\n" + hinged_in_space);
  };
  CHECK(moments("1, 1, 2") == "");
  CHECK(moments("0, 1, 1") == "");
  CHECK(moments("0, 0, 0") == "");
  CHECK(moments("1, 1, 2.04") == "");  // rounded
  CHECK(begins(moments("1, 1, 2.05"), "body 'bar' has the principal moments of inertia 1, 1, 2.05 kg m²; "));
  CHECK(begins(moments("0, 0, 1"), "body 'bar' has the principal moments"));
  // a thin plate, 1, 1, 2, in turned axes; and with more about its normal
  CHECK(moments("1.5, 1.5, 1, 0.5, 0, 0") == "");
  CHECK(begins(moments("2, 2, 1, 1, 0, 0"), "body 'bar' has the principal moments of inertia 1, 1, 3 kg m²; "));
}

TEST_CASE("check: a negative stiffness or damping is named") {
  const auto spring = [](const std::string& values) {
    return warnings("  - {point: P, at: '1, 0', mass: 1}\n  - {spring: s, between: 'ground, P', free_length: 1, " +
                    values + "}\n");
  };
  CHECK(spring("stiffness: 0, damping: 0") == "");
  CHECK(begins(spring("stiffness: -3"),
               "spring 's' has a negative stiffness of -3; it drives the motion away from "
               "equilibrium"));
  CHECK(begins(spring("stiffness: 3, damping: -1"), "spring 's' has a negative damping of -1; "));
  const auto bushing = [](const std::string& stiffness) {
    return warnings_in_space(
        "  - {body: b, at: '0, 0, 0', mass: 1, inertia: '1, 1, 1'}\n"
        "  - {bushing: mount, between: 'ground, b', stiffness: '" +
        stiffness + "'}\n");
  };
  CHECK(bushing("1, 1, 1, 1, 1, 1") == "");
  CHECK(begins(bushing("1, 1, -2, 1, 1, 1"), "bushing 'mount' has a negative stiffness of -2; "));
}

TEST_CASE("check: angles that look like degrees are named, whatever they belong to; whole turns are not") {
  const auto body = [](const std::string& angle) {
    return warnings("  - {body: bar, at: '0, 0', angle: '" + angle +
                    "', mass: 1, inertia: 1}\n"
                    "  - {revolute: hinge, between: 'ground, bar'}\n");
  };
  CHECK(begins(body("-90"), "the angle of body 'bar' is -90 rad, more than a whole turn; "));
  CHECK(begins(body("10"), "the angle of body 'bar' is 10 rad"));
  CHECK(body("5") == "");
  CHECK(body("11") == "");
  CHECK(body("90*deg") == "");
  CHECK(body("4*pi") == "");

  CHECK(begins(warnings(pendulum + "  - {fixed: slot, at: '0, 1', angle: 30}\n"),
               "the angle of a place on the ground is 30 rad"));
  CHECK(begins(warnings(pendulum + "  - {torsion_spring: t, between: 'ground, bar', stiffness: 1, free_angle: 45}\n"),
               "free_angle of torsion_spring 't' is 45 rad"));
  const std::string measured = pendulum + "  - {scalar: phi, value: 180}\n";
  CHECK(warnings(measured + "  - {coupling: c, coordinates: 'phi, bar.phi', factors: '1, 1'}\n") == "");  // may be in m
  CHECK(warnings(measured + "  - {angle: a, of: phi, between: 'bar, bar(-1, 0)'}\n")
            .find("the guess of scalar 'phi' is 180 rad") != std::string::npos);
}

// ---------------------------------------------------------------------------------------------------------------------
// Scales

TEST_CASE("check: a length far beyond the usual one is named; a class of long ones is not") {
  const auto rods = [](double longest) {
    std::string text;
    for (int i = 0; i < 4; ++i) {
      const double l = i == 3 ? longest : 0.1;
      text += fmt::format(
          "  - {{point: 'P[{0}]', at: '{1}, {0}', mass: 1}}\n"
          "  - {{distance: 'rod[{0}]', between: 'ground(0, {0}), P[{0}]', length: {1}}}\n",
          i, l);
    }
    return warnings(text);
  };
  CHECK(rods(50) == "");
  CHECK(
      begins(rods(50.1), "distance 'rod[3]' has a length of 50.1 m, where 0.1 m is usual in this model; is it in mm?"));
}

TEST_CASE("check: a place far from all others is named with what it belongs to") {
  const auto points = [](double x, int far) {
    std::string text;
    for (int i = 0; i < 6; ++i) {
      text += fmt::format("  - {{point: 'P[{0}]', at: '{1}, 0', mass: 1}}\n", i, i < 6 - far ? i : x);
    }
    return warnings(text);
  };
  // the middle is at 3, half of the places are within 2 from there
  CHECK(points(1003, 1) == "");
  CHECK(begins(points(1004, 1),
               "a place on point 'P[5]' is at (1004, 0) m, 1e+03 m from the middle of the model, where 2 m "
               "is usual; is it in mm?"));
  CHECK(points(1004, 2) == "");  // a class of their own
}

TEST_CASE("check: gravity that no planet has is named, and so is gravity that does not go with the lengths") {
  const auto hanging = [](double length, const std::string& gravity) {
    return warnings(fmt::format("  - {{point: P, at: '0, {0}', mass: 1}}\n"
                                "  - {{distance: rod, between: 'ground, P', length: {0}}}\n",
                                length),
                    gravity);
  };
  CHECK(hanging(1, "0, -9.81") == "");
  CHECK(hanging(1, "0, -30") == "");
  CHECK(hanging(1, "0, 1") == "");
  CHECK(begins(hanging(1, "0, -9810"), "gravity is 9810 m/s², on Earth it is 9.81 m/s²; "));
  CHECK(begins(hanging(1, "0, -30.1"), "gravity is 30.1 m/s²"));
  CHECK(begins(hanging(1, "0, -0.99"), "gravity is 0.99 m/s²"));
  CHECK(hanging(100, "0, -9.81") == "");
  CHECK(begins(hanging(101, "0, -9.81"), "gravity is 9.81 m/s², and a usual length in this model is 101 m; "));
  CHECK(hanging(101, "") == "");
}

// ---------------------------------------------------------------------------------------------------------------------
// Stiffness and beams out of proportion

namespace {

/// A mass of 10 kg on three springs, the first of this stiffness.
std::string on_springs(double stiffness) {
  std::string text = "  - {point: P, at: '0, 1', mass: 10}\n";
  for (int k = 0; k < 3; ++k)
    text += fmt::format(
        "  - {{fixed: 'A[{0}]', at: '{1}, 0'}}\n"
        "  - {{spring: 's[{0}]', between: 'A[{0}], P', stiffness: {2}, free_length: 1}}\n",
        k, k - 1, k == 0 ? stiffness : 25000.0);
  return text;
}

std::string bar(double axial_stiffness, double mass_per_length) {
  return fmt::format(
      "  - {{body: tip, at: '1, 0'}}\n"
      "  - {{beam: b, between: 'ground, tip', length: 1, axial_stiffness: {}, bending_stiffness: 100, "
      "mass_per_length: {}}}\n",
      axial_stiffness, mass_per_length);
}

}  // namespace

TEST_CASE("check: a stiffness in N/mm among others in N/m") {
  CHECK(warnings(on_springs(25)) ==
        "spring 's[0]' has a stiffness of 25 N/m, where 2.5e+04 N/m is usual in this model; is it in N/mm? This may be "
        "intended; otherwise write it in N/m\n");
  CHECK(warnings(on_springs(60)).empty());
}

TEST_CASE("check: springs that the weight of the model would stretch out of all proportion") {
  const std::string one =
      "  - {point: P, at: '0, -1', mass: 10}\n"
      "  - {spring: s, between: 'ground, P', stiffness: 4, free_length: 1}\n";
  CHECK(
      begins(warnings(one, "0, -9.81"),
             "the weight of the model would stretch all its springs together (spring 's') by 24.5 m, where lengths are "
             "about 1 m; are stiffnesses in N/mm?"));
  CHECK(warnings(one).empty());  // without gravity
  CHECK(warnings("  - {point: P, at: '0, -1', mass: 10}\n"
                 "  - {spring: s, between: 'ground, P', stiffness: 10, free_length: 1}\n",
                 "0, -9.81")
            .empty());
}

TEST_CASE("check: a beam in which sound would creep") {
  CHECK(begins(warnings(bar(200, 8)),
               "sound would travel along beam 'b' at 5 m/s, in steel it does at 5000 m/s; check "
               "the units of axial_stiffness"));
  CHECK(warnings(bar(2e8, 8)).empty());
}
