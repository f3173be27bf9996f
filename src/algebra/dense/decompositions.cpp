#include "algebra/dense/decompositions.h"

STILLPOINT_COMPILED_ONCE();
