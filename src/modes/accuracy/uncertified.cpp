// The reasons for which a spectrum is not certified, in sentences.
#include "stillpoint/modes.h"

namespace stillpoint {

const char* to_words(Uncertified reason) {
  switch (reason) {
    case Uncertified::count_differs:
      return "not as many eigenvalues were found as must exist";
    case Uncertified::missing:
      return "more eigenvalues were counted in the region than were found there";
    case Uncertified::not_counted:
      return "the proof that no mode is missing was not asked for";
    case Uncertified::out_of_time:
      return "the time limit ended the search or the count";
    case Uncertified::instability_unbounded:
      return "nothing bounds the region where unstable eigenvalues may be";
    case Uncertified::sign_hidden:
      return "rounding hides the sign of some real parts";
    case Uncertified::classes_disagree:
      return "true and spurious eigenvalues cannot be separated";
    case Uncertified::rank_unclear:
      return "the rank of the mass or damping matrix is not clear from the numbers";
    case Uncertified::zeros_unclear:
      return "rounding hides which eigenvalues are zero";
    case Uncertified::edge_unclear:
      return "rounding may carry an eigenvalue across the edge of the region";
    case Uncertified::no_error_bound:
      return "an eigenvalue is so nearly defective that it has no finite error bound";
    case Uncertified::loose_error_bound:
      return "the error bound of an eigenvalue is nearly as large as the eigenvalue";
    case Uncertified::nearly_defective:
      return "eigenvalues nearly share their eigenvectors: error bounds of first order may be too short";
    case Uncertified::dependent_vectors:
      return "eigenvectors of nearly equal eigenvalues depend on each other";
    case Uncertified::large_residual:
      return "an eigenpair does not solve the bordered problem";
    case Uncertified::continuation_failed:
      return "a mode could not be continued into the penalty system, or not back";
    case Uncertified::from_uncertified:
      return "the modes that were continued into the penalty system are not certified";
  }
  return "";
}

bool questions_values(Uncertified reason) {
  switch (reason) {
    case Uncertified::missing:
    case Uncertified::not_counted:
    case Uncertified::out_of_time:
    case Uncertified::instability_unbounded:
    case Uncertified::sign_hidden:
    case Uncertified::classes_disagree:  // the filter itself calls the values in question undecided
    case Uncertified::edge_unclear:
    case Uncertified::large_residual:  // such a pair is not listed
    case Uncertified::from_uncertified:
      return false;
    default:
      return true;
  }
}

}  // namespace stillpoint
