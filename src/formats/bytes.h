// The binary representation of numbers in memory, for little-endian file formats.
#pragma once

#include <bit>
#include <cstring>
#include <string>

#include "base/at.h"

namespace stillpoint {

static_assert(std::endian::native == std::endian::little);

template <class T>
std::string bytes_of(const T* first, std::int64_t count) {
  std::string bytes(at(count) * sizeof(T), '\0');
  if (count > 0) std::memcpy(bytes.data(), first, bytes.size());
  return bytes;
}

template <class Container>
std::string bytes_of(const Container& values) {
  return bytes_of(values.data(), static_cast<std::int64_t>(values.size()));
}

template <class T>
void put(std::string& to, T value) {
  to += bytes_of(&value, 1);
}

}  // namespace stillpoint
