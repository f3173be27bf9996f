// Which loops of controllers stay open.
#include <fmt/format.h>

#include <algorithm>

#include "stillpoint/close_loops.h"
#include "stillpoint/error.h"

namespace stillpoint {

std::vector<Controller> with_open_loops(std::vector<Controller> controllers, const std::vector<std::string>& names,
                                        OpenLoop how) {
  const auto is_named = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (is_named("all")) return {};
  std::vector<std::string> known{"all"};
  for (const Controller& one : controllers) known.push_back(one.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(fmt::format("option 'open': there is no controller '{}'{}", name, did_you_mean(name, known)));
  }
  if (how == OpenLoop::left_out) std::erase_if(controllers, [&](const Controller& one) { return is_named(one.name); });
  for (Controller& one : controllers) one.is_broken = one.is_broken || is_named(one.name);
  return controllers;
}

}  // namespace stillpoint
