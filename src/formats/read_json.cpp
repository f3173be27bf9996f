#include "formats/read_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/read_text.h"
#include "stillpoint/error.h"

namespace stillpoint {

nlohmann::ordered_json read_json(const std::string& path) {
  using Json = nlohmann::ordered_json;
  constexpr std::size_t largest = std::size_t{4} << 30;
  static constexpr int deepest = 50;
  const auto limit_depth = [&path](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) throw Error({path, 0, 0}, fmt::format("is nested more than {} levels deep", deepest));
    return true;
  };
  try {
    return Json::parse(read_text(path, largest), limit_depth);
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();  // "[json.exception.parse_error.101] parse error at line 1, ..."
    throw Error({path, 0, 0},
                "is not valid JSON: " + std::string(what.substr(std::min(what.size(), what.find("] ") + 2))));
  }
}

}  // namespace stillpoint
