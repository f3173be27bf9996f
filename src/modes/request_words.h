// The words and sizes by which users ask for modes, on the command line and in Python.
#pragma once

#include <array>
#include <utility>

#include "stillpoint/find_modes.h"

namespace stillpoint {

inline constexpr Index lists_all_up_to = 2000;  ///< of 2n + m: all eigenvalues are of interest
inline constexpr Index lowest_for_damping = 100;

inline constexpr std::array<std::pair<const char*, NullSpaceBasis>, 8> basis_words{
    {{"partition", NullSpaceBasis::partition},
     {"projective", NullSpaceBasis::projective},
     {"lu", NullSpaceBasis::lu},
     {"svd", NullSpaceBasis::svd},
     {"qr", NullSpaceBasis::qr},
     {"gram_schmidt", NullSpaceBasis::gram_schmidt},
     {"zero_eigenvalue", NullSpaceBasis::zero_eigenvalue},
     {"topological", NullSpaceBasis::topological}}};

inline constexpr std::array<std::pair<const char*, EngineChoice>, 5> engine_words{{{"auto", EngineChoice::automatic},
                                                                                   {"dense", EngineChoice::dense},
                                                                                   {"qz", EngineChoice::qz},
                                                                                   {"sparse", EngineChoice::sparse},
                                                                                   {"spectra", EngineChoice::spectra}}};

}  // namespace stillpoint
