#include "formats/gzip.h"

#include <zlib.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

static_assert(std::endian::native == std::endian::little, "packed arrays are little-endian");

constexpr int gzip_header = 16;  // added to the size of the window it asks zlib for the format of gzip
constexpr int window = 15 + gzip_header;
constexpr int effort = 9;
constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

template <class Number>
std::string_view bytes_of(const std::vector<Number>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

template <class Number>
std::vector<Number> numbers_in(const std::string& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return numbers;
}

/// zlib takes its input by a pointer that is not const, and does not write to it.
Bytef* input(std::string_view bytes) { return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data())); }

}  // namespace

std::string gzip(std::string_view content) {
  z_stream stream{};
  if (deflateInit2(&stream, effort, Z_DEFLATED, window, 9, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, deflateEnd);
  std::string packed_bytes(deflateBound(&stream, static_cast<uLong>(content.size())), '\0');
  stream.next_in = input(content);
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed_bytes.data());
  stream.avail_out = static_cast<uInt>(packed_bytes.size());
  if (content.size() > std::numeric_limits<uInt>::max() || deflate(&stream, Z_FINISH) != Z_STREAM_END)
    throw Error("the content is too long to be compressed");
  packed_bytes.resize(stream.total_out);
  return packed_bytes;
}

std::string gunzip(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, window) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);
  stream.next_in = input(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string content;
  std::array<char, 1 << 16> part;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    status = inflate(&stream, Z_NO_FLUSH);
    if (status != Z_OK && status != Z_STREAM_END) throw Error("these bytes are no complete gzip member");
    content.append(part.data(), part.size() - stream.avail_out);
  }
  return content;
}

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? alphabet[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const std::size_t digit = alphabet.find(c);
    if (digit == std::string_view::npos) throw Error(std::string("'") + c + "' is no character of base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 255u);
  }
  return bytes;
}

nlohmann::ordered_json packed(const std::vector<std::int16_t>& values, std::size_t step,
                              const std::vector<double>& scale) {
  std::vector<std::uint16_t> differences(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto before = i < step ? std::uint16_t{0} : static_cast<std::uint16_t>(values[i - step]);
    differences[i] = static_cast<std::uint16_t>(static_cast<std::uint16_t>(values[i]) - before);
  }
  return {{"type", "int16"},
          {"count", values.size()},
          {"step", step},
          {"scale", scale},
          {"gzip", base64(gzip(bytes_of(differences)))}};
}

nlohmann::ordered_json packed(const std::vector<float>& values) {
  return {{"type", "float32"}, {"count", values.size()}, {"gzip", base64(gzip(bytes_of(values)))}};
}

std::vector<double> unpacked(const nlohmann::ordered_json& array) {
  const std::string bytes = gunzip(from_base64(array.at("gzip").get<std::string>()));
  const auto count = array.at("count").get<std::size_t>();
  std::vector<double> values;
  if (array.at("type") == "float32") {
    const auto numbers = numbers_in<float>(bytes);
    values.assign(numbers.begin(), numbers.end());
  } else if (array.at("type") == "int16") {
    auto sums = numbers_in<std::uint16_t>(bytes);
    const auto step = array.at("step").get<std::size_t>();
    for (std::size_t i = step; i < sums.size(); ++i) sums[i] = static_cast<std::uint16_t>(sums[i] + sums[i - step]);
    for (const std::uint16_t each : sums) values.push_back(static_cast<std::int16_t>(each));
  }
  if (values.size() != count) throw Error("a packed array does not have as many numbers as it says");
  if (!array.contains("scale") || count == 0) return values;
  const auto scale = array.at("scale").get<std::vector<double>>();
  if (scale.empty() || count % scale.size() != 0) throw Error("the scales of a packed array do not divide it");
  for (std::size_t i = 0; i < count; ++i) values[i] *= scale[i / (count / scale.size())];
  return values;
}

}  // namespace stillpoint
