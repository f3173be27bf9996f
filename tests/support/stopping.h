// Work that tells its progress can be ended there: what the listener throws comes out.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>

namespace stillpoint::testing {

struct Stopped {};

/// Does the work, a function of a listener, to its end, and then once more up to the middle of what it tells. Where
/// several threads work, the others may tell a little more.
template <class Work>
void check_that_it_can_be_stopped(Work work) {
  using Listener = std::function<void(const std::string&)>;
  std::atomic<std::size_t> told = 0, again = 0;
  work(Listener([&](const std::string&) { ++told; }));
  REQUIRE(told > 1);
  const std::size_t middle = (told.load() + 1) / 2;
  CHECK_THROWS_AS(work(Listener([&](const std::string&) {
                    if (++again >= middle) throw Stopped();
                  })),
                  Stopped);
  CHECK(again >= middle);
  CHECK(again < told);
}

}  // namespace stillpoint::testing
