// An arena allocator for many small arrays and some large ones that have the same lifetime.
//
// Taking an array rarely calls the system's allocator, and nothing is ever moved: pointers remain valid until clear(),
// which keeps the memory for reuse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
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
    T* const place = blocks_[block_].values.get() + used_;
    used_ += size;
    return place;
  }

  void clear() {
    block_ = 0;
    used_ = 0;
  }

 private:
  struct Block {
    std::unique_ptr<T[]> values;
    std::int64_t size = 0;
  };

  static constexpr std::int64_t smallest = std::int64_t{1} << 12, largest = std::int64_t{1} << 20;

  /// Blocks double in size up to a limit, so that small problems take little memory and large ones few blocks.
  void add_block(std::int64_t size) {
    const std::int64_t usual = blocks_.empty() ? smallest : std::min(largest, 2 * blocks_.back().size);
    Block block;
    block.size = std::max(size, usual);
    block.values = std::unique_ptr<T[]>(new T[static_cast<std::size_t>(block.size)]);
    blocks_.push_back(std::move(block));
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0;  ///< index of the block in use
  std::int64_t used_ = 0;  ///< number of its values in use
};

}  // namespace stillpoint
