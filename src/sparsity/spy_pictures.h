// The spy plots of a sparsity report, as texts.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/sparsity.h"

namespace stillpoint {

struct SpyPicture {
  std::string name;  ///< of its file, "M_r"
  std::string svg;
};

/// The report must contain pictures.
std::vector<SpyPicture> spy_pictures(const SparsityReport& report);

}  // namespace stillpoint
