// The checksum of zip archives.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace stillpoint {

/// Returns the CRC-32 of ISO 3309 as used by zip, gzip and PNG: reflected, with the polynomial 0xEDB88320.
inline std::uint32_t crc32(std::string_view bytes) {
  static constexpr auto table = [] {
    std::array<std::uint32_t, 256> rests{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      rests[i] = i;
      for (int bit = 0; bit < 8; ++bit) rests[i] = rests[i] >> 1 ^ (rests[i] & 1 ? 0xEDB88320u : 0);
    }
    return rests;
  }();
  std::uint32_t sum = ~0u;
  for (const char byte : bytes) sum = sum >> 8 ^ table[(sum ^ static_cast<unsigned char>(byte)) & 0xFF];
  return ~sum;
}

}  // namespace stillpoint
