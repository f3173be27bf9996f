// The end of the program where a matrix finds no memory.
//
// Eigen 3.4 frees the entries of a matrix before it allocates others, and does not note that they are gone: if that
// allocation fails, the destructor frees them again, and the program aborts, or worse. So no exception may leave such
// an allocation. The linker sends the calls of malloc and realloc in this program, and not those of other libraries, to
// the functions below (--wrap, see CMakeLists.txt). Other allocations throw std::bad_alloc, which main() reports
// likewise.

#include <unistd.h>

#include <cstddef>

#include "base/unfinished.h"
#include "cli/complaint.h"

namespace {

constexpr int wrong_input = 2;  // the model is too large for this machine

[[noreturn]] void end_without_memory() {
  stillpoint::remove_unfinished();
  stillpoint::cli::print_to_stderr("error: not enough memory for this model\n");
  _exit(wrong_input);
}

}  // namespace

extern "C" {

void* __real_malloc(std::size_t size);                 // NOLINT: names that the linker gives
void* __real_realloc(void* before, std::size_t size);  // NOLINT

void* __wrap_malloc(std::size_t size) {  // NOLINT
  void* const memory = __real_malloc(size);
  if (memory == nullptr && size > 0) end_without_memory();
  return memory;
}

void* __wrap_realloc(void* before, std::size_t size) {  // NOLINT
  void* const memory = __real_realloc(before, size);
  if (memory == nullptr && size > 0) end_without_memory();
  return memory;
}

}  // extern "C"
