// The cryptographic hash SHA-256 (FIPS 180-4), by which a file is identified.
#pragma once

#include <string>
#include <string_view>

namespace stillpoint {

/// Returns the hash in 64 hexadecimal digits, as `sha256sum` prints it.
std::string sha256(std::string_view bytes);

}  // namespace stillpoint
