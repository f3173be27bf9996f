// An explanation as text for a terminal, in 30 lines at most.

#include <fmt/format.h>

#include <algorithm>

#include "report/mode_table.h"
#include "stillpoint/explanation.h"

namespace stillpoint {

namespace {

constexpr std::ptrdiff_t most_lines = 30;

std::ptrdiff_t lines_in(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

/// A block of so many lines at most: what does not fit is counted.
std::string block_text(const ExplanationBlock& block, std::ptrdiff_t most) {
  std::string text = summary_line(key_of(block.topic), block.title);
  const std::string more = summary_line("more", block.more);
  const std::ptrdiff_t reserved = lines_in(more) + 1;
  std::size_t shown = 0;
  for (; shown < block.sentences.size(); ++shown) {
    const std::string sentence = summary_line("", block.sentences[shown]);
    if (lines_in(text) + lines_in(sentence) + reserved > most) break;
    text += sentence;
  }
  if (shown < block.sentences.size())
    text += summary_line("", fmt::format("({} more with 'explain --json' or the topic '{}' alone)",
                                         block.sentences.size() - shown, key_of(block.topic)));
  return text + more;
}

}  // namespace

std::string to_text(const Explanation& explanation) {
  const std::vector<ExplanationBlock> blocks = in_words(explanation);
  std::string text = explanation.model + "\n";
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto open = static_cast<std::ptrdiff_t>(blocks.size() - k);
    text += block_text(blocks[k], (most_lines - lines_in(text)) / open);
  }
  return text;
}

}  // namespace stillpoint
