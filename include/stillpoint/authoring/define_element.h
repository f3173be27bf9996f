// What a header with an element of your own includes: the interface of elements, and the machinery that turns its laws
// into forces and sparse matrices. The elements of the library are compiled once, in src/elements.
#pragma once

#include "stillpoint/authoring/element.h"
#include "stillpoint/detail/element_array.h"
