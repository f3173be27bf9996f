#include "base/text_width.h"

#include <algorithm>
#include <atomic>

namespace stillpoint {

namespace {

constexpr std::size_t least = 40, most = 100;
std::atomic<std::size_t> width = most;

}  // namespace

std::size_t text_width() { return width; }

void set_text_width(std::size_t characters) { width = std::clamp(characters, least, most); }

}  // namespace stillpoint
