// The entries of the section `controllers` of a model file, for the reader, the manual and the schema.
#pragma once

#include <array>
#include <span>

#include "read/layout.h"

namespace stillpoint {

constexpr std::array common_controller_keys{
    Key{"from",
        "outputs that are measured, one or a list; a coordinate stands for its motion, and NAME' for the rate of an "
        "output or a coordinate",
        true},
    Key{"to", "inputs that are driven, one or a list; a coordinate stands for a force on it", true},
    Key{"feedback", "`negative`, e = r − y (the default), or `positive`, e = r + y"},
    Key{"delay", "a delay of what the controller does, in s, by a Padé approximation; none if left out or 0"},
    Key{"delay_order", "order of the approximation, 1 to 20 (default: 2)"},
};

constexpr std::array gain_keys{
    Key{"value", "D: a number, a list, or a list of rows; as many rows as inputs, as many columns as outputs", true},
};

constexpr std::array state_feedback_keys{
    Key{"gain", "D: a list for one input, or a list of rows; as many rows as inputs, as many columns as outputs", true},
};

constexpr std::array pid_keys{
    Key{"kp", "gain of the error (default: 0)"},
    Key{"ki", "gain of its integral, in 1/s (default: 0)"},
    Key{"kd", "gain of its derivative, in s (default: 0)"},
    Key{"filter_time", "time constant T of the filter of the derivative, in s; needed for a derivative"},
};

constexpr std::array transfer_function_keys{
    Key{"numerator", "coefficients of b(s), the highest power first", true},
    Key{"denominator", "coefficients of a(s), the highest power first", true},
};

constexpr std::array state_space_keys{
    Key{"A", "list of rows"},
    Key{"B", "list of rows"},
    Key{"C", "list of rows"},
    Key{"D", "list of rows (default: zeros)"},
    Key{"states", "names of the states (default: x[1], x[2], ...)"},
    Key{"file",
        "a plant with A, B, C, D and the names of its states, in place of these keys: a .json file of `stillpoint "
        "export`, relative to the model file"},
};

/// A kind of controller: its keyword, whose value is the name, and its keys beside the common ones.
struct ControllerKind {
  std::string_view keyword, help;
  std::span<const Key> keys;
};

constexpr std::array controller_kinds{
    ControllerKind{"gain", "A matrix of gains: w = D e.", gain_keys},
    ControllerKind{"pid", "A PID controller of one error: w = (kp + ki/s + kd s/(1 + T s)) e.", pid_keys},
    ControllerKind{"state_feedback", "State feedback: w = D e from many outputs, coordinates and their rates.",
                   state_feedback_keys},
    ControllerKind{"transfer_function", "A transfer function of one error, which must be proper: w = b(s)/a(s) e.",
                   transfer_function_keys},
    ControllerKind{"state_space", "A state-space block: ẋ = A x + B e, w = C x + D e.", state_space_keys},
};

}  // namespace stillpoint
