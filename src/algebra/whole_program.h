// What suits a program that does nothing but what this library does: the tool, the tests, the benchmarks. A library
// must not decide it for others.
#pragma once

namespace stillpoint {

/// OpenBLAS stays on one thread. It shares its work among all processors unless it is told not to: the same numbers
/// come in another order then, and small matrices take longer. Nothing happens with any other BLAS.
///
/// Freed memory is kept for what comes next. The GNU library gives large matrices back at once, and the system clears
/// fresh pages for the next ones: a fifth of the time of large models. Nothing happens with any other C library.
void set_up_whole_program();

}  // namespace stillpoint
