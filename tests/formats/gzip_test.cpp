#include "formats/gzip.h"

#include <doctest/doctest.h>

#include <random>

#include "stillpoint/error.h"

using namespace stillpoint;

TEST_CASE("gzip: content of all kinds comes back, and long repetitions become short") {
  std::mt19937_64 engine(3);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{300000}}) {
    std::string content(size, 'x');
    for (std::size_t i = 0; i < size; i += 3) content[i] = static_cast<char>(engine());
    CHECK(gunzip(gzip(content)) == content);
    CHECK(from_base64(base64(content)) == content);
  }
  CHECK(gzip(std::string(100000, 'a')).size() < 300);
  CHECK(gzip("same").substr(4, 4) == std::string(4, '\0'));  // no time: the same content gives the same bytes
}

TEST_CASE("base64: the examples of RFC 4648") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK_THROWS_WITH_AS(from_base64("Zm9*"), "'*' is no character of base64", Error);
}

TEST_CASE("gzip: what is cut off is refused") {
  const std::string bytes = gzip("a sentence that is long enough");
  CHECK_THROWS_WITH_AS(gunzip(bytes.substr(0, bytes.size() - 3)), "these bytes are no complete gzip member", Error);
}

TEST_CASE("packed arrays: differences wrap around, and each block has its scale") {
  const std::vector<std::int16_t> values{-32767, 32767, 5, -7, 0, 1};
  const auto json = packed(values, 1, {2, 0.5});
  const std::vector<double> back = unpacked(json);
  CHECK(back == std::vector<double>{-65534, 65534, 10, -3.5, 0, 0.5});
  CHECK(unpacked(packed(std::vector<float>{1.5f, -2})) == std::vector<double>{1.5, -2});
}
