// Validation of numbers and references in the builder.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "stillpoint/authoring/field.h"
#include "stillpoint/names.h"

namespace stillpoint {

/// Describes what is wrong with the numbers; empty if they are allowed.
std::string problem_with(Allowed allowed, std::span<const double> numbers);

/// Throws a FieldError that names the object and the field.
[[noreturn]] void refuse(std::string_view keyword, const Name& name, std::string_view field,
                         const std::string& problem);

/// Throws a FieldError if the numbers of a field are not allowed.
void require(std::string_view keyword, const Name& name, std::string_view field, std::initializer_list<double> numbers,
             Allowed allowed = Allowed::any);
void require_rotation(std::string_view keyword, const Name& name, const Rotation<double>& rotation);

/// Whether an element of this type asks for preload.
bool asks_for_preload(const ElementInfo& info, const void* element);

}  // namespace stillpoint
