#include "reduction/splitting.h"

#include <limits>
#include <numeric>

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXd;

// Two blocks are separated if no entry of the solution of Sylvester's equation exceeds this, in balanced coordinates.
// Defective eigenvalues, which rounding separates by its square root, would need 1e8 and more.
constexpr double longest = 1e5;

std::vector<Complex> values_of(const SchurForm& form, Eigen::Index size) {
  std::vector<Complex> values;
  for (Eigen::Index i = 0; i < size; i += form.block_size(i)) values.push_back(form.value(i));
  return values;
}

/// Returns the first row of the block below the first `size` rows whose eigenvalue is nearest to theirs.
Eigen::Index nearest_below(const SchurForm& form, Eigen::Index size) {
  const std::vector<Complex> own = values_of(form, size);
  const Complex centre = std::accumulate(own.begin(), own.end(), Complex(0)) / static_cast<double>(own.size());
  Eigen::Index best = size;
  double nearest = std::numeric_limits<double>::infinity();
  for (Eigen::Index i = size; i < form.order(); i += form.block_size(i)) {
    const double distance = std::abs(form.value(i) - centre);
    if (distance < nearest) {
      nearest = distance;
      best = i;
    }
  }
  return best;
}

Eigen::Index smallest_below(const SchurForm& form, Eigen::Index size) {
  Eigen::Index best = size;
  for (Eigen::Index i = size; i < form.order(); i += form.block_size(i)) {
    if (std::abs(form.value(i)) < std::abs(form.value(best))) best = i;
  }
  return best;
}

}  // namespace

Splitting::Splitting(const MatrixXd& A) : form_(schur_form(A)), V_(form_.Q), W_(form_.Q) { reset(); }

SplitPart Splitting::next() { return separated(form_.block_size(0)); }

SplitPart Splitting::next_smallest(Eigen::Index least) {
  Eigen::Index size = 0;
  while (size < least) {
    move(smallest_below(form_, size), size);
    size += form_.block_size(size);
  }
  return separated(size);
}

/// Splits off the first `size` states, and those that cannot be separated from them.
SplitPart Splitting::separated(Eigen::Index size) {
  for (;;) {
    const Eigen::Index rest = form_.order() - size;
    const auto X = solve_sylvester(form_.T.topLeftCorner(size, size), form_.T.bottomRightCorner(rest, rest),
                                   -form_.T.topRightCorner(size, rest));
    if (X && (rest == 0 || X->cwiseAbs().maxCoeff() <= longest)) return taken(size, *X);
    const Eigen::Index behind = nearest_below(form_, size), more = form_.block_size(behind);
    size += move(behind, size) ? more : form_.block_size(size);
  }
}

void Splitting::reset() {
  form_.Q.setIdentity(form_.order(), form_.order());
  is_moved_ = false;
}

bool Splitting::move(Eigen::Index from, Eigen::Index to) {
  is_moved_ = is_moved_ || from != to;
  return move_block(form_, from, to);
}

SplitPart Splitting::taken(Eigen::Index size, const MatrixXd& X) {
  const Eigen::Index rest = form_.order() - size;
  MatrixXd V = V_, W = W_;
  if (is_moved_) {
    V *= form_.Q;
    W *= form_.Q;
  }
  SplitPart part{V.leftCols(size), W.leftCols(size) - W.rightCols(rest) * X.transpose(),
                 form_.T.topLeftCorner(size, size), values_of(form_, size)};
  V_ = V.leftCols(size) * X + V.rightCols(rest);
  W_ = W.rightCols(rest);
  form_.T = form_.T.bottomRightCorner(rest, rest).eval();
  reset();
  return part;
}

}  // namespace stillpoint
