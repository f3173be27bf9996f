// Elements have three name spaces, so that a hinge and the spring in it may share a name.
#pragma once

#include "stillpoint/authoring/element.h"
#include "stillpoint/names.h"

namespace stillpoint {

constexpr std::size_t name_book(unsigned laws) {
  if (laws & Law::residual) return 0;
  return laws & (Law::energy | Law::forces) ? 1 : 2;
}

constexpr const char* name_book_title(std::size_t book) {
  constexpr const char* titles[] = {"constraint", "force", "mass"};
  return titles[book];
}

/// The identifier of an element in its name space: the array, and the index there.
constexpr Names::Id element_id(std::size_t array, Index element) {
  return (static_cast<Names::Id>(array) << 32) | static_cast<Names::Id>(element);
}

constexpr std::size_t array_of_id(Names::Id id) { return static_cast<std::size_t>(id >> 32); }
constexpr Index element_of_id(Names::Id id) { return static_cast<Index>(id & 0x7fffffff); }

/// The identifier of a place in the name space of places, which plane and space share.
constexpr Names::Id first_in_space = Names::Id{1} << 32;
constexpr Names::Id place_id(Index marker, bool is_in_space) { return marker + (is_in_space ? first_in_space : 0); }

}  // namespace stillpoint
