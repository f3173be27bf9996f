// How often something is drawn.
#pragma once

#include <cstdlib>

namespace stillpoint {

/// Whether all is drawn, which takes minutes or hours, and told on standard output.
inline bool is_campaign() { return std::getenv("STILLPOINT_CAMPAIGN") != nullptr; }

/// Sanitizers make numerical work about eight times slower, and look for other faults than rare numbers show.
constexpr int draws(int usual, [[maybe_unused]] int sanitized) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return sanitized;
#endif
#endif
  return usual;
}

}  // namespace stillpoint
