#include "base/unfinished.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string_view>

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

void remove_abandoned(const std::filesystem::path& target) {
  namespace fs = std::filesystem;
  constexpr std::string_view ending = ".part";
  constexpr auto recent = std::chrono::minutes(10);  // the process may be one of another machine
  const std::string beginning = target.filename().string() + ".";
  std::error_code failed;
  for (fs::directory_iterator entry(target.parent_path().empty() ? fs::path(".") : target.parent_path(), failed), end;
       !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(beginning) || !name.ends_with(ending) || name.size() <= beginning.size() + ending.size())
      continue;
    const std::string number = name.substr(beginning.size(), name.size() - beginning.size() - ending.size());
    int process = 0;
    const auto [rest, wrong] = std::from_chars(number.data(), number.data() + number.size(), process);
    if (wrong != std::errc() || rest != number.data() + number.size() || process <= 0) continue;
    if (kill(process, 0) == 0 || errno != ESRCH) continue;
    std::error_code none;
    const auto written = fs::last_write_time(entry->path(), none);
    if (none || fs::file_time_type::clock::now() - written < recent) continue;
    fs::remove_all(entry->path(), none);
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
