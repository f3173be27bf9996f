// Settings of the whole process, for programs that do nothing but use this library: the command-line tool, the tests
// and the benchmarks. A library must not impose them on others.
#pragma once

namespace stillpoint {

/// Restricts OpenBLAS to one thread. By default it distributes its work among all processors, which changes the order
/// of summation and is slower for small matrices. Any other BLAS is left unchanged.
///
/// Keeps freed memory for reuse. The GNU C library returns large matrices to the system immediately, which must clear
/// fresh pages for the next ones; this takes a fifth of the time for large models. Any other C library is left
/// unchanged.
void set_up_whole_program();

/// Keeps some memory in reserve, which is given back where an allocation fails, so that what follows an error can
/// allocate a little. To be called before anything else.
void keep_memory_in_reserve();

}  // namespace stillpoint
