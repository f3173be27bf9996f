// Loads of practice: rotating unbalance, and random inputs with spectral densities.
#pragma once

#include <pybind11/pybind11.h>

namespace stillpoint::python {

void bind_loads(pybind11::module_& module);

}  // namespace stillpoint::python
