// A search by Lanczos' method for the eigenvalues nearest to the shift of a conservative pencil. Two implementations
// exist, one with a basis of our own and one with the library Spectra; spectrum slicing needs no more than this of
// them.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "modes/supervision.h"
#include "modes/undamped/lanczos_view.h"

namespace stillpoint {

struct SlicingOptions {
  Supervision supervision{};
  bool spectra = false;  ///< Lanczos' method of the library Spectra in place of our own
};

class LanczosSearch {
 public:
  virtual ~LanczosSearch() = default;

  /// The search has nothing to find: all vectors are known, or no direction has mass.
  virtual bool is_complete() const = 0;
  /// Extends and restarts the basis until it shows enough, nothing is left, `patience` restarts brought no
  /// convergence, or the time is over.
  virtual LanczosView run(Index wanted, int patience, const std::function<bool(const LanczosView&)>& is_enough) = 0;
  /// Returns the vectors of the chosen pairs of the last view in columns. It ends the search, whose memory they take.
  virtual Eigen::MatrixXd take_vectors(const RitzPairs& pairs, const std::vector<Index>& which) = 0;
};

/// The number of basis vectors with which a search for that many eigenvalues works.
inline Index lanczos_capacity(Index wanted) { return std::max<Index>(2 * wanted + 12, 30); }

void report_basis(const Supervision& supervision, Index size);

/// Reports how many of the wanted eigenvalues have converged.
void report(const Supervision& supervision, const LanczosView& view, Index wanted);

}  // namespace stillpoint
