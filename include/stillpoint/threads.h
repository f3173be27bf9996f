// The maximum number of threads. The results are bit-identical for any number.
#pragma once

namespace stillpoint {

/// Returns the number set by set_most_threads(); otherwise the environment variable STILLPOINT_THREADS; otherwise the
/// number of processors available to the process. Throws Error if the environment variable is not a number from 1 to
/// 1024.
int most_threads();
/// Sets the number, from 1 on; 0 restores the default. It must not be called while the library is computing.
void set_most_threads(int count);

}  // namespace stillpoint
