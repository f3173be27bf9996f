#include "base/whole_program.h"

#include <dlfcn.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

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

}  // namespace

void set_up_whole_program() {
  hold_blas_at_one_thread();
  keep_freed_memory();
}

}  // namespace stillpoint
