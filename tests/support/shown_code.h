// Code that a page of the docs shows.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/scratch_folder.h"

namespace stillpoint {

/// All blocks ```language of a page, in order.
inline std::vector<std::string> all_shown_code(const std::string& page, const std::string& language) {
  const std::string text = content_of(page), opening = "\n```" + language + "\n", closing = "\n```";
  std::vector<std::string> blocks;
  for (auto at = text.find(opening); at != std::string::npos; at = text.find(opening, at)) {
    at += opening.size();
    blocks.push_back(text.substr(at, text.find(closing, at - 1) + 1 - at));
  }
  return blocks;
}

/// The block with this number, from 0.
inline std::string shown_code(const std::string& page, const std::string& language, std::size_t number) {
  const std::vector<std::string> blocks = all_shown_code(page, language);
  REQUIRE_MESSAGE(number < blocks.size(), page << " shows no such block of " << language);
  return blocks[number];
}

}  // namespace stillpoint
