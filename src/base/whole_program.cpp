#include "base/whole_program.h"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <array>
#include <cstdlib>
#include <new>

namespace stillpoint {

namespace {

void hold_blas_at_one_thread() {
  if (void* const set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) {
    reinterpret_cast<void (*)(int)>(set_threads)(1);
  }
}

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int none = 0, never = -1, bytes = 64 << 20;
  mallopt(M_MMAP_MAX, none);
  mallopt(M_TRIM_THRESHOLD, never);
  mallopt(M_TOP_PAD, bytes);
#endif
}

/// Memory for the last steps: where none is left, one part after another is given back and the request repeated. What
/// fits into them are the messages and the destructors that follow, some of which allocate (those of nlohmann/json).
class Reserve {
 public:
  static void fill() {
    for (void*& part : parts) part = std::malloc(bytes);
    std::set_new_handler(give_back);
  }

 private:
  static constexpr std::size_t bytes = 64 << 10;
  static inline std::array<void*, 16> parts{};

  static void give_back() {
    for (void*& part : parts) {
      if (!part) continue;
      std::free(part);
      part = nullptr;
      return;
    }
    throw std::bad_alloc();
  }
};

}  // namespace

void keep_memory_in_reserve() { Reserve::fill(); }

void set_up_whole_program() {
  hold_blas_at_one_thread();
  keep_freed_memory();
}

}  // namespace stillpoint
