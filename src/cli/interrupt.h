// What the tool does when it is interrupted.
#pragma once

namespace stillpoint::cli {

/// From now on SIGINT, SIGTERM and SIGHUP remove files that are half written, say so, and end the program with 128 and
/// the number of the signal: 130 for SIGINT. Signals that are ignored stay so.
void leave_nothing_half_written();

}  // namespace stillpoint::cli
