// The matrices of a linear system by name, and what their rows and columns count.
#pragma once

#include <array>

#include "stillpoint/linear_system.h"

namespace stillpoint {

enum class Count { coordinates, constraints, inputs, outputs };

inline constexpr std::array all_counts{Count::coordinates, Count::constraints, Count::inputs, Count::outputs};

constexpr const char* to_word(Count count) {
  return std::array{"coordinates", "constraints", "inputs", "outputs"}[static_cast<std::size_t>(count)];
}

struct MatrixInfo {
  const char* name;
  SparseMatrix LinearSystem::*matrix;
  Count rows, columns;
};

inline constexpr std::array<MatrixInfo, 11> matrix_table{{
    {"M", &LinearSystem::M, Count::coordinates, Count::coordinates},
    {"C", &LinearSystem::C, Count::coordinates, Count::coordinates},
    {"K", &LinearSystem::K, Count::coordinates, Count::coordinates},
    {"J", &LinearSystem::J, Count::constraints, Count::coordinates},
    {"F", &LinearSystem::F, Count::coordinates, Count::inputs},
    {"G", &LinearSystem::G, Count::constraints, Count::inputs},
    {"Hq", &LinearSystem::Hq, Count::outputs, Count::coordinates},
    {"Hv", &LinearSystem::Hv, Count::outputs, Count::coordinates},
    {"Ha", &LinearSystem::Ha, Count::outputs, Count::coordinates},
    {"Hl", &LinearSystem::Hl, Count::outputs, Count::constraints},
    {"Hu", &LinearSystem::Hu, Count::outputs, Count::inputs},
}};

}  // namespace stillpoint
