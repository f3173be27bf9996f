// Long work for Python: the interpreter is free meanwhile, the progress is told, and Ctrl-C ends it.
//
// On the main thread, which alone receives signals, the work is done by another thread, while the main thread asks
// every 50 ms whether a signal has arrived. Work that tells its progress, or asks whether it is to stop, ends then.
// Work that does neither, such as a dense eigensolver of LAPACK, is left behind: it ends when it is done, and nobody
// waits for it but the end of the program.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace stillpoint::python {

/// Ends the work from inside the function that is told its progress.
struct WorkCancelled {};

/// What the work and the thread that waits for it share.
class Watch {
 public:
  /// Called by the work. Throws WorkCancelled if it is to end.
  void say(const std::string& text);
  std::function<void(const std::string&)> sink() {
    return [this](const std::string& text) { say(text); };
  }
  bool is_cancelled() const { return is_cancelled_.load(std::memory_order_relaxed); }
  std::function<bool()> stop() {
    return [this] { return is_cancelled(); };
  }

  void cancel() { is_cancelled_.store(true, std::memory_order_relaxed); }
  std::string latest();

 private:
  std::atomic<bool> is_cancelled_{false};
  std::mutex telling_;
  std::string text_;
};

/// Counts the threads that work, so that the program can end after them.
class WorkerCount {
 public:
  WorkerCount();
  ~WorkerCount();
  WorkerCount(const WorkerCount&) = delete;
  WorkerCount& operator=(const WorkerCount&) = delete;
};

/// Holds OpenBLAS at one thread while one of these exists, as the command-line tool does, so that a result does not
/// depend on the number of processors. NumPy may share that OpenBLAS: afterwards it has its threads again.
class BlasAtOneThread {
 public:
  BlasAtOneThread();
  ~BlasAtOneThread();
  BlasAtOneThread(const BlasAtOneThread&) = delete;
  BlasAtOneThread& operator=(const BlasAtOneThread&) = delete;
};

bool is_main_thread();

/// Called by the thread that waits: shows the progress by `show(seconds, text)`, a function of Python or None. Throws
/// what a signal handler of Python has raised, such as KeyboardInterrupt.
void look_up(Watch& watch, double seconds, const pybind11::object& show);

/// Ends the program after work that was left behind; after some seconds without it.
void end_after_workers();

/// Does the work, a function of a Watch that owns all that it needs.
template <class Work>
auto watched(const pybind11::object& show, Work work) {
  using Result = decltype(work(std::declval<Watch&>()));
  const auto watch = std::make_shared<Watch>();
  if (!is_main_thread()) {
    const pybind11::gil_scoped_release free;
    const BlasAtOneThread serial;
    return work(*watch);
  }
  using namespace std::chrono;
  constexpr milliseconds between{50}, last_chance{200};
  std::packaged_task<Result()> task([watch, work = std::move(work)] { return work(*watch); });
  std::future<Result> result = task.get_future();
  std::thread worker([task = std::move(task)]() mutable {
    const WorkerCount one;
    const BlasAtOneThread serial;
    task();
    task = {};  // what the work owns is gone before the thread counts as ended
  });
  const auto start = steady_clock::now();
  const auto is_done = [&](milliseconds wait) {
    const pybind11::gil_scoped_release free;
    const bool is_ready = result.wait_for(wait) == std::future_status::ready;
    if (is_ready) worker.join();
    return is_ready;
  };
  try {
    while (!is_done(between)) look_up(*watch, duration<double>(steady_clock::now() - start).count(), show);
  } catch (...) {
    watch->cancel();
    if (!is_done(last_chance)) worker.detach();
    throw;
  }
  return result.get();
}

}  // namespace stillpoint::python
