// The manual pages, as `man` shows them.

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "stillpoint/read_model.h"
#include "support/clients.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

/// The pages, written once.
class Manual {
 public:
  Manual() {
    require_client("command -v man", "man-db");
    const Answer answer = run("__man '" + folder_ / "man" + "'");
    CHECK(answer.code == 0);
    CHECK(answer.out + answer.err == "");
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "man"))
      files_.push_back(entry.path().filename().string());
  }
  const std::vector<std::string>& files() const { return files_; }
  std::string source(const std::string& file) const { return content_of(folder_ / ("man/" + file)); }
  /// As it is shown, without a complaint, 80 characters wide.
  std::string shown(const std::string& file) const {
    const Answer answer = shell("LC_ALL=C.UTF-8 MANWIDTH=80 MANPAGER=cat man --warnings -l '" +
                                folder_ / ("man/" + file) + "' | col -bx");
    CHECK(answer.code == 0);
    CHECK_MESSAGE(answer.err == "", file);
    return answer.out;
  }

 private:
  ScratchFolder folder_;
  std::vector<std::string> files_;
};

/// With one blank between two words.
std::string in_one_line(const std::string& text) { return std::regex_replace(text, std::regex("[ \n]+"), " "); }

std::vector<std::string> verbs_of_help() {
  std::vector<std::string> verbs;
  const std::string help = run("--help").out, list = help.substr(help.find("\nSubcommands:\n"));
  const std::regex verb("\n  ([a-z]+) ");
  for (std::sregex_iterator found(list.begin(), list.end(), verb), end; found != end; ++found)
    if (found->prefix().str().find("Environment:") == std::string::npos) verbs.push_back((*found)[1]);
  return verbs;
}

}  // namespace

TEST_CASE("manual: there is a page for each verb, for the tool, and for model files") {
  const Manual manual;
  const std::vector<std::string> verbs = verbs_of_help();
  REQUIRE(verbs.size() > 15);
  CHECK(manual.files().size() == verbs.size() + 2);
  const std::string main = manual.shown("stillpoint.1");
  for (const std::string& verb : verbs) {
    CAPTURE(verb);
    CHECK(contains(main, "\n       stillpoint-" + verb + "(1)\n              "));  // no two verbs in one paragraph
    const std::string page = manual.shown("stillpoint-" + verb + ".1");
    CHECK(contains(page, "\nNAME\n       stillpoint-" + verb + " - "));
    CHECK(contains(page, "\nSYNOPSIS\n       stillpoint " + verb + " [OPTIONS]"));
    for (const char* const section : {"DESCRIPTION", "OPTIONS", "EXAMPLES", "ENVIRONMENT", "EXIT STATUS", "SEE ALSO"})
      CHECK_MESSAGE(contains(page, "\n" + std::string(section) + "\n"), section);
  }
}

TEST_CASE("manual: each page says of each option what --help says") {
  const Manual manual;
  for (const std::string& verb : verbs_of_help()) {
    CAPTURE(verb);
    const std::string help = run(verb + " --help").out, page = manual.shown("stillpoint-" + verb + ".1");
    const std::string words = in_one_line(page);
    const std::regex option("\n  (?:-h,)?(--?[a-z-]+)[^\n]*?(?:\n {20,}|  +)(\\S[^\n]*)");
    std::size_t count = 0;
    for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found, ++count) {
      const std::string name = (*found)[1], text = in_one_line((*found)[2]);
      CAPTURE(name);
      CHECK((contains(page, "\n       " + name) || contains(page, "\n       -h, " + name)));
      CHECK_MESSAGE(contains(words, text), text);
    }
    CHECK(count > 0);
    const std::size_t gap = help.find("\n\n");
    CHECK(contains(words, in_one_line(help.substr(gap + 2, help.find("\nUsage:") - gap - 2))));
    std::istringstream examples(help.substr(help.find('\n') + 1, gap - help.find('\n') - 1));
    for (std::string line; std::getline(examples, line);) CHECK(contains(page, "         " + line.substr(1) + "\n"));
  }
}

TEST_CASE("manual: the page of model files has every entry and field of the reader") {
  const Manual manual;
  const std::string page = manual.shown("stillpoint-model.5");
  for (const Dimension dimension : {Dimension::plane, Dimension::space}) {
    const std::size_t chapter =
        page.find(dimension == Dimension::plane ? "\nENTRIES IN THE PLANE\n" : "\nENTRIES IN SPACE\n");
    REQUIRE(chapter != std::string::npos);
    for (const EntryType& type : entry_types(dimension)) {
      const std::string keyword(type.info->keyword);
      CAPTURE(keyword);
      const std::size_t begin = page.find("\n   " + keyword + "\n", chapter);
      REQUIRE(begin != std::string::npos);
      for (const Field& field : type.info->fields)
        CHECK_MESSAGE(page.find("\n       " + std::string(field.key) + " (", begin) != std::string::npos, field.key);
    }
  }
  CHECK(contains(page, "\n                 - distance: link[i]\n"));  // examples keep their lines
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 160, line);  // bytes
}

TEST_CASE("manual: nothing that a user writes is changed by roff") {
  const Manual manual;
  CHECK(contains(in_one_line(manual.shown("stillpoint-model.5")), "-2^2 is -4, 2^3^2 is 512"));
  CHECK(contains(manual.shown("stillpoint-motion.1"), "--input 'motor=2*sin(3*t)'"));
  CHECK(contains(manual.source("stillpoint-modes.1"), "\\fB\\-\\-set\\fR \\fINAME=VALUE\\fR"));
  for (const std::string& file : manual.files()) {
    CAPTURE(file);
    CHECK(!contains(manual.shown(file), "\\f"));
    CHECK(!contains(manual.shown(file), "`"));
  }
}

TEST_CASE("manual: a folder that cannot be written is told, and nothing else is an argument") {
  check_refused("__man /dev/null/man", "/dev/null/man");
  check_refused("__man", "__man takes the folder for the manual pages");
}
