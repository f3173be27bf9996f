#include "support/cli/poison.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "support/scratch_folder.h"
#include "support/seeded.h"

namespace stillpoint::testing {

namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

const Words plain{"0", "1", "4", "2", "-1", "0.5"};
const Words mild{"0", "1", "-1", "4", "1e-150", "1e150", "-1e150", "1e-16", "3", "0.5"};
const Words strong{"0",      "1",      "-1",     "4",
                   "1e-310", "5e-324", "1e150",  "-1e150",
                   "1e-150", "1e300",  "1e-300", "2.2250738585072014e-308",
                   "3",      "0.5",    "1e-16",  "1.7976931348623157e308"};
const Words verbs{"modes",
                  "modes --all",
                  "modes --engine dense",
                  "modes --engine sparse",
                  "modes --method rcs",
                  "modes --method ucs",
                  "modes --json",
                  "compare",
                  "sparsity",
                  "check",
                  "equilibrium",
                  "linearize -o out",
                  "export --input q[1] --output q[1] -o p.json",
                  "export --input q[1] --output q[1] -o plant",
                  "export --input q[1] --output q[1] --reduce balanced -o p.npz",
                  "export --input q[1] --output q[1] --reduce modal -o p.mat",
                  "export --input q[1] --output q[1] --form descriptor --method rcs -o p.npz",
                  "response --input q[1] --output q[1]"};

template <class List>
const auto& one_of(Random& random, const List& list) {
  return list[static_cast<std::size_t>(random.whole(0, static_cast<int>(std::size(list)) - 1))];
}

/// A matrix as Matrix Market text; `kind` is full, diagonal, symmetric, sparse, repeated (two equal rows) or zero.
std::string matrix(Random& random, int rows, int columns, const std::string& kind, const Words& pool) {
  std::map<std::pair<int, int>, std::string> entries;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      if (kind == "zero" || (kind == "diagonal" && i != j) || (kind == "sparse" && random.maybe(0.6))) continue;
      const bool is_below = kind == "symmetric" && i > j && j < rows && i < columns;
      entries[{i, j}] = is_below ? entries[{j, i}] : one_of(random, pool);
    }
  }
  if (kind == "repeated" && rows > 1) {
    for (int j = 0; j < columns; ++j) entries[{1, j}] = entries[{0, j}];
  }
  std::string text =
      fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n", rows, columns, entries.size());
  for (const auto& [place, value] : entries)
    text += fmt::format("{} {} {}\n", place.first + 1, place.second + 1, value);
  return text;
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

void make_folder(Random& random, const fs::path& folder, const Words& pool) {
  constexpr std::array sizes{0, 1, 1, 2, 2, 3, 3, 4};
  constexpr std::array rows{0, 0, 1, 1, 2, 3, 5};
  const int n = one_of(random, sizes), m = one_of(random, rows);
  write(folder / "M.mtx", matrix(random, n, n, one_of(random, Words{"diagonal", "symmetric", "sparse", "zero"}), pool));
  write(folder / "K.mtx",
        matrix(random, n, n, one_of(random, Words{"diagonal", "symmetric", "sparse", "repeated", "zero"}), pool));
  if (random.maybe(0.5))
    write(folder / "C.mtx", matrix(random, n, n, one_of(random, Words{"diagonal", "symmetric", "sparse"}), pool));
  if (m > 0)
    write(folder / "J.mtx",
          matrix(random, m, n, one_of(random, Words{"sparse", "repeated", "full", "zero", "diagonal"}), pool));
}

/// Runs the tool in a folder; what it prints goes to the files out.txt and err.txt there.
int run_in(const fs::path& folder, const std::string& tool, const Words& arguments, unsigned most_seconds) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(most_seconds);
    if (chdir(folder.c_str()) != 0) _exit(127);
    const auto to_file = [](const char* name, int descriptor) {
      const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(file, descriptor);
      close(file);
    };
    to_file("out.txt", STDOUT_FILENO);
    to_file("err.txt", STDERR_FILENO);
    std::vector<char*> words{const_cast<char*>(tool.c_str())};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(tool.c_str(), words.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return WTERMSIG(status) == SIGALRM ? -1 : 128 + WTERMSIG(status);
}

Words split(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::string PoisonedRun::fault() const {
  if (code == -1) return "does not end";
  if (code != 0 && code != 1 && code != 2 && code != 6)
    return fmt::format("exit code {}: {}", code, err.substr(0, err.find('\n')));
  if (code != 0 && err.empty() && out.empty()) return fmt::format("exit code {} without a word", code);
  if (code != 0) return {};
  for (const std::string& word : split(out)) {
    for (const char* const bad : {"nan", "-nan", "inf", "-inf"}) {
      if (word == bad || word == std::string(bad) + ",") return fmt::format("prints {}", bad);
    }
  }
  return {};
}

PoisonedRun run_poisoned(std::uint64_t seed, Poison poison, const std::string& tool, const std::string& where) {
  constexpr unsigned most_seconds = 60;
  Random random(seed);
  Words pool = poison == Poison::mild ? mild : strong;
  if (random.maybe(0.5)) {  // few bad numbers among good ones
    Words few = plain;
    few.push_back(one_of(random, pool));
    few.push_back(one_of(random, pool));
    pool = few;
  }
  PoisonedRun run;
  run.folder = (fs::path(where) / "system").string();
  fs::remove_all(where);
  fs::create_directories(run.folder);
  make_folder(random, run.folder, pool);
  Words words = split(one_of(random, verbs));
  words.insert(words.begin() + 1, "system");
  run.arguments = fmt::format("{}", fmt::join(words, " "));
  run.code = run_in(where, tool, words, most_seconds);
  run.out = content_of(fs::path(where) / "out.txt");
  run.err = content_of(fs::path(where) / "err.txt");
  return run;
}

}  // namespace stillpoint::testing
