#include "base/unfinished.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>

namespace stillpoint {

namespace {

// A signal handler can neither lock nor allocate. The paths are therefore stored in slots of fixed size, each with an
// atomic flag.
struct Place {
  std::atomic<bool> is_taken{false};
  char path[4096]{};
};

std::array<Place, 32> places;
std::mutex taking;

std::atomic<int> uninterrupted{0};  // how many objects Uninterrupted there are
std::atomic<int> postponed{0};      // the signal that came meanwhile

}  // namespace

Unfinished::Unfinished(const std::string& path) {
  const std::lock_guard lock(taking);
  for (std::size_t i = 0; i < places.size() && path.size() < sizeof(Place::path); ++i) {
    Place& place = places[i];
    if (place.is_taken) continue;
    std::memcpy(place.path, path.c_str(), path.size() + 1);
    place.is_taken = true;
    place_ = static_cast<int>(i);
    return;
  }
}

Unfinished::~Unfinished() {
  if (place_ >= 0) places[static_cast<std::size_t>(place_)].is_taken = false;
}

void remove_unfinished() noexcept {
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (place->is_taken && unlink(place->path) != 0) rmdir(place->path);
  }
}

Uninterrupted::Uninterrupted() { ++uninterrupted; }

Uninterrupted::~Uninterrupted() {
  if (--uninterrupted > 0) return;
  if (const int signal = postponed.exchange(0)) raise(signal);
}

bool postpone_interruption(int signal) noexcept {
  if (uninterrupted == 0) return false;
  postponed = signal;
  return true;
}

}  // namespace stillpoint
