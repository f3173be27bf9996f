#include "support/modes/copies.h"

#include <Eigen/Core>

#include "support/forms/systems.h"

namespace stillpoint {

namespace {

Eigen::MatrixXd random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd A(rows, columns);
  for (double& entry : A.reshaped()) entry = random.between(-1, 1);
  return A;
}

Eigen::MatrixXd skew_part(const Eigen::MatrixXd& A) { return 0.5 * (A - A.transpose()); }

// Along so many random directions.
Eigen::MatrixXd of_elements(Random& random, Eigen::Index n, Eigen::Index elements, double least, double most) {
  const Eigen::VectorXd sizes = Eigen::VectorXd::NullaryExpr(elements, [&] { return random.scaled(least, most); });
  const Eigen::MatrixXd directions = random_matrix(random, n, elements);
  return directions * sizes.asDiagonal() * directions.transpose();
}

Eigen::MatrixXd repeated(const Eigen::MatrixXd& A, Index copies) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(copies * A.rows(), copies * A.cols());
  for (Index k = 0; k < copies; ++k) all.block(k * A.rows(), k * A.cols(), A.rows(), A.cols()) = A;
  return all;
}

}  // namespace

Copies random_copies(Random& random, Forces forces) {
  const Eigen::Index n = random.whole(3, 8), r = random.whole(0, 2), springs = random.whole(1, static_cast<int>(n) + 1);
  const Eigen::MatrixXd M =
      Eigen::VectorXd::NullaryExpr(n, [&] { return random.scaled(0.1, 10); }).asDiagonal().toDenseMatrix();
  Eigen::MatrixXd K = of_elements(random, n, springs, 1, 1000);
  const Eigen::MatrixXd J = random_matrix(random, r, n);
  const Index copies = random.whole(2, 6);
  const Eigen::Index redundant = r > 0 ? random.whole(0, 3) : 0;
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(n, n);
  if (forces != Forces::conservative) C = of_elements(random, n, random.whole(1, static_cast<int>(n)), 0.01, 30);
  if (forces == Forces::gyroscopic || forces == Forces::any) C += skew_part(random_matrix(random, n, n));
  if (forces == Forces::any) K += 10 * skew_part(random_matrix(random, n, n));
  Eigen::MatrixXd all_J(copies * r + redundant, copies * n);
  all_J.topRows(copies * r) = repeated(J, copies);
  all_J.bottomRows(redundant) = random_matrix(random, redundant, copies * r) * all_J.topRows(copies * r);
  return {system_of(M, K, J, C), system_of(repeated(M, copies), repeated(K, copies), all_J, repeated(C, copies)),
          copies};
}

}  // namespace stillpoint
