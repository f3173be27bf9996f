// Long work ends when it is told to.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "scratch_folder.h"

using namespace stillpoint;
using Clock = std::chrono::steady_clock;

namespace {

struct Interrupted {
  bool was_running = false;
  int code = -1;
  double seconds = 0;  ///< from the signal to the end
};

Interrupted interrupted_after(std::chrono::milliseconds wait, const std::string& output) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execl(STILLPOINT_TOOL, "stillpoint", "modes", STILLPOINT_SOURCE_DIR "/cases/n_pendulum", "--set", "N=100000",
          "--count", "60", "-o", output.c_str(), nullptr);
    _exit(127);
  }
  std::this_thread::sleep_for(wait);
  Interrupted result;
  int status = 0;
  result.was_running = waitpid(child, &status, WNOHANG) == 0;
  const auto start = Clock::now();
  kill(child, SIGINT);
  if (result.was_running) waitpid(child, &status, 0);
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace

// While it reads, while it looks for the rest position, while it looks for modes. A second is generous for what takes a
// few milliseconds, and far less than the work that is left.
TEST_CASE("interrupt: modes of a large model end with 130 at once and leave no file") {
  for (const int wait : {50, 300, 900}) {
    CAPTURE(wait);
    const ScratchFolder folder;
    const Interrupted result = interrupted_after(std::chrono::milliseconds(wait), folder / "modes.txt");
    REQUIRE(result.was_running);
    CHECK(result.code == 130);
    CHECK(result.seconds < 1);
    CHECK(std::filesystem::is_empty(folder / "."));
  }
}
