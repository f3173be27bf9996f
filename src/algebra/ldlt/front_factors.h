// Numerical multifrontal LDLᵀ factorisation with threshold pivoting [Duff & Reid 1983].
//
//   S A S = Σ L D Lᵀ over the fronts      A: n × n;  in a front L: size × count, unit lower trapezoidal,
//                                         and D: count × count
//
// A change of unknowns in a front (front_rotation.h) may take place between two of the terms.
#pragma once

#include <memory>
#include <vector>

#include "algebra/ldlt/block_store.h"
#include "algebra/ldlt/front_rotation.h"
#include "algebra/ldlt/front_tree.h"

namespace stillpoint {

/// The part of L and D that one front has eliminated.
struct FrontFactor {
  Index count = 0, size = 0;  ///< numbers of columns and rows of its part of L
  const Index* place =
      nullptr;  ///< place of each row (front_branches.h); the first `count` are eliminated in this front
  const double* diagonal = nullptr;  ///< diagonal of D; 0 for a pivot that counts as zero
  const double* below = nullptr;     ///< subdiagonal entry of D in the first column of a 2 × 2 block, otherwise 0.
                                     ///< Such a block has one eigenvalue of each sign.
  const double* L = nullptr;         ///< strictly lower part by columns; the diagonal is 1
};

/// What the fronts of one branch have eliminated.
struct BranchFactors {
  std::vector<FrontFactor> fronts;
  std::vector<FrontRotation> rotations;  ///< in the order in which they took place; usually none
  std::int64_t entries = 0;  ///< number of entries of L, with its unit diagonal, and of the vectors of the rotations
  std::int64_t delays = 0;   ///< number of times that an unknown was passed on to the parent front

  BlockStore<double> numbers;
  BlockStore<Index> places;
};

struct FrontFactors {
  const FrontBranches* branches = nullptr;  ///< those of the tree
  std::vector<BranchFactors> of_branches;
  std::unique_ptr<double[]> numbers;  ///< memory for those of all branches, if no unknown is delayed
  std::unique_ptr<Index[]> places;
  std::vector<double>
      other_errors;  ///< errors besides those of L D Lᵀ, as row sums by position; empty if there are none

  std::int64_t entries() const;
  std::int64_t delays() const;
};

/// Factors the matrix with the stored values `values`, whose pattern was analysed in `plan`, scaled from both sides by
/// `scale`; `largest` is the largest magnitude after scaling. Overwrites `factors` and reuses their memory; the tree
/// must outlive them. Throws Undecided if numbers overflow.
void factor_fronts(const FrontTree& plan, const double* values, const std::vector<double>& scale, double largest,
                   FrontFactors& factors);

}  // namespace stillpoint
