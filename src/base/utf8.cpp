#include "base/utf8.h"

namespace stillpoint {

namespace {

constexpr char32_t replacement = 0xFFFD;

struct Decoded {
  char32_t character = replacement;
  std::size_t size = 1;  ///< number of bytes
};

constexpr bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Whether the character is neither a UTF-16 surrogate, nor beyond the last code point, nor encoded in too many bytes.
constexpr bool is_allowed(char32_t character, std::size_t size) {
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return character >= least[size] && character <= 0x10FFFF && !(character >= 0xD800 && character <= 0xDFFF);
}

Decoded first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF8 ? 0 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (size == 0 || size > text.size()) return {};
  char32_t character = lead & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (!continues(text[i])) return {};
    character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  return is_allowed(character, size) ? Decoded{character, size} : Decoded{};
}

void append(std::string& text, char32_t c) {
  const auto byte = [&text](char32_t value) { text += static_cast<char>(static_cast<unsigned char>(value)); };
  const auto tail = [&byte](char32_t value) { byte(0x80 | (value & 0x3F)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0 | c >> 6);
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    tail(c >> 6);
  } else {
    byte(0xF0 | c >> 18);
    tail(c >> 12);
    tail(c >> 6);
  }
  tail(c);
}

}  // namespace

std::u32string characters(std::string_view text) {
  std::u32string found;
  while (!text.empty()) {
    const Decoded next = first_of(text);
    found += next.character;
    text.remove_prefix(next.size);
  }
  return found;
}

std::string to_utf8(std::u32string_view characters) {
  std::string text;
  for (const char32_t c : characters) append(text, c);
  return text;
}

}  // namespace stillpoint
