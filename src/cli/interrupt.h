// The handling of signals that interrupt the tool.
#pragma once

namespace stillpoint::cli {

/// Installs a handler for SIGINT, SIGTERM and SIGHUP that removes partially written files, prints a message, and ends
/// the program with exit code 128 + signal number (130 for SIGINT). A signal that is ignored stays ignored.
void leave_nothing_half_written();

/// From now on SIGINT and SIGTERM end the work at the next step of a motion, and what there is is written.
void wait_for_the_next_step();
/// The signal that has arrived since; 0: none.
int interruption();

}  // namespace stillpoint::cli
