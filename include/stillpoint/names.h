// Names of things, "crank" or "B[3]" or "mass[4,7]", kept as rules and not as strings.
//
// A family ("B") with consecutive last indices and evenly spaced things is one run, whatever its length: the million
// points of a long mechanism cost a few words, and a string is made only when somebody asks for it.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stillpoint {

/// A name as it is looked up; `family` is only viewed.
struct Name {
  static constexpr std::size_t max_rank = 4;

  std::string_view family;
  std::size_t rank = 0;  ///< how many indices
  std::array<std::int64_t, max_rank> index{};

  Name() = default;
  /// From text such as "B[3]". Throws Error if it is not a name.
  Name(std::string_view text);                                     // NOLINT: names are written as text
  Name(const char* text) : Name(std::string_view(text)) {}         // NOLINT
  Name(const std::string& text) : Name(std::string_view(text)) {}  // NOLINT
  Name(std::string_view word, std::initializer_list<std::int64_t> indices);

  bool empty() const { return family.empty(); }
};

std::string to_string(const Name& name);

class Names {
 public:
  using Id = std::int64_t;

  /// Gives a thing its name; false if the name is taken.
  bool add(const Name& name, Id id);
  std::optional<Id> find(const Name& name) const;
  /// The name of a thing, or nothing if it has none.
  std::optional<std::string> name_of(Id id) const;
  /// Every family once, with an example index where it has indices: what an error may suggest.
  std::vector<std::string> examples() const;
  /// How many runs are kept; for tests of the promise above.
  std::size_t runs() const;

 private:
  struct Run {
    std::int64_t count;
    Id first;
    Id step;
  };
  using Runs = std::map<std::int64_t, Run>;                  // by the last index of the run's first name
  using Family = std::map<std::vector<std::int64_t>, Runs>;  // by the indices before the last
  std::map<std::string, Family, std::less<>> families_;
  std::map<std::string, Id, std::less<>> plain_;  // names without index
};

}  // namespace stillpoint
