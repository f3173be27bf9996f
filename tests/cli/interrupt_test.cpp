// Long work ends when it is told to, and says how far it is to a person who looks.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "support/scratch_folder.h"

using namespace stillpoint;
using Clock = std::chrono::steady_clock;

namespace {

const std::string chain = STILLPOINT_SOURCE_DIR "/cases/n_pendulum";

struct Interrupted {
  bool was_running = false;
  int code = -1;
  double seconds = 0;  ///< from the signal to the end
};

Interrupted interrupted_after(std::chrono::milliseconds wait, std::vector<const char*> arguments) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    setenv("STILLPOINT_THREADS", "2", 1);
    arguments.insert(arguments.begin(), "stillpoint");
    arguments.push_back(nullptr);
    execv(STILLPOINT_TOOL, const_cast<char**>(arguments.data()));
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
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);  // as a shell says it
  return result;
}

/// What the tool writes to stderr if that is a terminal.
std::string on_terminal(std::vector<const char*> arguments) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(grantpt(terminal) == 0);
  REQUIRE(unlockpt(terminal) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(ptsname(terminal), O_WRONLY | O_NOCTTY), STDERR_FILENO);
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    arguments.insert(arguments.begin(), "stillpoint");
    arguments.push_back(nullptr);
    execv(STILLPOINT_TOOL, const_cast<char**>(arguments.data()));
    _exit(127);
  }
  std::string seen;
  for (char c = 0; read(terminal, &c, 1) == 1;) seen += c;  // until the other end is closed
  waitpid(child, nullptr, 0);
  close(terminal);
  return seen;
}

}  // namespace

// While it reads, while it looks for the equilibrium, while it looks for modes. A second is generous for what takes a
// few milliseconds, and far less than the work that is left.
TEST_CASE("interrupt: modes of a large model end with 130 at once and leave no file") {
  for (const int wait : {50, 300, 900}) {
    CAPTURE(wait);
    const ScratchFolder folder;
    const std::string output = folder / "modes.txt";
    const Interrupted result =
        interrupted_after(std::chrono::milliseconds(wait),
                          {"modes", chain.c_str(), "--set", "N=100000", "--count", "60", "-o", output.c_str()});
    REQUIRE(result.was_running);
    CHECK(result.code == 130);
    CHECK(result.seconds < 1);
    CHECK(std::filesystem::is_empty(folder / "."));
  }
}

TEST_CASE("interrupt: a response on several threads ends as soon, and leaves no file") {
  const ScratchFolder folder;
  const std::string output = folder / "bode.csv";
  const Interrupted result =
      interrupted_after(std::chrono::milliseconds(900),
                        {"response", chain.c_str(), "--set", "N=1000", "--input", "P[1].x", "--output", "P[1].x",
                         "--from", "0.1", "--to", "10", "--points", "100000", "-o", output.c_str()});
  REQUIRE(result.was_running);
  CHECK(result.code == 130);
  CHECK(result.seconds < 1);
  CHECK(std::filesystem::is_empty(folder / "."));
}

TEST_CASE(
    "progress: a terminal sees how many eigenvalues are there, and a clean line in the end; --quiet sees nothing") {
  const std::vector<const char*> arguments{"modes", chain.c_str(), "--set", "N=100000", "--count", "20"};
  const std::string seen = on_terminal(arguments);
  CHECK(seen.find(" of 20 eigenvalues") != std::string::npos);
  CHECK(seen.ends_with("\r\033[K"));
  std::vector<const char*> quietly = arguments;
  quietly.push_back("--quiet");
  CHECK(on_terminal(quietly).empty());
}
