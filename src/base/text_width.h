// The number of characters in a line of text reports: 100, unless the program sets another for its terminal.
#pragma once

#include <cstddef>

namespace stillpoint {

std::size_t text_width();

/// Sets the width for the whole process, at least 40 and at most 100: longer lines are hard to read.
void set_text_width(std::size_t characters);

}  // namespace stillpoint
