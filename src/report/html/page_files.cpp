#include "report/html/page_files.h"

// The assembler copies a file into the library and marks its ends; CMake names the folder.
#define STILLPOINT_CARRY(name, file)                                    \
  asm(".pushsection .rodata\n"                                          \
      ".global stillpoint_page_" #name "_begin\nstillpoint_page_" #name \
      "_begin:\n"                                                       \
      ".incbin \"" STILLPOINT_PAGE_FOLDER "/" file                      \
      "\"\n"                                                            \
      ".global stillpoint_page_" #name "_end\nstillpoint_page_" #name   \
      "_end:\n.byte 0\n"                                                \
      ".popsection\n");                                                 \
  extern "C" const char stillpoint_page_##name##_begin[], stillpoint_page_##name##_end[]

STILLPOINT_CARRY(html, "page.html");
STILLPOINT_CARRY(style, "report.css");
STILLPOINT_CARRY(script, "report.js");

namespace stillpoint {

namespace {

/// The content of a file without the line end after its last line.
std::string_view content_between(const char* begin, const char* end) {
  std::string_view content(begin, static_cast<std::size_t>(end - begin));
  if (content.ends_with('\n')) content.remove_suffix(1);
  return content;
}

}  // namespace

PageFiles page_files() {
  return {content_between(stillpoint_page_html_begin, stillpoint_page_html_end),
          content_between(stillpoint_page_style_begin, stillpoint_page_style_end),
          content_between(stillpoint_page_script_begin, stillpoint_page_script_end)};
}

}  // namespace stillpoint
