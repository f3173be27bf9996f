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

thread_local bool is_inside = false;  ///< of a piece

class Work {
 public:
  Work(Index count, const std::function<void(Index)>& piece) : count_(count), piece_(piece) {}

  /// Takes one piece after the other until there are no more. The counter orders nothing else in memory: pieces do not
  /// wait for each other, and a thread sanitizer sees it if they should.
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
  // Whatever comes before it was taken before it, and what is taken is done.
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

/// Signals go to the thread that began, which is the one that may hold them back. Where no more threads are to be had,
/// those that there are do the work.
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
