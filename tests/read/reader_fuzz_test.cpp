// Damaged files are read or refused with a line; nothing else happens.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "stillpoint/read_model.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

std::vector<std::string> case_files() {
  std::vector<std::string> texts{starter_model()};
  for (const auto& entry : std::filesystem::directory_iterator(STILLPOINT_SOURCE_DIR "/cases")) {
    const std::string text = content_of(entry.path() / "model.yaml");
    if (!text.empty()) texts.push_back(text);
  }
  std::sort(texts.begin(), texts.end());  // whatever the order of the folder
  return texts;
}

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string done_to(std::string text) {
    for (std::size_t i = below(3) + 1; i > 0 && !text.empty(); --i) once(text);
    return text;
  }

  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }

 private:
  void once(std::string& text) {
    const std::size_t at = below(text.size());
    const std::size_t begin = text.rfind('\n', at) + 1;  // npos + 1 = 0: the first line
    const std::string line = text.substr(begin, text.find('\n', at) - begin + 1);
    const std::string signs = ":-[]{}()\"',.#&*!|>%@?+=<^/ \t\n0123456789eEijN_$\\";
    switch (below(8)) {
      case 0:
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        text[at] = signs[below(signs.size())];
        break;
      case 2:
        text.insert(at, 1, signs[below(signs.size())]);
        break;
      case 3:
        text.erase(at, 1 + below(10));
        break;
      case 4:
        text.erase(begin, line.size());
        break;
      case 5:
        text.insert(begin, line);
        break;
      case 6:
        text.insert(text.find('\n', below(text.size())) + 1, line);
        break;  // a line elsewhere
      default:
        text.resize(at);
        break;
    }
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("reader: a damaged file is read, or refused with a line") {
  const std::vector<std::string> texts = case_files();
  REQUIRE(texts.size() > 1);
  // More by hand, with a sanitizer: STILLPOINT_FUZZ=200000
  const char* const wanted = std::getenv("STILLPOINT_FUZZ");
  const int count = wanted ? std::atoi(wanted) : 2000;
  const ReadOptions small{.more_types = {}, .most_things = 2000};

  int read = 0, refused = 0;
  for (int seed = 0; seed < count; ++seed) {
    Damage damage(static_cast<unsigned>(seed));
    const std::string text = damage.done_to(texts[damage.below(texts.size())]);
    CAPTURE(seed);
    CAPTURE(text);
    try {
      read_model_text(text, "file", {}, small);
      ++read;
    } catch (const Error& error) {
      ++refused;
      if (error.place().line < 1 || error.place().column < 1) FAIL(error.what());
    }
  }
  // Neither answer may be the only one, or the damage would be too small or too large to tell anything.
  CHECK(read > count / 20);
  CHECK(refused > count / 20);
  MESSAGE(read << " read, " << refused << " refused");
}
