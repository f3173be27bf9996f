#include "cli/interrupt.h"

#include <unistd.h>

#include <csignal>

#include "base/unfinished.h"
#include "cli/complaint.h"

namespace stillpoint::cli {

namespace {

extern "C" void on_interrupt(int signal) {
  if (postpone_interruption(signal)) return;
  remove_unfinished();
  print_to_stderr("interrupted: no file is left half written\n");
  _exit(128 + signal);
}

volatile std::sig_atomic_t arrived = 0;

extern "C" void on_wait(int signal) {
  if (arrived != 0) on_interrupt(signal);  // who asks twice does not want to wait
  arrived = signal;
}

}  // namespace

void wait_for_the_next_step() {
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    now.sa_handler = on_wait;
    sigaction(signal, &now, nullptr);
  }
}

int interruption() { return arrived; }

void leave_nothing_half_written() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) continue;
    now.sa_handler = on_interrupt;
    now.sa_flags |= SA_RESTART;  // where the interruption is postponed
    sigaction(signal, &now, nullptr);
  }
  // A file that becomes larger than is allowed is then an error of the write (EFBIG).
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace stillpoint::cli
