// Conversion between UTF-8 and sequences of characters.
#pragma once

#include <string>
#include <string_view>

namespace stillpoint {

/// Returns the characters of a text. A byte that is not valid UTF-8 becomes the replacement character U+FFFD.
std::u32string characters(std::string_view text);

std::string to_utf8(std::u32string_view characters);

/// Returns the text with replacement characters wherever it is not valid UTF-8.
inline std::string mended(std::string_view text) { return to_utf8(characters(text)); }

}  // namespace stillpoint
