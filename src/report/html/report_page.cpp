// The page: its files and its data, put together.

#include <charconv>
#include <string_view>

#include "base/sha256.h"
#include "formats/gzip.h"
#include "report/html/page_data.h"
#include "report/html/page_files.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

std::string bytes_in(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    unsigned byte = 0;
    std::from_chars(hexadecimal.data() + i, hexadecimal.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

/// In a script element text ends at "</script" and a comment begins at "<!--": so no "<" may stand there.
std::string without_markup(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') text += "\\u003c";
    else text += c;
  }
  return text;
}

std::string escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

/// Appends the template up to a mark, then what takes its place; `rest` is what follows.
void fill(std::string& page, std::string_view& rest, std::string_view mark, std::string_view content) {
  const std::size_t place = rest.find(mark);
  if (place == std::string_view::npos) throw Error("the template of the page lacks " + std::string(mark));
  page += rest.substr(0, place);
  page += content;
  rest.remove_prefix(place + mark.size());
}

}  // namespace

std::string page_data(const AnalysisCase& analysis, const Comparison& comparison, const PageContent& content,
                      const PageOptions& options) {
  return page_json(analysis, comparison, content, options).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string report_page(const AnalysisCase& analysis, const Comparison& comparison, const PageContent& content,
                        const PageOptions& options) {
  const PageFiles files = page_files();
  const std::string data = without_markup(page_data(analysis, comparison, content, options));
  std::string page;
  std::string_view rest = files.html;
  fill(page, rest, "@SCRIPT_HASH@", "sha256-" + base64(bytes_in(sha256(files.script))));
  fill(page, rest, "@TITLE@", escaped(analysis.system.name + ": " + in_words(comparison.verdict)));
  fill(page, rest, "@STYLE@", files.style);
  fill(page, rest, "@DATA@", data);
  fill(page, rest, "@SCRIPT@", files.script);
  page += rest;
  return page + "\n";
}

}  // namespace stillpoint
