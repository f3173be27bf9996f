// The tool from outside: what it answers to arguments, as a shell sees it.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "support/error_texts.h"
#include "support/scratch_folder.h"

namespace stillpoint {

struct Answer {
  int code = -1;
  std::string out, err;
};

/// What the shell answers to a command, in which $TOOL is the tool.
inline Answer shell(const std::string& command) {
  const ScratchFolder folder;
  std::FILE* const pipe =
      popen(("TOOL='" STILLPOINT_TOOL "'\n{ " + command + "\n} 2>'" + folder / "err" + "' </dev/null").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Answer answer;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe)) answer.out.append(buffer, count);
  const int status = pclose(pipe);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  answer.err = content_of(folder / "err");
  return answer;
}

inline Answer run(const std::string& arguments) { return shell("\"$TOOL\" " + arguments); }

/// The folder of a case, as an argument.
inline std::string case_folder(const std::string& name) { return "'" STILLPOINT_SOURCE_DIR "/cases/" + name + "'"; }

/// A usage or input error: one line on stderr, nothing on stdout, exit code 2.
inline void check_refused(const std::string& arguments, const std::string& text) {
  CAPTURE(arguments);
  const Answer answer = run(arguments);
  CHECK(answer.code == 2);
  CHECK(answer.out == "");
  CHECK_MESSAGE(answer.err.starts_with("error: "), answer.err);
  CHECK_MESSAGE(std::count(answer.err.begin(), answer.err.end(), '\n') == 1, answer.err);
  CHECK_MESSAGE(contains(answer.err, text), answer.err);
}

}  // namespace stillpoint
