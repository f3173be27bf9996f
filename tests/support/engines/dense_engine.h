// A small engine for the tests: dense LAPACK, no MPI. It knows the folder of docs/engines.md and nothing of our code.
#pragma once

#include <string>

namespace stillpoint::testing {

/// What an engine may do wrong.
enum class Misdeed {
  none,
  drop_a_mode,                  ///< one of the modes is not in the answer
  spoil_a_vector,               ///< one vector is not an eigenvector
  repeat_a_mode,                ///< one mode is given twice in place of another
  give_one_of_two_real_values,  ///< and that with an imaginary part that is rounding
  no_inertia
};

/// Answers the request in the folder.
void run_dense_engine(const std::string& folder, Misdeed misdeed = Misdeed::none);

}  // namespace stillpoint::testing
