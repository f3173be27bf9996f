#include "cli/hidden_verbs.h"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>

#include "cli/completion.h"
#include "cli/verbs.h"

namespace stillpoint::cli {

namespace {

constexpr const char* completion_verb = "__complete";

/// Nobody waits for a completion for longer: then there is none, and no word about it. The second limit is for files
/// that do not answer.
void end_silently_if_it_takes_long() {
  constexpr unsigned most_work = 2, most_time = 10;  // seconds
  for (const int signal : {SIGPROF, SIGALRM}) std::signal(signal, [](int) { _exit(0); });
  const itimerval work{{0, 0}, {most_work, 0}};
  setitimer(ITIMER_PROF, &work, nullptr);
  alarm(most_time);
}

}  // namespace

bool is_hidden_verb(const std::vector<std::string>& words) { return !words.empty() && words[0] == completion_verb; }

int run_hidden_verb(const CLI::App& app, const std::vector<std::string>& words) {
  end_silently_if_it_takes_long();
  deliver({}, completion_text(app, {words.begin() + 1, words.end()}));
  return 0;
}

}  // namespace stillpoint::cli
