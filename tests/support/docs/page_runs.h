// A page of the docs as a session: its files are written into a scratch folder, its commands are run there, and what
// they print is compared, line by line, with what the page shows.
//
//   <!-- file: arm/model.yaml -->     the block that follows is the content of that file
//   ```console                        a block of commands, "$ COMMAND", each with its output below it
//
// "…" in a shown line stands for anything, and a line "…" for any number of lines. Times, and numbers below 1e-6, which
// are rounding or its bounds, agree with each other everywhere. With STILLPOINT_UPDATE_READMES=1 in the environment
// outdated output is replaced in the page by what is printed; such a run fails, so that none passes because of what it
// wrote itself.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/clients.h"
#include "support/scratch_folder.h"

namespace stillpoint {

using Lines = std::vector<std::string>;

inline Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A step of the session: a file to write, or a command to run.
struct PageStep {
  std::string file, command;  ///< one of the two is empty
  Lines shown;                ///< the content of the file, or the output of the command
  std::size_t first = 0;      ///< the number of the first of these lines in the page, from 0
};

/// The steps of the commands between two lines of a page, `begin` and `end`.
inline void append_commands(const Lines& page, std::size_t begin, std::size_t end, std::vector<PageStep>& steps) {
  const std::string prompt = "$ ";
  for (std::size_t i = begin; i < end; ++i) {
    if (page[i].starts_with(prompt)) {
      steps.push_back({"", page[i].substr(prompt.size()), {}, i + 1});
    } else {
      REQUIRE_MESSAGE(i > begin, "a console block begins with '" << page[i] << "' and not with a command");
      steps.back().shown.push_back(page[i]);
    }
  }
}

inline std::vector<PageStep> steps_of(const Lines& page) {
  const std::string fence = "```", mark = "<!-- file: ", mark_end = " -->";
  std::vector<PageStep> steps;
  std::string file;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i].starts_with(mark) && page[i].ends_with(mark_end))
      file = page[i].substr(mark.size(), page[i].size() - mark.size() - mark_end.size());
    if (!page[i].starts_with(fence)) continue;
    const std::size_t begin = i + 1;
    const auto end = static_cast<std::size_t>(
        std::find(page.begin() + static_cast<std::ptrdiff_t>(begin), page.end(), fence) - page.begin());
    REQUIRE_MESSAGE(end < page.size(), "a block is not closed: line " << begin);
    if (!file.empty()) {
      steps.push_back({file, "", Lines(&page[begin], &page[end]), begin});
      file.clear();
    } else if (page[i] == fence + "console") {
      append_commands(page, begin, end, steps);
    }
    i = end;
  }
  return steps;
}

/// A line without times, without the size of rounding errors, and without the width of columns.
inline std::string without_noise(const std::string& line) {
  static const std::regex time("[0-9.]+(e[-+][0-9]+)? (µs|ms|s)(?![A-Za-z0-9_/])"),
      tiny("-?[0-9.]+e-(0[7-9]|[1-9][0-9])|0\\.0e\\+00"), spaces(" +");
  const std::string without_times = std::regex_replace(line, time, "0 s");
  return std::regex_replace(std::regex_replace(without_times, tiny, "0"), spaces, " ");
}

/// Whether a printed line is the shown one, in which "…" stands for anything.
inline bool is_shown(const std::string& shown, const std::string& printed) {
  const std::string pattern = without_noise(shown), line = without_noise(printed), any = "…";
  std::size_t piece = 0, at = 0;
  for (bool is_first = true;; is_first = false) {
    const std::size_t next = pattern.find(any, piece);
    const std::string text = pattern.substr(piece, next - piece);
    if (next == std::string::npos) {  // the last piece ends the line
      return is_first ? line == text : line.size() >= at + text.size() && line.ends_with(text);
    }
    const std::size_t found = is_first ? (line.starts_with(text) ? 0 : std::string::npos) : line.find(text, at);
    if (found == std::string::npos) return false;
    at = found + text.size();
    piece = next + any.size();
  }
}

/// Whether the printed lines from `p` on are the shown ones from `s` on; a shown line "…" stands for any number.
inline bool are_shown(const Lines& shown, const Lines& printed, std::size_t s = 0, std::size_t p = 0) {
  if (s == shown.size()) return p == printed.size();
  if (shown[s] == "…")
    return are_shown(shown, printed, s + 1, p) || (p < printed.size() && are_shown(shown, printed, s, p + 1));
  return p < printed.size() && is_shown(shown[s], printed[p]) && are_shown(shown, printed, s + 1, p + 1);
}

/// The printed lines; where one is the shown one, it is kept as shown, with its "…".
inline Lines merged(const Lines& shown, const Lines& printed) {
  Lines lines;
  auto rest = shown.begin();
  for (const std::string& line : printed) {
    const auto same = std::find_if(rest, shown.end(), [&](const std::string& old) { return is_shown(old, line); });
    lines.push_back(same == shown.end() ? line : *same);
    if (same != shown.end()) rest = same + 1;
  }
  return lines;
}

/// A scratch folder with the cases, in which the steps of a page are carried out.
class PageSession {
 public:
  PageSession() { std::filesystem::create_directory_symlink(STILLPOINT_SOURCE_DIR "/cases", folder_ / "cases"); }

  void write(const PageStep& step) const {
    std::string text;
    for (const std::string& line : step.shown) text += line + '\n';
    folder_.write(step.file, text);
  }

  /// What a command prints on stdout, and the tool on stderr. Where it should fail, it says so itself: "|| echo $?".
  Lines run(const std::string& command) const {
    const std::string in_tree = "./dev run ";
    const bool is_in_tree = command.starts_with(in_tree);
    const Answer answer =
        shell("exec 3>&1\nstillpoint() { \"$TOOL\" \"$@\" 2>&3; }\npython3() { " + python + " \"$@\"; }\ncd '" +
              folder_ / "." + "'\n" + (is_in_tree ? "stillpoint " + command.substr(in_tree.size()) : command));
    CHECK_MESSAGE(answer.code == 0, command << " ends with " << answer.code << ": " << answer.err);
    return lines_of(answer.out);
  }

 private:
  ScratchFolder folder_;
};

inline bool is_updating() {
  const char* const update = std::getenv("STILLPOINT_UPDATE_READMES");
  return update && std::string_view(update) == "1";
}

/// Replaces the output of steps in a page. From the last to the first, so that line numbers stay what they are.
inline void rewrite_page(const std::string& path, Lines page, const std::vector<PageStep>& steps,
                         const std::vector<Lines>& printed) {
  for (std::size_t k = steps.size(); k-- > 0;) {
    if (steps[k].command.empty() || are_shown(steps[k].shown, printed[k])) continue;
    const auto begin = page.begin() + static_cast<std::ptrdiff_t>(steps[k].first);
    const Lines lines = merged(steps[k].shown, printed[k]);
    const auto at = page.erase(begin, begin + static_cast<std::ptrdiff_t>(steps[k].shown.size()));
    page.insert(at, lines.begin(), lines.end());
  }
  std::ofstream file(path, std::ios::binary);
  for (const std::string& line : page) file << line << '\n';
}

/// Carries out steps of a page, named from the source folder, and checks that it shows what they print.
inline void check_steps(const std::string& name, const Lines& page, const std::vector<PageStep>& steps) {
  CHECK_MESSAGE(!steps.empty(), name << " has no commands");
  const PageSession session;
  std::vector<Lines> printed(steps.size());
  bool is_current = true;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    if (steps[k].command.empty()) {
      session.write(steps[k]);
      continue;
    }
    printed[k] = session.run(steps[k].command);
    if (are_shown(steps[k].shown, printed[k])) continue;
    is_current = false;
    std::string text;
    for (const std::string& line : printed[k]) text += line + '\n';
    CHECK_MESSAGE(is_updating(), name << ":" << steps[k].first << ": '" << steps[k].command << "' prints\n" << text);
  }
  if (is_current || !is_updating()) return;
  rewrite_page(STILLPOINT_SOURCE_DIR "/" + name, page, steps, printed);
  FAIL_CHECK(name << " was rewritten; look at the difference and run the test again");
}

inline Lines page_lines(const std::string& name) { return lines_of(content_of(STILLPOINT_SOURCE_DIR "/" + name)); }

inline void check_page(const std::string& name) {
  const Lines page = page_lines(name);
  check_steps(name, page, steps_of(page));
}

}  // namespace stillpoint
