#include "cli/complaint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/utf8.h"
#include "cli/option_names.h"

namespace stillpoint::cli {

namespace {

bool colour_wanted(const std::string& choice) {
  if (choice == "always") return true;
  const char* const no_colour = std::getenv("NO_COLOR");
  if (choice == "never" || (no_colour && *no_colour)) return false;
  return isatty(STDERR_FILENO) == 1;
}

bool is_inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

void complain(const std::string& message, const std::string& colour) {
  say_last(fmt::format("{} {}\n", colour_wanted(colour) ? "\033[1;31merror:\033[0m" : "error:",
                       with_short_quotations(with_flags(message))));
}

void say_last(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string with_short_quotations(const std::string& message) {
  constexpr std::size_t most = 400, kept = 100;  // bytes of a quotation; of its beginning and of its end
  std::string text;
  std::size_t from = 0;
  while (true) {
    const std::size_t begin = message.find('\'', from);
    const std::size_t end = begin == std::string::npos ? begin : message.find('\'', begin + 1);
    if (end == std::string::npos) return text + message.substr(from);
    std::size_t first = begin + 1 + kept, last = end - kept;
    if (end - begin - 1 > most) {
      while (first > begin + 1 && is_inside_character(message[first])) --first;
      while (last < end && is_inside_character(message[last])) ++last;
      text += fmt::format("{} … ({} bytes) … {}", message.substr(from, first - from), last - first,
                          message.substr(last, end + 1 - last));
    } else {
      text += message.substr(from, end + 1 - from);
    }
    from = end + 1;
  }
}

}  // namespace stillpoint::cli
