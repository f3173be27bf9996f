// A plant told entry by entry, as tests/support/plants/tell.py and tell.m tell what they have loaded: numbers as the 64
// bits that they are, texts as the bytes of their UTF-8.
//
//   NAME texts COUNT text ...           NAME full ROWS COLUMNS number ...       (columns first)
//   NAME vector COUNT number ...        NAME sparse ROWS COLUMNS row,column,number ...      (from 0, without zeros)
//   NAME complex COUNT Re Im ...        NAME response OUTPUTS INPUTS COUNT Re Im ...
#pragma once

#include <string>

#include "stillpoint/plant.h"

namespace stillpoint {

/// All lines, sorted.
std::string told(const Plant& plant);

}  // namespace stillpoint
