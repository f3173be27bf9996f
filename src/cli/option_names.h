// Options of the library under their names on the command line.
//
// The library names an option by its field, "option 'minimum_norm_reactions'", and a form, a method or a reduction by
// its word, "form 'descriptor'", because a caller from C++ has no command line. The tool shows the flags instead.
#pragma once

#include <string>

namespace stillpoint::cli {

/// The text in which each of these phrases is replaced by the flag. A phrase without a flag stays as it is.
std::string with_flags(std::string text);

}  // namespace stillpoint::cli
