// On how many threads the library works at most. Results are the same bits, whatever the number is.
#pragma once

namespace stillpoint {

/// As set; if nothing was, as the environment says (STILLPOINT_THREADS); if it does not, as many as there are
/// processors for this process. Throws Error if the environment holds something else than a number from 1 to 1024.
int most_threads();
/// From 1 on; 0: nothing is set. Not while the library is at work.
void set_most_threads(int count);

}  // namespace stillpoint
