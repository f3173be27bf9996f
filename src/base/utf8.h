// Texts in UTF-8, character by character.
#pragma once

#include <string>
#include <string_view>

namespace stillpoint {

/// The characters of a text. A byte that is not part of one becomes U+FFFD, the replacement character.
std::u32string characters(std::string_view text);

std::string to_utf8(std::u32string_view characters);

/// The text itself if it is UTF-8; otherwise with replacement characters where it is not.
inline std::string mended(std::string_view text) { return to_utf8(characters(text)); }

}  // namespace stillpoint
