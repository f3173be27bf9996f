#include "base/in_parallel.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/unfinished.h"
#include "stillpoint/threads.h"

namespace stillpoint {

namespace {

thread_local bool is_inside = false;  ///< whether this thread executes a piece

class Work {
 public:
  Work(Index count, const std::function<void(Index)>& piece) : count_(count), piece_(piece) {}

  /// Executes one piece after the other until none is left. The counter orders no other memory accesses: pieces do not
  /// wait for each other, and a thread sanitizer detects it if they should.
  void take_part() {
    is_inside = true;
    while (!has_failed_.load(std::memory_order_relaxed)) {
      const Index k = next_.fetch_add(1, std::memory_order_relaxed);
      if (k >= count_) break;
      try {
        piece_(k);
      } catch (...) {
        keep(k, std::current_exception());
      }
    }
    is_inside = false;
  }

  void throw_first() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  // All pieces with smaller numbers have been started before this one, and started pieces are completed.
  void keep(Index k, std::exception_ptr thrown) {
    const std::lock_guard lock(keeping_);
    if (!thrown_ || k < first_) {
      thrown_ = std::move(thrown);
      first_ = k;
    }
    has_failed_.store(true, std::memory_order_relaxed);
  }

  Index count_;
  const std::function<void(Index)>& piece_;
  std::atomic<Index> next_{0};
  std::atomic<bool> has_failed_{false};
  std::mutex keeping_;
  std::exception_ptr thrown_;
  Index first_ = 0;
};

/// Starts the additional threads. Signals go to the calling thread, which is able to block them. If no more threads can
/// be created, the existing ones do the work.
std::vector<std::jthread> helpers(int count, Work& work) {
  const Uninterrupted inherited;
  std::vector<std::jthread> threads;
  try {
    for (int i = 0; i < count; ++i) threads.emplace_back([&work] { work.take_part(); });
  } catch (const std::system_error&) {
  }
  return threads;
}

}  // namespace

void in_parallel(Index count, const std::function<void(Index)>& piece, bool pays) {
  const int threads = is_inside || !pays ? 1 : std::min<int>(most_threads(), count);
  if (threads <= 1) {
    for (Index k = 0; k < count; ++k) piece(k);
    return;
  }
  Work work(count, piece);
  {
    const std::vector<std::jthread> joined = helpers(threads - 1, work);
    work.take_part();
  }
  work.throw_first();
}

}  // namespace stillpoint
