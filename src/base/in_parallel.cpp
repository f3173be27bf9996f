#include "base/in_parallel.h"

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
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

/// Threads that wait for work, and are kept for the next one. They end with the process, later than anything is
/// destroyed: a crew is never deleted.
class Crew {
 public:
  static Crew& of_process() {
    static const bool watches = pthread_atfork(nullptr, nullptr, renew) == 0;
    if (!watches) throw std::bad_alloc();
    return *of_this_process();
  }

  /// Executes the pieces on this thread and on others, as soon as they come. Where the crew works for another thread,
  /// this one is alone.
  void execute(Work& work, int others) {
    const bool is_ours = begin(work, others);
    work.take_part();
    if (is_ours) end();
  }

 private:
  // A forked process has none of its parent's threads, and cannot know who held the parent's locks.
  static void renew() { of_this_process() = new Crew; }

  static Crew*& of_this_process() {
    static Crew* crew = new Crew;
    return crew;
  }

  bool begin(Work& work, int others) {
    const std::lock_guard lock(changing_);
    if (work_) return false;
    grow_to(others);
    work_ = &work;
    wanted_ = others;
    for (int k = 0; k < others; ++k) has_work_.notify_one();
    return true;
  }

  /// Nobody begins with it any more; waits for those who have.
  void end() {
    std::unique_lock lock(changing_);
    wanted_ = 0;
    is_done_.wait(lock, [&] { return busy_ == 0; });
    work_ = nullptr;
  }

  // Signals go to the calling thread, which is able to block them. If no more threads can be created, the existing ones
  // do the work.
  void grow_to(int count) {
    if (threads_ >= count) return;
    const Uninterrupted inherited;
    try {
      for (; threads_ < count; ++threads_) std::thread([this] { serve(); }).detach();
    } catch (const std::system_error&) {
    }
  }

  [[noreturn]] void serve() {
    std::unique_lock lock(changing_);
    for (;;) {
      has_work_.wait(lock, [&] { return wanted_ > 0; });
      --wanted_;
      ++busy_;
      Work& work = *work_;
      lock.unlock();
      work.take_part();
      lock.lock();
      if (--busy_ == 0) is_done_.notify_one();
    }
  }

  std::mutex changing_;
  std::condition_variable has_work_, is_done_;
  Work* work_ = nullptr;
  int wanted_ = 0, busy_ = 0, threads_ = 0;
};

}  // namespace

void in_parallel(Index count, const std::function<void(Index)>& piece, bool pays) {
  const int threads = is_inside || !pays ? 1 : std::min<int>(most_threads(), count);
  if (threads <= 1) {
    for (Index k = 0; k < count; ++k) piece(k);
    return;
  }
  Work work(count, piece);
  Crew::of_process().execute(work, threads - 1);
  work.throw_first();
}

}  // namespace stillpoint
