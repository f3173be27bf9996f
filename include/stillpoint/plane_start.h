// Where a study of two parameters begins: the models for both, and the equilibria from which its rows start.
#pragma once

#include <string>

#include "stillpoint/boundary.h"
#include "stillpoint/model_family.h"
#include "stillpoint/stability_map.h"

namespace stillpoint {

struct PlaneStart {
  PlaneOfModels plane;
  RowStartAt start;  ///< the equilibrium is followed along the second parameter
};

/// Throws Error unless `second` is a parameter of the model file, and `first` another one or an input.
void require_two_parameters(const std::string& first, const std::string& second);

/// `first` is the first parameter at the value where all rows begin, and `rest` the equilibrium there at `from`, the
/// least value of the second parameter; `to` is the largest one.
PlaneStart start_plane(const ModelFamily& family, const Variation& first, const Equilibrium& rest,
                       const std::string& second, double from, double to);

}  // namespace stillpoint
