#include "cli/engine_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::array files_of_engines{"request.json", "A0.petsc",    "A1.petsc",      "A2.petsc",
                                      "order.petsc",  "answer.json", "vectors.petsc", "answer.json.part"};
constexpr int not_started = 127;
constexpr const char* mark = "stillpoint-slepc: ";  ///< before the words of the engine itself

bool is_program(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

/// The path of a program beside this one or in PATH; empty if there is none.
std::string path_of(const std::string& program, bool also_beside_this) {
  std::vector<fs::path> folders;
  std::error_code none;
  if (also_beside_this) folders.push_back(fs::read_symlink("/proc/self/exe", none).parent_path());
  const char* const path = std::getenv("PATH");
  std::stringstream list(path ? path : "");
  for (std::string folder; std::getline(list, folder, ':');) folders.emplace_back(folder.empty() ? "." : folder);
  for (const fs::path& folder : folders) {
    if (is_program(folder / program)) return (folder / program).string();
  }
  return {};
}

/// NAME=VALUE for each setting that the environment does not have: what a machine needs on which nobody has set it.
std::vector<std::string> environment(int ranks) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) all.emplace_back(*entry);
  const auto set = [&](const char* name, const char* value) {
    if (!std::getenv(name)) all.push_back(fmt::format("{}={}", name, value));
  };
  set("OPENBLAS_NUM_THREADS", "1");  // each rank would start as many threads as there are processors
  set("OMP_NUM_THREADS", "1");
  set("OMPI_MCA_btl_vader_single_copy_mechanism", "none");  // containers forbid what it needs
  set("OMPI_MCA_rmaps_base_oversubscribe", "1");
  if (ranks > static_cast<int>(std::thread::hardware_concurrency())) set("OMPI_MCA_hwloc_base_binding_policy", "none");
  if (geteuid() == 0) {
    set("OMPI_ALLOW_RUN_AS_ROOT", "1");
    set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// After fork only what is safe in the handler of a signal.
[[noreturn]] void become(int log, char* const* words, char* const* variables) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // who interrupts this program ends the ranks, too
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execve(words[0], words, variables);
  _exit(not_started);
}

/// What the engine has said itself, or what mpirun has said about a signal, or the first error, or the last line.
std::string last_words(std::istream& file) {
  std::string own, signal, error, last;
  for (std::string line; std::getline(file, line);) {
    if (const auto at = line.find(mark); at != std::string::npos) own = line.substr(at + std::strlen(mark));
    if (line.find("on signal") != std::string::npos) signal = line;
    if (error.empty() && line.find("ERROR") != std::string::npos) error = line;
    if (line.find_first_not_of(" -\t") != std::string::npos) last = line;
  }
  for (const std::string* said : {&own, &signal, &error}) {
    if (!said->empty()) return *said;
  }
  return last;
}

/// A file in memory, which a full disk does not cut short.
class Log {
 public:
  Log() : file_(memfd_create("engine.log", MFD_CLOEXEC)) {
    if (file_ < 0) throw Error(fmt::format("there is no memory for the words of an engine: {}", std::strerror(errno)));
  }
  ~Log() { close(file_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  int file() const { return file_; }
  std::string last_words() const {
    std::ifstream file(fmt::format("/proc/self/fd/{}", file_));
    return cli::last_words(file);
  }

 private:
  int file_;
};

bool is_zombie(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), {}};  // PID (NAME) STATE ...
  return text.find(") Z", text.rfind(')')) != std::string::npos;
}

/// Where the system does not tell, a process counts as one with children that run.
bool has_children(pid_t process) {
  std::error_code failed;
  const fs::directory_iterator tasks(fmt::format("/proc/{}/task", process), failed);
  if (failed) return true;
  for (const fs::directory_entry& task : tasks) {
    std::ifstream children(task.path() / "children");
    if (!children) return true;
    for (pid_t child = 0; children >> child;) {
      if (!is_zombie(child)) return true;
    }
  }
  return false;
}

/// Ends mpirun if it waits although its ranks have ended, which Open MPI's does on a full disk.
class RanklessMpirun {
 public:
  explicit RanklessMpirun(pid_t process) : process_(process) {}
  void look_up() {
    using namespace std::chrono;
    constexpr seconds longest{5};
    const auto now = steady_clock::now();
    if (has_children(process_)) {
      had_ranks_ = true;
      last_rank_ = now;
    } else if (had_ranks_ && now - last_rank_ > longest) {
      kill(process_, SIGKILL);
    }
  }

 private:
  pid_t process_;
  bool had_ranks_ = false;
  std::chrono::steady_clock::time_point last_rank_{};
};

int wait_for(pid_t child) {
  RanklessMpirun rankless(child);
  int status = 0;
  for (pid_t ended = 0; ended != child;) {
    ended = waitpid(child, &status, WNOHANG);
    if (ended < 0 && errno != EINTR) return not_started;
    if (ended != 0) continue;
    rankless.look_up();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string new_folder() {
  std::error_code failed;
  const fs::path place = fs::temp_directory_path(failed);
  std::string path = ((failed ? fs::path("/tmp") : place) / "stillpoint-engine-XXXXXX").string();
  if (!mkdtemp(path.data())) throw Error({path, 0, 0}, fmt::format("cannot be created: {}", std::strerror(errno)));
  return path;
}

}  // namespace

EngineFolder::EngineFolder() : path_(new_folder()) {
  unfinished_.emplace_back(path_);
  for (const char* file : files_of_engines) unfinished_.emplace_back(path_ + "/" + file);
}

EngineFolder::~EngineFolder() {
  std::error_code none;
  fs::remove_all(path_, none);
}

EngineProcess::EngineProcess(const std::string& program, int ranks)
    : program_(path_of(program, true)), mpirun_(path_of("mpirun", false)), ranks_(ranks) {
  if (program_.empty())
    throw Error(
        fmt::format("the program '{}' is neither beside this one nor in PATH: './dev engine' in the source "
                    "folder builds it, with SLEPc and MPI from Debian",
                    program));
  if (mpirun_.empty())
    throw Error(
        "there is no 'mpirun' in PATH, which starts the ranks of an engine: 'apt-get install openmpi-bin' brings it");
}

void EngineProcess::run(const std::string& folder) const {
  const Log log;
  std::vector<std::string> words{mpirun_, "-n", std::to_string(ranks_), program_, folder};
  std::vector<std::string> variables = environment(ranks_);
  const std::vector<char*> argv = pointers_to(words), envp = pointers_to(variables);
  const pid_t child = fork();
  if (child == 0) become(log.file(), argv.data(), envp.data());
  if (child < 0) throw Error(fmt::format("'{}' cannot be started: {}", mpirun_, std::strerror(errno)));
  const int code = wait_for(child);
  if (code == 0) return;
  const std::string said = log.last_words();
  if (code == not_started && said.empty()) throw Error(fmt::format("'{}' cannot be started", mpirun_));
  throw Undecided(
      fmt::format("the engine ended with exit code {}{}", code, said.empty() ? ", without a word" : ": " + said));
}

}  // namespace stillpoint::cli
