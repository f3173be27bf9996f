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

std::string shortened(const std::string& quotation) {
  constexpr std::size_t most = 400, kept = 100;  // characters; of the beginning and of the end
  const std::u32string all = characters(quotation);
  if (all.size() <= most) return quotation;
  const std::string head = to_utf8(all.substr(0, kept)), tail = to_utf8(all.substr(all.size() - kept));
  return fmt::format("{} … ({} bytes) … {}", head, quotation.size() - head.size() - tail.size(), tail);
}

}  // namespace

void complain(const std::string& message, const std::string& colour) {
  print_to_stderr(fmt::format("{} {}\n", colour_wanted(colour) ? "\033[1;31merror:\033[0m" : "error:",
                              with_short_quotations(with_flags(message))));
}

void print_to_stderr(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string with_short_quotations(const std::string& message) {
  std::string text;
  for (std::size_t from = 0;;) {
    const std::size_t begin = message.find('\'', from);
    const std::size_t end = begin == std::string::npos ? begin : message.find('\'', begin + 1);
    if (end == std::string::npos) return text + message.substr(from);
    text += message.substr(from, begin - from) + "'" + shortened(message.substr(begin + 1, end - begin - 1)) + "'";
    from = end + 1;
  }
}

}  // namespace stillpoint::cli
