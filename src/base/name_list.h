// Lists of names for messages: a few of them, and how many there are.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/at.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

/// Returns "a, b and 3 more", with at most `most` of the names. `count` is the number of all names; `names` needs to
/// hold only those that are shown.
inline std::string name_list(const std::vector<std::string>& names, Index count, Index most = 8) {
  const Index shown = std::min(static_cast<Index>(names.size()), most);
  std::string text;
  for (Index i = 0; i < shown; ++i) text += (i > 0 ? ", " : "") + names[at(i)];
  return count > shown ? text + " and " + std::to_string(count - shown) + " more" : text;
}

inline std::string name_list(const std::vector<std::string>& names) {
  return name_list(names, static_cast<Index>(names.size()));
}

}  // namespace stillpoint
