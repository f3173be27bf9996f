// The handling of signals that interrupt the tool.
#pragma once

namespace stillpoint::cli {

/// Installs a handler for SIGINT, SIGTERM and SIGHUP that removes partially written files, prints a message, and ends
/// the program with exit code 128 + signal number (130 for SIGINT). A signal that is ignored stays ignored.
void leave_nothing_half_written();

}  // namespace stillpoint::cli
