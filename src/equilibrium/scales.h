// What is a large displacement, what is a large gap: lengths are compared with the typical length of the model, turns
// with one radian, scalars with whatever moves what they measure by one of these.
#pragma once

#include "algebra/bordered.h"
#include "stillpoint/assembly.h"

namespace stillpoint {

struct Scales : Scaling {
  double length = 1;  ///< the typical one (m)
};

/// J and K of the model at the state.
Scales find_scales(const Model& model, const State& state, const Matrices& at);

}  // namespace stillpoint
