// Parallel execution of independent pieces of work.
//
// The division into pieces must not depend on the number of threads, and a piece must not write what another one reads
// or writes; the results are then bit-identical for any number of threads. A parallel loop inside a piece runs on the
// thread of that piece.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Executes piece(0), …, piece(count − 1), each once and started in this order. If pieces throw, no further ones are
/// started, and the exception of the piece with the smallest number is rethrown, as in a loop. If `pays` is false, all
/// pieces run on the calling thread; a loop takes some 20 µs more with another thread, which is kept for the next one.
void in_parallel(Index count, const std::function<void(Index)>& piece, bool pays = true);

/// Executes chunk(begin, end) for consecutive ranges of `size` indices of 0 … count − 1.
template <class Chunk>
void in_parallel_chunks(Index count, Index size, const Chunk& chunk, bool pays = true) {
  in_parallel((count + size - 1) / size, [&](Index k) { chunk(k * size, std::min<Index>(count, k * size + size)); },
              pays);
}

/// Executes the same chunks, and returns `all` after the values that they return, joined to it one after another by +=.
template <class Value, class Chunk>
Value joined_chunks(Index count, Index size, Value all, const Chunk& chunk, bool pays = true) {
  std::vector<Value> values(static_cast<std::size_t>((count + size - 1) / size));
  in_parallel_chunks(
      count, size, [&](Index begin, Index end) { values[static_cast<std::size_t>(begin / size)] = chunk(begin, end); },
      pays);
  for (const Value& value : values) all += value;
  return all;
}

}  // namespace stillpoint
