// One linear system in several forms, theory (13.5). References: KKT and range space [Udwadia & Kalaba 1992]; null
// space by coordinate partitioning [Wehage & Haug 1982], [Blajer 1994]; spanning tree with cut joints [Mufti 1983];
// stabilization [Baumgarte 1972]; penalty [González 2017].
#pragma once

#include <optional>

#include "motion/equations_of_motion.h"

namespace stillpoint {

/// Solves by any form but the augmented one and Baumgarte's, which MotionKkt solves. Throws Error with a name if the
/// form cannot be used, and Undecided if a motion has no inertia.
Accelerations solve_by_form(const Model& model, const State& state, const EquationsOfMotion& equations,
                            const FormOptions& form);

/// ‖J v̇ − c‖ relative to the size of its terms, the largest row.
double residual_of(const EquationsOfMotion& equations, const Eigen::VectorXd& a);

/// Solves [M, Jᵀ; J, 0] for independent rows of J. Returns nothing if a motion has no inertia.
std::optional<Accelerations> solve_kkt(const SparseMatrix& M, const SparseMatrix& J, const Eigen::VectorXd& b,
                                       const Eigen::VectorXd& c);

/// Some rows of a matrix.
SparseMatrix rows_of(const SparseMatrix& J, const std::vector<Index>& rows);

}  // namespace stillpoint
