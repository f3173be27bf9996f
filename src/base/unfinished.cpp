#include "base/unfinished.h"

#include <unistd.h>

#include <array>
#include <atomic>
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

Uninterrupted::Uninterrupted() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

Uninterrupted::~Uninterrupted() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace stillpoint
