// Plants in discrete time: what a controller sees that samples outputs and sets inputs every T seconds.
//
//   ẋ = A x + B w,  y = C x + D w     →     x_{k+1} = A' x_k + B' w_k,   y_k = C' x_k + D' w_k                 (12.9)
//
//   const Plant sampled = discretise(state_space(system), {.time = 0.01, .hold = InputHold::zoh});
#pragma once

#include <map>
#include <string>

#include "stillpoint/plant.h"

namespace stillpoint {

enum class InputHold {
  zoh,    ///< inputs are constant between samples; exact then
  foh,    ///< inputs are linear between samples (triangle hold); exact then
  tustin  ///< the trapezoidal rule, s = (2/T) (z − 1)/(z + 1)
};
/// "zoh", "foh", "tustin"
const char* key_of(InputHold hold);

struct DiscretiseOptions {
  double time = 0;  ///< T (s)
  InputHold hold = InputHold::zoh;
  std::map<std::string, double> delays{};  ///< of inputs by name (s): whole samples
};

/// Makes the plant in discrete time. With zoh the states are those of the given plant at the samples; with the other
/// holds they differ from these by the inputs, and T and S lead back. A delay of an input adds its last values as
/// states. Throws Error if the plant is no state space, if T is not positive, if a delay is not a whole number of
/// samples or its input unknown, and if an input that is held has its derivatives as channels.
Plant discretise(const Plant& plant, const DiscretiseOptions& options);

}  // namespace stillpoint
