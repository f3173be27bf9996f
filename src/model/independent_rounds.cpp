#include "model/independent_rounds.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr Index largest_part = 1024;  // elements

}  // namespace

// Each part takes the first round in which nothing else uses its coordinates. Beyond as many rounds as a word has bits,
// each takes a new one: there is one body, say, to which all are attached.
std::vector<std::vector<PartOfArray>> independent_rounds(const Model& model) {
  using Rounds = std::uint64_t;  // one bit for each
  constexpr std::size_t most_shared = 64;
  const Context context = model.context(model.initial_state());
  std::vector<Rounds> taken(at(model.coordinates()), 0);
  std::vector<std::vector<PartOfArray>> rounds;
  std::vector<Index> coordinates;
  for (const ModelArray& array : model.arrays()) {
    for (Index first = 0; first < array.elements->size(); first += largest_part) {
      const Index last = std::min(first + largest_part, array.elements->size());
      coordinates.clear();
      for (Index i = first; i < last; ++i) array.elements->add_coordinates(context, i, coordinates);
      Rounds used = 0;
      for (const Index i : coordinates) used |= taken[at(i)];
      const auto round = static_cast<std::size_t>(std::countr_one(used));
      if (round < most_shared) {
        for (const Index i : coordinates) taken[at(i)] |= Rounds{1} << round;
      }
      const std::size_t place = std::min(round < most_shared ? round : rounds.size(), rounds.size());
      if (place == rounds.size()) rounds.emplace_back();
      rounds[place].push_back({&array, {first, last}});
    }
  }
  return rounds;
}

}  // namespace stillpoint
