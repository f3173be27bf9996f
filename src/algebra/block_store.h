// Memory for very many small arrays and some large ones that live and die together.
//
// Taking one costs no call of the allocator as a rule, and nothing is ever moved: pointers stay good until clear(),
// which keeps the memory for the next time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace stillpoint {

template <class T>
class BlockStore {
 public:
  /// Room for `size` values, not initialised.
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
  std::size_t block_ = 0;  ///< the one in use
  std::int64_t used_ = 0;  ///< of its values
};

}  // namespace stillpoint
