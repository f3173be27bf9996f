#include "stillpoint/names.h"

#include <algorithm>
#include <charconv>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

bool is_word(std::string_view text) {
  if (text.empty()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (!letter && !(digit && i > 0)) return false;
  }
  return true;
}

}  // namespace

Name::Name(std::string_view text) {
  const std::size_t bracket = text.find('[');
  family = text.substr(0, bracket);
  bool good = is_word(family) && (bracket == std::string_view::npos || text.back() == ']');
  if (good && bracket != std::string_view::npos) {
    const char* p = text.data() + bracket;
    const char* const end = text.data() + text.size();
    while (good && *p != ']') {
      std::int64_t value = 0;
      const auto [next, error] = std::from_chars(p + 1, end, value);
      good = error == std::errc() && rank < max_rank && (*next == ',' || (*next == ']' && next + 1 == end));
      if (good) index[rank++] = value;
      p = next;
    }
  }
  if (!good) {
    throw Error("'" + std::string(text) +
                "' is not a name; allowed are a letter or '_' followed by letters, digits and " +
                "'_', and up to four indices as in crank[3] or mass[2,5]");
  }
}

Name::Name(std::string_view word, std::initializer_list<std::int64_t> indices) : family(word), rank(indices.size()) {
  if (rank > max_rank) throw Error("'" + std::string(word) + "' has more than four indices");
  std::copy(indices.begin(), indices.end(), index.begin());
}

std::string to_string(const Name& name) {
  std::string text(name.family);
  for (std::size_t i = 0; i < name.rank; ++i) {
    text += i == 0 ? '[' : ',';
    text += std::to_string(name.index[i]);
  }
  if (name.rank > 0) text += ']';
  return text;
}

namespace {

// Returns the indices before the last, such as the row in a grid. For a one-dimensional series the vector is empty and
// allocates nothing.
std::vector<std::int64_t> prefix_of(const Name& name) {
  return {name.index.begin(), name.index.begin() + static_cast<std::ptrdiff_t>(name.rank) - 1};
}

Name make_name(std::string_view family, const std::vector<std::int64_t>& prefix, std::int64_t last) {
  Name name;
  name.family = family;
  name.rank = prefix.size() + 1;
  std::copy(prefix.begin(), prefix.end(), name.index.begin());
  name.index[prefix.size()] = last;
  return name;
}

}  // namespace

bool Names::add(const Name& name, Id id) {
  if (name.rank == 0) return plain_.emplace(name.family, id).second;

  auto family = families_.find(name.family);
  if (family == families_.end()) family = families_.emplace(name.family, Family()).first;
  Runs& runs = family->second[prefix_of(name)];
  const std::int64_t index = name.index[name.rank - 1];

  auto after = runs.upper_bound(index);
  if (after != runs.begin()) {
    const auto before = std::prev(after);
    Run& run = before->second;
    const std::int64_t offset = index - before->first;
    if (offset < run.count) return false;
    if (offset == run.count && run.count == 1 && id != run.first) run.step = id - run.first;
    if (offset == run.count && run.step != 0 && id == run.first + run.count * run.step) {
      ++run.count;
      return true;
    }
  }
  // In a loop that counts down, the run above is extended at its beginning.
  if (after != runs.end() && after->first - 1 == index) {
    Run run = after->second;
    if (run.count == 1) run.step = run.first - id;
    if (run.step != 0 && id == run.first - run.step) {
      auto node = runs.extract(after);
      node.key() = index;
      node.mapped() = {run.count + 1, id, run.step};
      runs.insert(std::move(node));
      return true;
    }
  }
  runs.emplace_hint(after, index, Run{1, id, 0});
  return true;
}

std::optional<Names::Id> Names::find(const Name& name) const {
  if (name.rank == 0) {
    const auto found = plain_.find(name.family);
    return found == plain_.end() ? std::nullopt : std::optional(found->second);
  }
  const auto family = families_.find(name.family);
  if (family == families_.end()) return std::nullopt;
  const auto runs = family->second.find(prefix_of(name));
  if (runs == family->second.end()) return std::nullopt;
  const auto after = runs->second.upper_bound(name.index[name.rank - 1]);
  if (after == runs->second.begin()) return std::nullopt;
  const auto& [begin, run] = *std::prev(after);
  const std::int64_t offset = name.index[name.rank - 1] - begin;
  if (offset >= run.count) return std::nullopt;
  return run.first + offset * run.step;
}

std::optional<std::string> Names::name_of(Id id) const {
  for (const auto& [word, own] : plain_) {
    if (own == id) return word;
  }
  for (const auto& [word, family] : families_) {
    for (const auto& [prefix, runs] : family) {
      for (const auto& [begin, run] : runs) {
        const Id distance = id - run.first;
        const Id offset = run.count == 1 ? 0 : distance / run.step;
        if (offset < 0 || offset >= run.count || offset * run.step != distance) continue;
        return to_string(make_name(word, prefix, begin + offset));
      }
    }
  }
  return std::nullopt;
}

std::vector<std::string> Names::examples() const {
  std::vector<std::string> words;
  for (const auto& [word, id] : plain_) words.push_back(word);
  for (const auto& [word, family] : families_) {
    const auto& [prefix, runs] = *family.begin();
    words.push_back(to_string(make_name(word, prefix, runs.begin()->first)));
  }
  return words;
}

std::size_t Names::runs() const {
  std::size_t count = plain_.size();
  for (const auto& [word, family] : families_) {
    for (const auto& [prefix, runs] : family) count += runs.size();
  }
  return count;
}

}  // namespace stillpoint
