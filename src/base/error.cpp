#include "stillpoint/error.h"

#include <algorithm>
#include <numeric>

namespace stillpoint {

std::string to_string(const SourcePlace& place) {
  if (place.file.empty() && place.line == 0) return "";
  std::string text = place.file;
  if (place.line > 0) {
    if (!text.empty()) text += ':';
    text += std::to_string(place.line) + ':' + std::to_string(place.column);
  }
  return text + ": ";
}

namespace {

// Returns the Levenshtein distance: the least number of insertions, deletions and substitutions that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above + 1, row[j - 1] + 1});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t least =
      std::min(word.size() / 3 + 2, word.size() / 2 + 1);  // at this distance it is another word, not a typing error
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word.substr(0, 100), candidate);
    if (distance < least) {
      least = distance;
      nearest = &candidate;
    }
  }
  return nearest ? " (did you mean '" + *nearest + "'?)" : "";
}

}  // namespace stillpoint
