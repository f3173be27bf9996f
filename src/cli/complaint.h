// Messages of errors on stderr. They arrive even if memory is short, and their failure is no failure of the tool.
#pragma once

#include <string>
#include <string_view>

namespace stillpoint::cli {

/// Prints "error: MESSAGE", with option names as flags and long quotations shortened. `colour` is "auto", "always" or
/// "never".
void complain(const std::string& message, const std::string& colour);

/// Prints a text as it is. It allocates nothing, so that a signal handler may call it.
void print_to_stderr(std::string_view text) noexcept;

/// Long texts between quotation marks, as of an expression that fills a file, are shortened in the middle.
std::string with_short_quotations(const std::string& message);

}  // namespace stillpoint::cli
