#include "python/watched.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>

namespace py = pybind11;

namespace stillpoint::python {

namespace {

std::atomic<int> workers{0};

/// The functions of OpenBLAS, if that is the BLAS; it has the numbers of threads of the whole process.
struct OpenBlas {
  int (*threads)() = nullptr;
  void (*set_threads)(int) = nullptr;
};

OpenBlas find_open_blas() {
  return {reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads")),
          reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))};
}

const OpenBlas& open_blas() {
  static const OpenBlas found = find_open_blas();
  return found;
}

std::mutex holding_blas;
int blas_holders = 0, blas_threads_before = 1;

}  // namespace

void Watch::say(const std::string& text) {
  if (is_cancelled()) throw WorkCancelled();
  const std::lock_guard lock(telling_);
  text_ = text;
}

std::string Watch::latest() {
  const std::lock_guard lock(telling_);
  return text_;
}

WorkerCount::WorkerCount() { ++workers; }
WorkerCount::~WorkerCount() { --workers; }

BlasAtOneThread::BlasAtOneThread() {
  if (!open_blas().set_threads || !open_blas().threads) return;
  const std::lock_guard lock(holding_blas);
  if (blas_holders++ > 0) return;
  blas_threads_before = open_blas().threads();
  if (blas_threads_before != 1) open_blas().set_threads(1);
}

BlasAtOneThread::~BlasAtOneThread() {
  if (!open_blas().set_threads || !open_blas().threads) return;
  const std::lock_guard lock(holding_blas);
  if (--blas_holders == 0 && blas_threads_before != 1) open_blas().set_threads(blas_threads_before);
}

bool is_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

void look_up(Watch& watch, double seconds, const py::object& show) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (!show.is_none()) show(seconds, watch.latest());
}

void end_after_workers() {
  using namespace std::chrono;
  constexpr seconds longest{5};
  const py::gil_scoped_release free;
  const auto start = steady_clock::now();
  while (workers > 0 && steady_clock::now() - start < longest) std::this_thread::sleep_for(milliseconds(50));
  if (workers == 0) return;
  std::fprintf(stderr, "stillpoint: work that was interrupted has not ended after %d s; the program ends without it\n",
               static_cast<int>(longest.count()));
  // The library's memory must not be taken from under a thread that works.
  constexpr int interrupted = 130;
  std::fflush(nullptr);
  _exit(interrupted);
}

}  // namespace stillpoint::python
