// Pieces of work that do not depend on each other, on several threads.
//
// How the work is cut must not depend on the number of threads, and a piece writes only where no other one reads or
// writes: then results are the same bits for any number of threads. Work inside a piece that is cut again stays on the
// thread of the piece.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// piece(0), …, piece(count − 1), each once, begun in this order. Where some throw, no more are begun, and what is
/// thrown here is what the first of them threw: as in a loop. All stays on this thread where several do not pay: to
/// begin one takes some 30 µs.
void in_parallel(Index count, const std::function<void(Index)>& piece, bool pays = true);

/// chunk(begin, end) for each `size` of 0 … count − 1.
template <class Chunk>
void in_parallel_chunks(Index count, Index size, const Chunk& chunk) {
  in_parallel((count + size - 1) / size, [&](Index k) { chunk(k * size, std::min<Index>(count, k * size + size)); });
}

}  // namespace stillpoint
