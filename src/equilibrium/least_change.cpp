#include "equilibrium/least_change.h"

#include <Eigen/Dense>

namespace stillpoint {

namespace {

constexpr double independent = 1e-10;

}  // namespace

std::optional<LeastChange> least_change(Statics& statics, const Matrices& at, const Eigen::VectorXd& r,
                                        const SparseMatrix& B) {
  const double energy = statics.energy();
  if (!statics.factor_metric(at)) return {};
  Eigen::MatrixXd pushes(statics.n(), B.cols());
  for (Index k = 0; k < B.cols(); ++k) {
    const Eigen::VectorXd column = B.col(k);
    pushes.col(k) = statics.solve_for_coordinates(statics.scales().s.cwiseProduct(column)) * energy;
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(independent);
  decomposition.compute(pushes);
  return LeastChange{decomposition.solve(-r), static_cast<Index>(pushes.cols() - decomposition.rank())};
}

std::string worst_coordinate(const Statics& statics, const Point& point) {
  if (statics.n() == 0) return {};
  Index worst = 0;
  point.r.cwiseAbs().maxCoeff(&worst);
  return statics.model().coordinate_name(worst);
}

}  // namespace stillpoint
