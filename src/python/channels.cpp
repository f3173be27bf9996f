#include "python/channels.h"

#include <fmt/format.h>

#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"

namespace stillpoint::python {

LinearSystem with_named_channels(const LinearSystem& system, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs) {
  LinearSystem chosen = with_channels(system, inputs, outputs);
  const std::string example = system.coordinates() > 0 ? system.coordinate_name(0) : "NAME";
  if (chosen.inputs() == 0)
    throw Error(fmt::format("'{}' has no inputs: name a coordinate on which a force acts, such as inputs=['{}']",
                            system.name, example));
  if (chosen.outputs() == 0)
    throw Error(fmt::format("'{}' has no outputs: name a coordinate whose motion is the output, such as outputs=['{}']",
                            system.name, example));
  return chosen;
}

}  // namespace stillpoint::python
