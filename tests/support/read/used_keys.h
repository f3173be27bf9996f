// Which keys the entries of a model file use.
#pragma once

#include <map>
#include <set>
#include <string>

#include "read/tree.h"

namespace stillpoint {

/// By the entries' kind: "spring" has "between", "stiffness", …
inline std::map<std::string, std::set<std::string>> used_keys(const std::string& text) {
  std::map<std::string, std::set<std::string>> used;
  const Tree root = parse_tree(text, "file");
  for (const Tree& entry : root.find("mechanism")->items) {
    for (std::size_t i = 1; i < entry.entries.size(); ++i) {
      used[entry.entries[0].key.text].insert(entry.entries[i].key.text);
    }
  }
  return used;
}

}  // namespace stillpoint
