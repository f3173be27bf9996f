// What can be seen of a conservative system from one shift, and how many of its eigenvalues lie below.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "modes/conservative_pencil.h"
#include "modes/shift_view.h"

namespace stillpoint {

struct ConservativePairs {
  Eigen::VectorXd mu;      ///< ascending
  Eigen::VectorXd error;   ///< what the search leaves; rounding is not in it
  Eigen::MatrixXd z;       ///< M-orthonormal, in columns
  Region region;           ///< all in it are here
  Index expected = 0;      ///< there
  Index before = 0;        ///< how many are less than all in it
  Index below = 0;         ///< how many less than zero are not in the region
  Index at_zero = 0;       ///< how many at zero are not in the region
  std::string doubt;       ///< empty: as many were found as there are
  bool is_settled = true;  ///< otherwise nothing is known but the doubt
  struct Hidden {
    Region region;
    Index count = 0;
  };
  Hidden hidden{};  ///< where most of those are that were not found

  Index size() const { return static_cast<Index>(mu.size()); }
  bool is_sure() const { return is_settled && doubt.empty(); }
  Eigen::MatrixXd vectors_in(const Region& part) const;
  Index count_in(const Region& part) const;
  void keep(const std::vector<Eigen::Index>& which);
};

using Progress = std::function<void(const std::string&)>;

class ConservativeShift {
 public:
  ConservativeShift(ConservativePencil& pencil, const Progress& progress) : pencil_(pencil), progress_(progress) {}

  double at() const { return shift_; }
  Index below() const { return pencil_.below(); }
  Index freedom() const { return pencil_.freedom(); }

  /// False if that is an eigenvalue to working precision.
  bool move_to(double sigma);
  /// There, or farther out if that is still too near to an eigenvalue.
  bool move_beside(double sigma);

  struct Count {
    Index below = 0;
    double at = 0;
  };
  /// There, or up to `outwards` times a million farther. Nothing if rounding hides the signs.
  std::optional<Count> count_below(double mu, double outwards);

  /// From so many start vectors, beside those that are `locked` (which must outlive it).
  LanczosBasis basis(Index columns, const Eigen::MatrixXd& locked, Index wanted);
  static Index capacity_for(Index wanted) { return std::max<Index>(2 * wanted + 12, 30); }

  /// Until the view is enough, nothing is left to be seen, or so many restarts did not make one more converge.
  ShiftView look(LanczosBasis& basis, Index wanted, int patience,
                 const std::function<bool(const ShiftView&)>& is_enough);

  /// Those in the region, but not what is so far from the shift that rounding of the solutions leaves little of it, nor
  /// what has a larger residual, relative.
  void take(const LanczosBasis& basis, const ShiftView& view, const Region& region, const Eigen::MatrixXd& locked,
            double most_residual, ConservativePairs& found);

 private:
  struct Polished {
    Eigen::VectorXd z;
    double theta = 0, residual = 0;
  };
  Eigen::MatrixXd images_of(const Eigen::MatrixXd& z) const;
  Polished polish(Eigen::VectorXd z, Eigen::VectorXd image, const Eigen::MatrixXd& locked);

  ConservativePencil& pencil_;
  const Progress& progress_;
  double shift_ = 0;
  std::optional<double> nothing_below_;  ///< K − μM is positive definite for all smaller μ, too, as M is semidefinite
  unsigned seed_ = 0;
};

/// How near the next eigenvalue is that is known or seen.
double nearest_to_shift(const ShiftView& view, const ConservativePairs& found);

}  // namespace stillpoint
