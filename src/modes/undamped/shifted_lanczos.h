// Shift-and-invert Lanczos method with thick restart [Wu & Simon 2000] for a conservative system at one shift, and the
// number of its eigenvalues below the shift. On request the method of the library Spectra takes the place of our own.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "modes/undamped/conservative_pencil.h"
#include "modes/undamped/lanczos_search.h"

namespace stillpoint {

struct ConservativePairs {
  Eigen::VectorXd mu;        ///< ascending
  Eigen::VectorXd error;     ///< of the search, without rounding
  Eigen::MatrixXd z;         ///< M-orthonormal, in columns of all unknowns, also where there are none
  Region region;             ///< region in which all eigenvalues were searched for
  Index expected = 0;        ///< number of eigenvalues in the region
  Index before = 0;          ///< number of eigenvalues below the region
  Index below = 0;           ///< number of negative eigenvalues outside the region
  Index at_zero = 0;         ///< number of zero eigenvalues outside the region
  std::string uncertainty;   ///< empty if as many were found as exist
  bool is_converged = true;  ///< false: nothing is known but the reason in `uncertainty`
  bool is_out_of_time = false;
  struct Hidden {
    Region region;
    Index count = 0;
  };
  Hidden hidden{};  ///< the part of the region with most of the missing eigenvalues

  Index size() const { return static_cast<Index>(mu.size()); }
  bool is_certified() const { return is_converged && uncertainty.empty(); }
  Eigen::MatrixXd vectors_in(const Region& part) const;
  Index count_in(const Region& part) const;
  void keep(const std::vector<Eigen::Index>& which);
};

class ConservativeShift {
 public:
  /// Both must outlive the object.
  ConservativeShift(ConservativePencil& pencil, const SlicingOptions& options) : pencil_(pencil), options_(options) {}

  double at() const { return shift_; }
  Index below() const { return pencil_.below(); }
  Index dof() const { return pencil_.dof(); }
  /// The start of a result: of no pairs.
  ConservativePairs no_pairs() const {
    ConservativePairs none;
    none.z.resize(pencil_.size(), 0);
    return none;
  }

  /// Returns false if sigma is an eigenvalue to working precision.
  bool move_to(double sigma);
  /// Shifts to sigma, or farther from zero if an eigenvalue is too near.
  bool move_beside(double sigma);

  struct Count {
    Index below = 0;
    double at = 0;
  };
  /// Counts the eigenvalues below mu, or below a place up to 10⁶ times `outwards` farther on. Returns nothing if
  /// rounding hides the signs of the pivots.
  std::optional<Count> count_below(double mu, double outwards);

  /// Starts a search with `columns` vectors, M-orthogonal to the `locked` ones, which must outlive it.
  std::unique_ptr<LanczosSearch> lanczos(Index columns, const Eigen::MatrixXd& locked, Index wanted);

  /// Ends the search and adds its converged pairs in the region to those found, except values so far from the shift
  /// that rounding of the solutions leaves little of them, and pairs with a relative residual above `most_residual`.
  void take(LanczosSearch& search, const LanczosView& view, const Region& region, const Eigen::MatrixXd& locked,
            double most_residual, ConservativePairs& found);

 private:
  struct Polished {
    Eigen::VectorXd z;
    double theta = 0, residual = 0;
  };
  Eigen::VectorXd random();
  Eigen::MatrixXd images_of(const Eigen::MatrixXd& z) const;
  Polished polish(Eigen::VectorXd z, Eigen::VectorXd image, const Eigen::MatrixXd& locked);

  ConservativePencil& pencil_;
  const SlicingOptions& options_;
  double shift_ = 0;
  std::optional<double> nothing_below_;  ///< K − μM is positive definite for all smaller μ too, as M is semidefinite
  unsigned seed_ = 0;
};

/// Returns the distance from the shift to the nearest known or visible eigenvalue.
double nearest_to_shift(const LanczosView& view, const ConservativePairs& found);

}  // namespace stillpoint
