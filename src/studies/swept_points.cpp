#include "studies/swept_points.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>

#include "base/at.h"
#include "base/in_parallel.h"
#include "stillpoint/error.h"
#include "studies/large_models.h"

namespace stillpoint {

namespace {

constexpr std::size_t block_size = 16;  // the same for any number of threads, so that these give the same bits
const char* const interrupted = "interrupted";

using PathPointer = std::shared_ptr<const PathPoint>;

/// A block of consecutive points, followed from the first one.
struct PointBlock {
  std::size_t first = 0, last = 0;  // places of its values; last: behind them
  PathPointer start;
  std::vector<SpectrumAt> found;
  PathPointer next_start;  // the start of the next block as this one reaches it
  std::string ended;
};

class PointSweep {
 public:
  PointSweep(EquilibriumPath& path, const std::vector<double>& values, const std::function<bool()>& stop,
             const std::function<void(double)>& begin)
      : path_(path), values_(values), stop_(stop), begin_(begin) {}

  SweptPoints run();

 private:
  void find_starts();
  void follow(PointBlock& block);
  bool begins(double value);
  SweptPoints joined();

  EquilibriumPath& path_;
  const std::vector<double>& values_;
  const std::function<bool()>& stop_;
  const std::function<void(double)>& begin_;
  std::vector<PointBlock> blocks_;
  std::mutex talking_;
  std::atomic<bool> is_stopped_{false};
};

// Where the long steps come to an end the last block tells why, for it comes to the end as well.
void PointSweep::find_starts() {
  for (std::size_t first = 0; first < values_.size(); first += block_size) {
    if (first > 0 && stop_ && stop_()) {
      is_stopped_ = true;
      return;
    }
    try {
      blocks_.push_back({.first = first,
                         .last = std::min(first + block_size, values_.size()),
                         .start = path_.at(values_[first]),
                         .found = {},
                         .next_start = {},
                         .ended = {}});
    } catch (const Error&) {
      if (first == 0) throw;
      blocks_.back().last = values_.size();
      return;
    }
  }
}

bool PointSweep::begins(double value) {
  const std::lock_guard one_at_a_time(talking_);
  if (is_stopped_ || (stop_ && stop_())) {
    is_stopped_ = true;
    return false;
  }
  if (begin_) begin_(value);
  return true;
}

void PointSweep::follow(PointBlock& block) {
  EquilibriumPath path = path_.from(block.start);
  try {
    for (std::size_t k = block.first; k < block.last; ++k) {
      if (!begins(values_[k])) {
        block.ended = interrupted;
        return;
      }
      block.found.push_back(spectrum_at(path, values_[k]));
      if (is_large(block.found.back().point->model)) block.found.back().point = nullptr;
    }
    if (block.last < values_.size()) block.next_start = path.at(values_[block.last]);
  } catch (const Error& reason) {
    block.ended = reason.what();
  }
}

// A block whose start is not where the one before it ends lies on another branch: it is followed again from there.
SweptPoints PointSweep::joined() {
  constexpr double same = 1e-6;  // scaled; other branches are farther, and what Newton's method leaves is less
  SweptPoints result;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    PointBlock& block = blocks_[b];
    if (b > 0 && path_.distance(*blocks_[b - 1].next_start, *block.start) > same) {
      block = {.first = block.first,
               .last = block.last,
               .start = blocks_[b - 1].next_start,
               .found = {},
               .next_start = {},
               .ended = {}};
      follow(block);
    }
    for (SpectrumAt& point : block.found) {
      if (point.point) path_.keep_as_start(point.point);
      result.found.push_back(std::move(point));
    }
    if (!block.ended.empty() && result.found.size() < values_.size()) {
      result.ended = block.ended;
      return result;
    }
  }
  return result;
}

SweptPoints PointSweep::run() {
  find_starts();
  in_parallel(static_cast<Index>(blocks_.size()), [&](Index b) { follow(blocks_[at(b)]); });
  SweptPoints result = joined();
  if (result.found.empty() && result.ended != interrupted) result.found.push_back(spectrum_at(path_, values_.front()));
  return result;
}

}  // namespace

SweptPoints sweep_points(EquilibriumPath& path, const std::vector<double>& values, const std::function<bool()>& stop,
                         const std::function<void(double)>& begin) {
  return PointSweep(path, values, stop, begin).run();
}

}  // namespace stillpoint
