#include "read/source_file.h"

#include <fmt/format.h>

#include "read/reference.h"

namespace stillpoint {

void SourceFile::fail(const Tree& where, const std::string& message) const {
  throw Error({name_, where.line, where.column}, message);
}

void SourceFile::require(const Tree& tree, Tree::Kind kind, const char* wanted, const std::string& of_what) const {
  if (tree.kind != kind) fail(tree, fmt::format("{} must be {}, not {}", of_what, wanted, describe(tree)));
}

std::vector<std::string> SourceFile::parts_of(const Tree& tree, const std::string& of_what) const {
  if (tree.kind == Tree::Kind::text) return split_list(tree.text);
  require(tree, Tree::Kind::list, "text or a list", of_what);
  std::vector<std::string> parts;
  for (const Tree& item : tree.items) {
    require(item, Tree::Kind::text, "text", fmt::format("an item of {}", of_what));
    parts.push_back(item.text);
  }
  return parts;
}

}  // namespace stillpoint
