// An arena allocator for many small arrays and some large ones that have the same lifetime.
//
// Taking an array rarely calls the system's allocator, and nothing is ever moved: pointers remain valid until clear(),
// which keeps the memory for reuse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace stillpoint {

template <class T>
class BlockStore {
 public:
  /// Returns memory for `size` values, which are not initialised.
  T* take(std::int64_t size) {
    while (block_ < blocks_.size() && used_ + size > blocks_[block_].size) {
      ++block_;
      used_ = 0;
    }
    if (block_ == blocks_.size()) add_block(size);
    T* const place = blocks_[block_].begin + used_;
    used_ += size;
    return place;
  }

  void clear() {
    block_ = 0;
    used_ = 0;
  }

  /// Uses this memory first, which must live as long as the store.
  void start_with(T* memory, std::int64_t size) { blocks_.push_back({.begin = memory, .size = size}); }

 private:
  struct Block {
    T* begin = nullptr;
    std::int64_t size = 0;
    std::unique_ptr<T[]> own = nullptr;  ///< if it is the store's
  };

  // Blocks double in size up to a limit, so that small problems take little memory and large ones few blocks.
  static constexpr std::int64_t smallest = std::int64_t{1} << 12, largest = std::int64_t{1} << 18;

  void add_block(std::int64_t size) {
    usual_ = std::min(largest, 2 * usual_);
    auto own = std::unique_ptr<T[]>(new T[static_cast<std::size_t>(std::max(size, usual_))]);
    blocks_.push_back({.begin = own.get(), .size = std::max(size, usual_), .own = std::move(own)});
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0;  ///< index of the block in use
  std::int64_t used_ = 0;  ///< number of its values in use
  std::int64_t usual_ = smallest / 2;
};

}  // namespace stillpoint
