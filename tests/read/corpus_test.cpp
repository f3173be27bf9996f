// Reading, tried on many models: a corpus of broken ones, each refused at the right line in the right words, and 1000
// good ones, none of which raises an alarm.
//
// A file of the corpus (tests/corpus/CLASS/NAME.yaml) is a whole mechanism with one fault. Its first line says where
// the fault is found and what the message says, its second line what cures it:
//
//   # error 14: spring 'return': there is no point, body, scalar or marker 'crnk'
//   # fixed 14:     between: ground, crank         line 14 as it should be
//   # fixed with 15:     length: 1                 this line is missing above line 15
//   # fixed without 16                             line 16 is too much

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "stillpoint/assembly.h"
#include "stillpoint/check.h"
#include "stillpoint/read_model.h"
#include "support/corpus/good_models.h"
#include "support/read/provoke.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

/// A good model stands in its guess up to rounding: coordinates are of the order of one, with errors of some 1e-16.
constexpr double residual_of_rounding = 1e-9;

struct Broken {
  std::string path, folder, text;
  int line = 0;
  std::string words;
  std::optional<std::string> cured;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// What follows "# word 14: " in a line, and the 14; a negative number if the line does not start so.
std::pair<int, std::string> told(const std::string& line, const std::string& word) {
  const std::string start = "# " + word + " ";
  if (!line.starts_with(start)) return {-1, ""};
  const std::size_t end = line.find_first_not_of("0123456789", start.size());
  if (end == start.size()) return {-1, ""};
  const int number = std::stoi(line.substr(start.size()));
  return {number, end + 2 <= line.size() ? line.substr(end + 2) : ""};
}

std::optional<std::string> cure(std::vector<std::string> lines) {
  const auto at = [&](int number) { return lines.begin() + (number - 1); };
  const auto replaced = told(lines[1], "fixed"), inserted = told(lines[1], "fixed with"),
             removed = told(lines[1], "fixed without");
  if (replaced.first > 0) *at(replaced.first) = replaced.second;
  else if (inserted.first > 0) lines.insert(at(inserted.first), inserted.second);
  else if (removed.first > 0) lines.erase(at(removed.first));
  else return std::nullopt;
  return joined(lines);
}

Broken broken(const std::filesystem::path& path) {
  Broken file{path.string(), path.parent_path().filename().string(), content_of(path), 0, "", std::nullopt};
  const std::vector<std::string> lines = lines_of(file.text);
  CAPTURE(file.path);
  REQUIRE(lines.size() > 2);
  std::tie(file.line, file.words) = told(lines[0], "error");
  REQUIRE(file.line > 2);
  REQUIRE(file.line <= static_cast<int>(lines.size()));
  REQUIRE(file.words.size() > 10);
  file.cured = cure(lines);
  return file;
}

const std::vector<Broken>& corpus() {
  static const std::vector<Broken> files = [] {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(STILLPOINT_SOURCE_DIR "/tests/corpus")) {
      if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<Broken> made;
    for (const auto& path : paths) made.push_back(broken(path));
    return made;
  }();
  return files;
}

bool is_in_space(const std::string& text) { return text.find("\ndimension: 3\n") != std::string::npos; }

double worst_residual(const Model& model) {
  if (model.constraints() == 0) return 0;
  return constraint_residual(model, model.initial_state()).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("corpus: more than 200 broken models in more than 20 classes, no two alike, in the plane and in space") {
  std::map<std::string, int> classes;
  std::set<std::string> texts;
  std::ptrdiff_t in_space = 0;
  for (const Broken& file : corpus()) {
    ++classes[file.folder];
    in_space += is_in_space(file.text) ? 1 : 0;
    const std::vector<std::string> lines = lines_of(file.text);
    texts.insert(joined({lines.begin() + 2, lines.end()}));
  }
  CHECK(corpus().size() > 200);
  CHECK(texts.size() == corpus().size());
  CHECK(classes.size() > 20);
  for (const auto& entry : classes) CHECK_MESSAGE(entry.second >= 5, entry.first);
  CHECK(in_space > 80);
  CHECK(static_cast<std::ptrdiff_t>(corpus().size()) - in_space > 80);
}

TEST_CASE("corpus: every broken model is refused at its line, in its words") {
  for (const Broken& file : corpus()) {
    CAPTURE(file.path);
    const auto error = error_of([&] { read_model(file.path); });
    REQUIRE_MESSAGE(error, "was read");
    CHECK_MESSAGE(error->place().line == file.line, error->what());
    CHECK_MESSAGE(error->message().find(file.words) != std::string::npos, error->what());
  }
}

TEST_CASE("corpus: a message is one line that begins with the file, the line and a column in it") {
  for (const Broken& file : corpus()) {
    const auto error = error_of([&] { read_model(file.path); });
    REQUIRE_MESSAGE(error, file.path);
    const std::string what = error->what();
    const int column = error->place().column;
    CHECK_MESSAGE(what.starts_with(file.path + ":" + std::to_string(file.line) + ":" + std::to_string(column) + ": "),
                  what);
    CHECK_MESSAGE(what.find('\n') == std::string::npos, what);
    const std::string line = lines_of(file.text)[static_cast<std::size_t>(file.line) - 1];
    CHECK_MESSAGE((column >= 1 && column <= static_cast<int>(line.size()) + 1), what);
  }
}

TEST_CASE("corpus: the fault is the only one: one line cures it, and then the mechanism stands in its guess") {
  std::size_t cured = 0;
  for (const Broken& file : corpus()) {
    if (!file.cured) continue;
    ++cured;
    CAPTURE(file.path);
    const auto error =
        error_of([&] { CHECK(worst_residual(read_model_text(*file.cured, "cured")) < residual_of_rounding); });
    CHECK_MESSAGE(!error, error->what());
  }
  CHECK(10 * cured >= 9 * corpus().size());
}

TEST_CASE("corpus: the tool says so on stderr in one line, prints nothing, and exits with 2") {
  const ScratchFolder folder;
  folder.write("out", "");
  for (std::size_t i = 0; i < 10; ++i) {
    const Broken& file = corpus()[i * corpus().size() / 10];
    CAPTURE(file.path);
    const std::string command = "'" STILLPOINT_TOOL "' check '" + file.path + "' >'" + folder / "out" + "' 2>'" +
                                folder / "err" + "' </dev/null";
    const int status = std::system(command.c_str());
    const std::string said = content_of(folder / "err");
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
    CHECK(content_of(folder / "out") == "");
    CHECK_MESSAGE(said.starts_with("error: " + file.path + ":" + std::to_string(file.line) + ":"), said);
    CHECK_MESSAGE(said.find(file.words) != std::string::npos, said);
    CHECK_MESSAGE(std::count(said.begin(), said.end(), '\n') == 1, said);
  }
}

TEST_CASE("good models: 1000 of them are read, stand in their guess, and raise no warning") {
  Index bodies = 0, constraints = 0, closed = 0, outputs = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = good_model(seed);
    CAPTURE(text);
    try {
      const Model model = read_model_text(text, "good");
      const CheckReport report = check_model(model);
      CHECK_MESSAGE(report.warnings.empty(), report.warnings.front());
      CHECK_MESSAGE(worst_residual(model) < residual_of_rounding, report.worst);
      bodies += report.bodies;
      constraints += report.constraints;
      outputs += model.outputs();
      closed += text.find("- rod: ") != std::string::npos || text.find("- distance: distance") != std::string::npos;
    } catch (const Error& error) {
      FAIL_CHECK(error.what());
    }
  }
  // They are mechanisms: some bodies each, more than a joint for each, outputs to look at, and loops among them.
  CHECK(bodies > 2000);
  CHECK(constraints > 2 * bodies);
  CHECK(outputs > 1000);
  CHECK(closed > 200);
}
