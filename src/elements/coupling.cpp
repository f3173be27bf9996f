#include "stillpoint/elements/coupling.h"

#include "stillpoint/detail/element_array.h"

namespace stillpoint {

const ElementInfo& Coupling::info() {
  static const ElementInfo info{
      "coupling",
      "A linear relation between coordinates: gear, rack, differential, or a locked coordinate.",
      "Σ factor · coordinate − value = 0",
      {field<&Coupling::coordinates>("coordinates", "", "up to six coordinates"),
       field<&Coupling::factors>("factors", "", "as many factors").must_be(Allowed::not_all_zero),
       field<&Coupling::value>("value", "", "what the sum equals").optional("0")}};
  return info;
}

const char* Coupling::problem() const {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const bool has_factor = factors[i] == factors[i];
    const bool has_coordinate = coordinates[i].coordinate != nothing;
    if (has_coordinate && i > 0 && coordinates[i - 1].coordinate == nothing) return "has a gap among its coordinates";
    // A list in C++ that is shorter than the array is followed by zeros.
    if (has_coordinate ? !has_factor : has_factor && factors[i] != 0) return "needs as many factors as coordinates";
  }
  return nullptr;
}

template std::shared_ptr<ElementArrayBase> new_element_array<Coupling>();

}  // namespace stillpoint
