// So many threads for a while.
#pragma once

#include "stillpoint/threads.h"

namespace stillpoint {

class AtMost {
 public:
  explicit AtMost(int threads) { set_most_threads(threads); }
  ~AtMost() { set_most_threads(0); }
  AtMost(const AtMost&) = delete;
  AtMost& operator=(const AtMost&) = delete;
};

}  // namespace stillpoint
