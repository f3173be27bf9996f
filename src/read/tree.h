// A YAML document as a tree with the positions of its nodes. It is stricter than YAML: keys are unique words, and
// anchors, aliases, tags and further documents are refused.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/error.h"

namespace stillpoint {

struct TreeEntry;

struct Tree {
  enum class Kind { empty, text, list, mapping };

  Kind kind = Kind::empty;
  int line = 0, column = 0;
  std::string text;
  std::vector<Tree> items;
  std::vector<TreeEntry> entries;

  const Tree* find(std::string_view key) const;
};

struct TreeEntry {
  Tree key;
  Tree value;
};

/// "a mapping", "a list", "the text 'abc'", "nothing".
std::string describe(const Tree& tree);

/// Throws Error with a position if the text is not a document of this kind.
Tree parse_tree(const std::string& text, const std::string& file);

}  // namespace stillpoint
