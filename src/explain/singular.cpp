// Singular configurations: the rank here, and along each branch of motions.

#include <set>

#include "explain/topics.h"

namespace stillpoint::explanations {

SingularityExplanation explain_singular(const AnalysisCase& analysis) {
  const LinearSystem& system = analysis.system;
  SingularityExplanation found;
  found.constraints = system.constraints();
  found.rank = system.rank();
  found.dof = system.dof();
  found.decision = system.rows.rank;
  found.kind = analysis.rest     ? analysis.rest->kind
               : system.singular ? ConfigurationType::singular
                                 : ConfigurationType::regular;
  if (!system.singular) return found;

  std::set<Index> rows;
  for (Index j = 0; j < system.rows.null_vectors.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(system.rows.null_vectors, j); entry; ++entry)
      rows.insert(static_cast<Index>(entry.row()));
  }
  for (const Index row : rows) {
    if (static_cast<Index>(found.constraints_that_depend.size()) == RedundantGroup::most_names) break;
    found.constraints_that_depend.push_back(system.constraint_name(row));
  }
  if (analysis.rest) {
    for (const Branch& branch : analysis.rest->branches)
      found.branches.push_back({branch.name, static_cast<Index>(branch.tangents.cols()), branch.confirmed, branch.rank,
                                branch.unstable_directions, branch.neutral_directions});
  } else {
    for (const MotionBranch& branch : system.branches)
      found.branches.push_back({branch.name, static_cast<Index>(branch.tangents.cols()), false, 0, -1, -1});
  }
  return found;
}

}  // namespace stillpoint::explanations
