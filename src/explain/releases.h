// Joints with fewer equations, as candidates for the removal of redundant constraints.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "stillpoint/explanation.h"

namespace stillpoint::explanations {

/// Rows of J that one joint, or one row of a system without bodies, contributes.
struct ConstraintOwner {
  Index first_row = 0, rows = 1;
  Index array = -1, element = 0;  ///< −1: the bodies are not known
};

/// The owners of rows of J.
class RowOwners {
 public:
  explicit RowOwners(const AnalysisCase& analysis);
  ConstraintOwner owner_of(Index row) const;

 private:
  std::vector<ConstraintOwner> arrays_;  // rows: of all elements; element: rows of one
};

/// A release of one joint: the orthonormal columns of `released` are directions in its equations that are dropped.
struct ReleaseOption {
  ConstraintOwner owner;
  JointRelease words;
  Eigen::MatrixXd released;
  int rank = 0;  ///< 0: the joint becomes another joint; 1: an equation is dropped; 2: the joint is removed
};

/// The ways in which a joint can have fewer equations.
std::vector<ReleaseOption> release_options(const AnalysisCase& analysis, const ConstraintOwner& owner);

/// Choices that leave no redundancy among constraints with these null vectors (rows of J × redundancy) and the same
/// motions, to first order; simple ones first and each kind once. `most` choices at most.
std::vector<std::vector<ReleaseOption>> find_releases(const std::vector<ReleaseOption>& options,
                                                      const SparseMatrix& null_vectors, std::size_t most);

/// J without what is released.
SparseMatrix released_jacobian(const SparseMatrix& J, const std::vector<ReleaseOption>& chosen);

}  // namespace stillpoint::explanations
