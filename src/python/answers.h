// Answers for control beside the frequency response: in time, and of loops.
#pragma once

#include <pybind11/pybind11.h>

namespace stillpoint::python {

void bind_answers(pybind11::module_& module);

}  // namespace stillpoint::python
