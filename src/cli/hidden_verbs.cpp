#include "cli/hidden_verbs.h"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "base/whole_file.h"
#include "cli/completion.h"
#include "cli/man_pages.h"
#include "cli/verbs.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

constexpr const char *completion_verb = "__complete", *manual_verb = "__man";

/// Nobody waits for a completion for longer: then there is none, and no word about it. The second limit is for files
/// that do not answer.
void end_silently_if_it_takes_long() {
  constexpr unsigned most_work = 2, most_time = 10;  // seconds
  for (const int signal : {SIGPROF, SIGALRM}) std::signal(signal, [](int) { _exit(0); });
  const itimerval work{{0, 0}, {most_work, 0}};
  setitimer(ITIMER_PROF, &work, nullptr);
  alarm(most_time);
}

void print_completions(const CLI::App& app, const std::vector<std::string>& arguments) {
  end_silently_if_it_takes_long();
  deliver({}, completion_text(app, arguments));
}

void write_man_pages(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) throw Error("__man takes the folder for the manual pages, and nothing else");
  std::filesystem::create_directories(arguments[0]);
  for (const ManPage& page : man_pages(app))
    write_whole_file((std::filesystem::path(arguments[0]) / page.file).string(), page.content);
}

}  // namespace

bool is_hidden_verb(const std::vector<std::string>& words) {
  return !words.empty() && (words[0] == completion_verb || words[0] == manual_verb);
}

int run_hidden_verb(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  (words[0] == manual_verb ? write_man_pages : print_completions)(app, arguments);
  return 0;
}

}  // namespace stillpoint::cli
