#include "stillpoint/authoring/field.h"

namespace stillpoint {

std::string allowed_counts(const Field& field) {
  const std::string least = std::to_string(field.least);
  if (field.least == field.most) return least;
  return least + (field.step > 1 ? " or " : " to ") + std::to_string(field.most);
}

}  // namespace stillpoint
