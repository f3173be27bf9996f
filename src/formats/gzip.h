// Compression by zlib (RFC 1952), base64 (RFC 4648), and arrays of numbers packed with both.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stillpoint {

/// Returns a gzip member without name and time, so that the same content gives the same bytes.
std::string gzip(std::string_view content);
/// The content of a gzip member. Throws Error if the bytes are no complete one.
std::string gunzip(std::string_view bytes);

std::string base64(std::string_view bytes);
/// Throws Error if the text is not base64.
std::string from_base64(std::string_view text);

/// An array in JSON: `{type, count, step, scale, gzip}`, where the integers are stored as differences along `step`,
/// modulo 2¹⁶, and `scale` has a factor for each of as many blocks.
nlohmann::ordered_json packed(const std::vector<std::int16_t>& values, std::size_t step,
                              const std::vector<double>& scale);
/// The same for numbers of single precision, as they are.
nlohmann::ordered_json packed(const std::vector<float>& values);

/// The numbers of such an array. Throws Error if it is none.
std::vector<double> unpacked(const nlohmann::ordered_json& array);

}  // namespace stillpoint
