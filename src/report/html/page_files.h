// The files of the page, which src/page builds and this library carries.
#pragma once

#include <string_view>

namespace stillpoint {

struct PageFiles {
  std::string_view html, style, script;
};
PageFiles page_files();

}  // namespace stillpoint
