// Which modes, and by which engine: the options of `modes` and `compare` in the words of the command line.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <vector>

#include "stillpoint/find_modes.h"

namespace stillpoint::python {

/// Throws Error if a word is unknown, if options exclude each other, or if they do not fit the system.
AnalysisOptions analysis_options(const LinearSystem& system, const pybind11::dict& asked);

/// Throws Error unless the word is mcs, rcs or ucs.
Method method_called(const std::string& word);

/// The entry of a dictionary of options; nothing if it is missing or None.
template <class Value>
std::optional<Value> given(const pybind11::dict& asked, const char* key) {
  if (!asked.contains(key)) return {};
  const pybind11::object value = asked[key];
  if (value.is_none()) return {};
  return value.cast<Value>();
}

/// Throws Error, with the nearest known option, if the dictionary has another key.
void require_known(const pybind11::dict& asked, const std::vector<std::string>& known);

}  // namespace stillpoint::python
