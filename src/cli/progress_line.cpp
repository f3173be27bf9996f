#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "cli/complaint.h"

namespace stillpoint::cli {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds first{500}, again{100};  // short work shows no line, and a line stays long enough to be read
constexpr const char* erase = "\r\033[K";

}  // namespace

ProgressLine::ProgressLine(bool is_wanted) : is_wanted_(is_wanted && isatty(STDERR_FILENO) == 1) {}

std::function<void(const std::string&)> ProgressLine::sink() {
  if (!is_wanted_) return {};
  return [this](const std::string& text) { say(text); };
}

void ProgressLine::say(const std::string& text) {
  if (text.starts_with("plan: ")) plan_ = text;
  const Clock::time_point now = Clock::now();
  if (now - start_ < first || (is_shown_ && now - last_ < again)) return;
  if (!plan_.empty()) print_to_stderr(fmt::format("{}{}\n", erase, std::exchange(plan_, {})));  // once, and it stays
  print_to_stderr(fmt::format("{}{:.0f} s: {}", erase, std::chrono::duration<double>(now - start_).count(), text));
  is_shown_ = true;
  last_ = now;
}

void ProgressLine::clear() {
  if (is_shown_) print_to_stderr(erase);
  is_shown_ = false;
}

}  // namespace stillpoint::cli
