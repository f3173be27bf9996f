// What pictures in SVG say, for comparison with those of the docs.
#pragma once

#include <regex>
#include <string>

namespace stillpoint {

/// All texts of a picture: titles, names, units and scales.
inline std::string words_of_picture(const std::string& svg) {
  std::string words;
  const std::regex text("<text[^>]*>[^<]*</text>");
  for (std::sregex_iterator found(svg.begin(), svg.end(), text), end; found != end; ++found)
    words += found->str() + '\n';
  return words;
}

inline std::size_t lines_in_picture(const std::string& svg) {
  std::size_t count = 0;
  for (auto at = svg.find("<path"); at != std::string::npos; at = svg.find("<path", at + 1)) ++count;
  return count;
}

}  // namespace stillpoint
