// Elements have three books of names, so that a hinge and the spring in it may share one.
#pragma once

#include "stillpoint/element.h"
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

/// What an element is called in its book: which array, and which element of it.
constexpr Names::Id element_id(std::size_t array, Index element) {
  return (static_cast<Names::Id>(array) << 32) | static_cast<Names::Id>(element);
}

constexpr std::size_t array_of_id(Names::Id id) { return static_cast<std::size_t>(id >> 32); }
constexpr Index element_of_id(Names::Id id) { return static_cast<Index>(id & 0x7fffffff); }

/// What a place is called in the book of places, which plane and space share.
constexpr Names::Id first_in_space = Names::Id{1} << 32;
constexpr Names::Id place_id(Index marker, bool is_in_space) { return marker + (is_in_space ? first_in_space : 0); }

}  // namespace stillpoint
