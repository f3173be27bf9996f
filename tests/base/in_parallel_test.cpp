// Pieces of work on several threads: each is done once, and failures come out as those of a loop.
#include "base/in_parallel.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/at_most.h"

using namespace stillpoint;

namespace {

void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

std::string thrown_by(Index count, const std::function<void(Index)>& piece) {
  try {
    in_parallel(count, piece);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("in parallel: each piece is done once, and two threads do more than one") {
  for (const int threads : {1, 2, 7}) {
    CAPTURE(threads);
    const AtMost limit(threads);
    std::vector<std::atomic<int>> times(100);
    std::mutex adding;
    std::set<std::thread::id> who;
    in_parallel(100, [&](Index k) {
      ++times[static_cast<std::size_t>(k)];
      wait_a_little();
      const std::lock_guard lock(adding);
      who.insert(std::this_thread::get_id());
    });
    for (const std::atomic<int>& each : times) CHECK(each == 1);
    CHECK(static_cast<int>(who.size()) == threads);
  }
}

TEST_CASE("in parallel: chunks meet without a gap, and the last one may be shorter") {
  for (const Index count : {0, 1, 9, 10, 11, 30}) {
    std::vector<int> times(static_cast<std::size_t>(count), 0);
    in_parallel_chunks(count, 10, [&](Index begin, Index end) {
      CHECK(end - begin <= 10);
      for (Index k = begin; k < end; ++k) ++times[static_cast<std::size_t>(k)];
    });
    CHECK(times == std::vector<int>(static_cast<std::size_t>(count), 1));
  }
}

TEST_CASE("in parallel: what chunks return is joined in their order") {
  for (const int threads : {1, 3}) {
    const AtMost limit(threads);
    const auto all = joined_chunks(95, 10, std::string("all: "), [](Index begin, Index end) {
      if (begin == 0) wait_a_little();
      return std::to_string(begin) + "-" + std::to_string(end) + " ";
    });
    CHECK(all == "all: 0-10 10-20 20-30 30-40 40-50 50-60 60-70 70-80 80-90 90-95 ");
    CHECK(joined_chunks(0, 10, 7, [](Index, Index) { return 1; }) == 7);
  }
}

TEST_CASE("in parallel: what is thrown is what a loop would have thrown, even if a later piece fails first") {
  for (const int threads : {1, 2, 7}) {
    CAPTURE(threads);
    const AtMost limit(threads);
    CHECK(thrown_by(20, [](Index k) {
            if (k == 5) wait_a_little();
            if (k == 5 || k == 6) throw std::runtime_error("piece " + std::to_string(k));
          }) == "piece 5");
  }
}

TEST_CASE("in parallel: after a failure no more pieces are begun") {
  const AtMost limit(2);
  std::atomic<int> begun = 0;
  CHECK(thrown_by(1000, [&](Index k) {
          ++begun;
          wait_a_little();
          if (k == 0) throw std::runtime_error("the first");
        }) == "the first");
  CHECK(begun < 20);
}

TEST_CASE("in parallel: work that is cut again stays on the thread of its piece") {
  const AtMost limit(2);
  std::atomic<int> elsewhere = 0;
  in_parallel(8, [&](Index) {
    const std::thread::id own = std::this_thread::get_id();
    in_parallel(8, [&](Index) {
      wait_a_little();
      if (std::this_thread::get_id() != own) ++elsewhere;
    });
  });
  CHECK(elsewhere == 0);
}

TEST_CASE("in parallel: several threads may cut their work at the same time, again and again") {
  const AtMost limit(3);
  constexpr int callers = 4, loops = 200;
  constexpr Index pieces = 50;
  std::array<std::atomic<long>, callers> sums{};
  {
    std::vector<std::jthread> all;
    for (std::atomic<long>& sum : sums) {
      all.emplace_back([&sum] {
        for (int k = 0; k < loops; ++k) in_parallel(pieces, [&](Index i) { sum += i + 1; });
      });
    }
  }
  for (const std::atomic<long>& sum : sums) CHECK(sum == loops * pieces * (pieces + 1) / 2);
}

TEST_CASE("in parallel: a forked process has threads of its own") {
  const AtMost limit(2);
  in_parallel(2, [](Index) {});  // this process has them already
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::mutex adding;
    std::set<std::thread::id> threads;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    in_parallel(2, [&](Index) {
      for (bool both = false; !both && std::chrono::steady_clock::now() < end;) {
        const std::lock_guard lock(adding);
        threads.insert(std::this_thread::get_id());
        both = threads.size() == 2;
      }
    });
    _exit(threads.size() == 2 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("in parallel: a number of threads that cannot be is refused") {
  CHECK_THROWS_AS(set_most_threads(-1), std::invalid_argument);
  CHECK_THROWS_AS(set_most_threads(1025), std::invalid_argument);
}
