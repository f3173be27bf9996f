#include "elements/element_harness.h"

namespace stillpoint {

// K of a force appears where its place turns with a body; C and K of a mass in motion, where it sits off the origin.
const std::vector<ElementCase>& element_cases() {
  static const std::vector<ElementCase> cases{
      {.keyword = "point_mass",
       .numbers = {{"mass", {1.7}}},
       .at_rest = "MK",
       .moving = "MCK",
       .reacts = Reacts::outside},
      {.keyword = "rigid_mass",
       .numbers = {{"mass", {1.7}}, {"inertia", {0.9}}},
       .at_rest = "MK",
       .moving = "MCK",
       .reacts = Reacts::outside},
      {.keyword = "scalar_mass",
       .numbers = {{"mass", {1.7}}},
       .at_rest = "M",
       .moving = "M",
       .reacts = Reacts::on_coordinates},
      {.keyword = "rod", .numbers = {{"length", {1.3}}, {"mass", {2.1}}}, .at_rest = "MKJ", .moving = "MCKJ"},

      {.keyword = "distance", .numbers = {{"length", {1.3}}}, .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "angle", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "revolute", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "slider", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "prismatic", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "weld", .at_rest = "KJ", .moving = "KJ"},
      {.keyword = "coupling",
       .numbers = {{"factors", {1.5, -0.7, 2.2}}, {"value", {0.4}}},
       .at_rest = "J",
       .moving = "J",
       .reacts = Reacts::on_coordinates},
      {.keyword = "prescribed", .at_rest = "JG", .moving = "JG", .reacts = Reacts::on_coordinates},

      {.keyword = "spring",
       .numbers = {{"stiffness", {40}}, {"free_length", {1.2}}, {"damping", {3}}},
       .at_rest = "CK",
       .moving = "CK"},
      {.keyword = "spring", .numbers = {{"stiffness", {40}}, {"free_length", {1.2}}}, .at_rest = "K", .moving = "K"},
      {.keyword = "spring", .numbers = {{"stiffness", {40}}, {"free_length", {0}}}, .at_rest = "K", .moving = "K"},
      {.keyword = "damper", .numbers = {{"damping", {3}}}, .at_rest = "C", .moving = "CK"},
      {.keyword = "torsion_spring",
       .numbers = {{"stiffness", {7}}, {"free_angle", {0.3}}, {"damping", {0.8}}},
       .at_rest = "CK",
       .moving = "CK"},
      {.keyword = "torsion_spring",
       .numbers = {{"stiffness", {7}}, {"free_angle", {0.3}}},
       .at_rest = "K",
       .moving = "K"},
      {.keyword = "torsion_damper", .numbers = {{"damping", {0.8}}}, .at_rest = "C", .moving = "C"},
      {.keyword = "force",
       .numbers = {{"vector", {2, -5}}},
       .at_rest = "KF",
       .moving = "KF",
       .reacts = Reacts::outside},
      {.keyword = "torque", .numbers = {{"magnitude", {4}}}, .at_rest = "F", .moving = "F"},
      {.keyword = "follower_force",
       .numbers = {{"vector", {2, -5}}},
       .at_rest = "KF",
       .moving = "KF",
       .reacts = Reacts::outside,
       .conservative = false},
      {.keyword = "actuator", .numbers = {{"magnitude", {6}}}, .at_rest = "KF", .moving = "KF"},
  };
  return cases;
}

}  // namespace stillpoint
