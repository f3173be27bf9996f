#include "cli/engine_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
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

constexpr std::array files_of_engines{"request.json", "A0.petsc",      "A1.petsc",         "A2.petsc",  "order.petsc",
                                      "answer.json",  "vectors.petsc", "answer.json.part", "engine.log"};
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
[[noreturn]] void become(const char* log, char* const* words, char* const* variables) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // who interrupts this program ends the ranks, too
  const int nothing = open("/dev/null", O_RDONLY), to = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (to < 0) _exit(not_started);
  dup2(to, STDOUT_FILENO);
  dup2(to, STDERR_FILENO);
  execve(words[0], words, variables);
  _exit(not_started);
}

/// What the engine has said itself, or what mpirun has said about a signal, or the last line.
std::string last_words(const std::string& log) {
  std::ifstream file(log);
  std::string own, signal, last;
  for (std::string line; std::getline(file, line);) {
    if (const auto at = line.find(mark); at != std::string::npos) own = line.substr(at + std::strlen(mark));
    if (line.find("on signal") != std::string::npos) signal = line;
    if (line.find_first_not_of(" -\t") != std::string::npos) last = line;
  }
  return !own.empty() ? own : !signal.empty() ? signal : last;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return not_started;
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
  const std::string log = folder + "/engine.log";
  std::vector<std::string> words{mpirun_, "-n", std::to_string(ranks_), program_, folder};
  std::vector<std::string> variables = environment(ranks_);
  const std::vector<char*> argv = pointers_to(words), envp = pointers_to(variables);
  const pid_t child = fork();
  if (child == 0) become(log.c_str(), argv.data(), envp.data());
  if (child < 0) throw Error(fmt::format("'{}' cannot be started: {}", mpirun_, std::strerror(errno)));
  const int code = wait_for(child);
  if (code == 0) return;
  if (code == not_started && !fs::exists(log)) throw Error(fmt::format("'{}' cannot be started", mpirun_));
  const std::string said = last_words(log);
  throw Undecided(
      fmt::format("the engine ended with exit code {}{}", code, said.empty() ? ", without a word" : ": " + said));
}

}  // namespace stillpoint::cli
