// How the tool takes memory: the end of the program where a matrix finds none, and large blocks.
//
// Eigen 3.4 frees the entries of a matrix before it allocates others, and does not note that they are gone: if that
// allocation fails, the destructor frees them again, and the program aborts, or worse. So no exception may leave such
// an allocation. The linker sends the calls of malloc and realloc in this program, and not those of other libraries, to
// the functions below (--wrap, see CMakeLists.txt). Other allocations throw std::bad_alloc, which main() reports
// likewise.
//
// tcmalloc (docs/dependencies.md) keeps what is freed for later. Before a large block is taken all of that goes back to
// the system, as glibc does with each large block that is freed: pieces between blocks in use would add up otherwise.

#ifdef STILLPOINT_TCMALLOC
#include <gperftools/malloc_extension_c.h>
#endif
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

void prepare_for([[maybe_unused]] std::size_t size) {
#ifdef STILLPOINT_TCMALLOC
  constexpr std::size_t large = std::size_t{1} << 25;  // bytes; from this size on glibc maps every block by itself
  if (size >= large) MallocExtension_ReleaseFreeMemory();
#endif
}

}  // namespace

extern "C" {

void* __real_malloc(std::size_t size);                 // NOLINT: names that the linker gives
void* __real_realloc(void* before, std::size_t size);  // NOLINT

void* __wrap_malloc(std::size_t size) {  // NOLINT
  prepare_for(size);
  void* const memory = __real_malloc(size);
  if (memory == nullptr && size > 0) end_without_memory();
  return memory;
}

void* __wrap_realloc(void* before, std::size_t size) {  // NOLINT
  prepare_for(size);
  void* const memory = __real_realloc(before, size);
  if (memory == nullptr && size > 0) end_without_memory();
  return memory;
}

}  // extern "C"
