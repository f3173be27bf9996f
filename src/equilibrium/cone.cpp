#include "equilibrium/cone.h"

#include <algorithm>
#include <cmath>

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;

constexpr std::size_t most_pieces = 4096;

Matrix restricted(const Matrix& form, const Matrix& piece) { return piece.transpose() * form * piece; }

// The subspace of a piece on which a linear function vanishes.
Matrix hyperplane(const Matrix& piece, const Eigen::VectorXd& normal) {
  const Eigen::HouseholderQR<Matrix> qr(normal);
  const Matrix Q = qr.householderQ();
  return piece * Q.rightCols(piece.cols() - 1);
}

enum class Shape { zero, splits, curved };

// Splits a piece by a form: it stays, becomes one or two smaller pieces, or meets a curved cone.
Shape split(const Matrix& form, const Matrix& piece, double noise, std::vector<Matrix>& smaller) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(restricted(form, piece));
  const Eigen::VectorXd& values = solver.eigenvalues();
  const Matrix& vectors = solver.eigenvectors();
  const auto negative = (values.array() < -noise).count(), positive = (values.array() > noise).count();
  if (negative + positive == 0) return Shape::zero;
  if (negative == 0 || positive == 0) {
    const Eigen::Index first_zero = negative;  // the eigenvalues ascend
    smaller.push_back(piece * vectors.middleCols(first_zero, piece.cols() - negative - positive));
    return Shape::splits;
  }
  if (negative > 1 || positive > 1) return Shape::curved;
  const Eigen::Index last = values.size() - 1;
  const Eigen::VectorXd up = std::sqrt(values[last]) * vectors.col(last), down = std::sqrt(-values[0]) * vectors.col(0);
  smaller.push_back(hyperplane(piece, up + down));
  smaller.push_back(hyperplane(piece, up - down));
  return Shape::splits;
}

bool contains(const Matrix& large, const Matrix& small) {
  if (large.cols() < small.cols()) return false;
  return (small - large * (large.transpose() * small)).norm() < 1e-6;
}

class Splitter {
 public:
  Splitter(const std::vector<Matrix>& forms, double noise) : forms_(forms), noise_(noise) {}

  Cone run(Eigen::Index dimension) {
    std::vector<Matrix> open{Matrix::Identity(dimension, dimension)};
    while (!open.empty()) {
      const Matrix piece = std::move(open.back());
      open.pop_back();
      if (piece.cols() == 0) continue;
      if (open.size() + cone_.pieces.size() > most_pieces) {
        cone_.complete = false;
        break;
      }
      treat(piece, open);
    }
    return std::move(cone_);
  }

 private:
  void treat(const Matrix& piece, std::vector<Matrix>& open) {
    bool curved = false;
    for (const Matrix& form : forms_) {
      std::vector<Matrix> smaller;
      const Shape shape = split(form, piece, noise_, smaller);
      if (shape == Shape::splits) {
        open.insert(open.end(), smaller.begin(), smaller.end());
        return;
      }
      curved = curved || shape == Shape::curved;
    }
    if (!curved) return keep(piece);
    if (!is_empty(piece)) cone_.complete = false;
  }

  // If a signed sum of the curved forms is definite, the cone is {0}.
  bool is_empty(const Matrix& piece) const {
    const std::size_t count = std::min<std::size_t>(forms_.size(), 8);
    for (std::size_t signs = 0; signs < (std::size_t{1} << count); ++signs) {
      Matrix sum = Matrix::Zero(piece.cols(), piece.cols());
      for (std::size_t i = 0; i < count; ++i) sum += ((signs >> i) & 1 ? -1.0 : 1.0) * restricted(forms_[i], piece);
      const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Matrix>(sum, Eigen::EigenvaluesOnly).eigenvalues();
      if (values[0] > noise_) return true;
    }
    return false;
  }

  void keep(const Matrix& piece) {
    for (const Matrix& other : cone_.pieces) {
      if (contains(other, piece)) return;
    }
    std::erase_if(cone_.pieces, [&](const Matrix& other) { return contains(piece, other); });
    cone_.pieces.push_back(piece);
  }

  const std::vector<Matrix>& forms_;
  double noise_;
  Cone cone_;
};

}  // namespace

Cone split_cone(const std::vector<Eigen::MatrixXd>& forms, Eigen::Index dimension, double noise) {
  return Splitter(forms, noise).run(dimension);
}

}  // namespace stillpoint
