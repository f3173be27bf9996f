// The keys of a model file outside of its entries, for the reader, the manual and the schema.
#pragma once

#include <array>
#include <string_view>

namespace stillpoint {

struct Key {
  std::string_view key;
  std::string_view help;
  bool required = false;
};

constexpr std::array file_keys{
    Key{"stillpoint", "version of the format: 1", true},
    Key{"name", "what the model is called; the folder's name if left out"},
    Key{"description", "a description for the reader"},
    Key{"dimension", "2 for a mechanism in the plane (the default), 3 for one in space"},
    Key{"parameters", "numbers that expressions may use and `--set NAME=VALUE` replaces"},
    Key{"gravity", "acceleration of gravity in m/s²: x, y (in space x, y, z); none if left out"},
    Key{"angular_velocity",
        "constant angular velocity in rad/s of the ground, with everything described in it, about the origin: a number "
        "(in space x, y, z); none if left out"},
    Key{"mechanism", "the list of entries", true},
    Key{"controllers", "the list of controllers, which close loops about the operating point; none if left out"},
};

constexpr std::array parameter_keys{
    Key{"value", "its value: a number, or an expression over the parameters above it", true},
    Key{"min", "the least value allowed"},
    Key{"max", "the greatest value allowed"},
    Key{"integer", "true: only whole numbers are allowed"},
    Key{"unit", "its unit, for the reader"},
    Key{"help", "what it means, for the reader"},
};

constexpr std::array loop_keys{
    Key{"for", "`VARIABLE in FIRST..LAST`, whole numbers, both included", true},
    Key{"do", "the list of entries to repeat", true},
};

}  // namespace stillpoint
