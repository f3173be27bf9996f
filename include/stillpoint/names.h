// Names such as "crank", "B[3]" or "mass[4,7]", stored as rules instead of strings.
//
// A family ("B") whose last indices are consecutive and whose identifiers are evenly spaced is stored as one run,
// whatever its length. The million points of a long mechanism take a few words of memory; a string is made only on
// request.
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

/// A name for lookup; `family` is a view into the caller's text.
struct Name {
  static constexpr std::size_t max_rank = 4;

  std::string_view family;
  std::size_t rank = 0;  ///< number of indices
  std::array<std::int64_t, max_rank> index{};

  Name() = default;
  /// Parses a text such as "B[3]". Throws Error if it is not a name.
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

  /// Assigns a name to an identifier; false if the name exists already.
  bool add(const Name& name, Id id);
  std::optional<Id> find(const Name& name) const;
  /// Returns the name of an identifier, or nothing if it has none.
  std::optional<std::string> name_of(Id id) const;
  /// Returns one example of every family, with an index where it has indices, for suggestions in error messages.
  std::vector<std::string> examples() const;
  /// Returns the number of stored runs, for tests of the memory use.
  std::size_t runs() const;

 private:
  struct Run {
    std::int64_t count;
    Id first;
    Id step;
  };
  using Runs = std::map<std::int64_t, Run>;                  // keyed by the last index of the first name of a run
  using Family = std::map<std::vector<std::int64_t>, Runs>;  // keyed by the indices before the last
  std::map<std::string, Family, std::less<>> families_;
  std::map<std::string, Id, std::less<>> plain_;  // names without an index
};

}  // namespace stillpoint
