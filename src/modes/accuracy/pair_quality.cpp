#include "modes/accuracy/pair_quality.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/dense/blas.h"
#include "base/at.h"
#include "modes/accuracy/vector_errors.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Vectors = Eigen::MatrixXcd;

constexpr std::size_t block = 256;  // pairs at a time, for which vectors of several kinds are in memory

struct Pairs {
  Vectors X, Y;
};

Pairs gathered(const std::vector<const Eigenpair*>& pairs, std::size_t first) {
  const auto count = static_cast<Eigen::Index>(std::min(block, pairs.size() - first));
  const Eigen::Index n = pairs[first]->x.size();
  Pairs result{Vectors(n, count), Vectors(n, count)};
  for (Eigen::Index i = 0; i < count; ++i) {
    result.X.col(i) = pairs[first + at(i)]->x;
    result.Y.col(i) = pairs[first + at(i)]->y;
  }
  return result;
}

Vectors times(const Eigen::MatrixXd& A, double norm, const Vectors& X) {
  return norm > 0 ? product(A, X) : Vectors::Zero(X.rows(), X.cols());
}

PairQuality quality(const ScaledQuadratic& P, Complex s, const Eigen::VectorXcd& x, const Eigen::VectorXcd& y,
                    const Eigen::VectorXcd& Mx, const Eigen::VectorXcd& Cx, const Eigen::VectorXcd& Kx) {
  const Complex value = s / P.gamma;
  PairQuality result;
  result.backward_error = (value * (value * Mx + Cx) + Kx).norm() / (P.norm(s) * x.norm());
  const double divisor = std::abs(value) * std::abs(y.dot(2.0 * value * Mx + Cx));
  result.condition = divisor > 0 ? P.norm(s) * x.norm() * y.norm() / divisor : std::numeric_limits<double>::infinity();
  return result;
}

// What rounding leaves in products with these matrices or their transposes, at s of these magnitudes.
Eigen::MatrixXd rounding_of_residuals(const ScaledQuadratic& P, bool transposed, const Vectors& X,
                                      const Eigen::VectorXd& rates) {
  const Eigen::MatrixXd x = X.cwiseAbs();
  const auto terms = [&](const Eigen::MatrixXd& A, double norm) -> Eigen::MatrixXd {
    if (!(norm > 0)) return Eigen::MatrixXd::Zero(x.rows(), x.cols());
    const Eigen::MatrixXd magnitudes = A.cwiseAbs();
    return transposed ? transposed_product(magnitudes, x) : product(magnitudes, x);
  };
  return std::numeric_limits<double>::epsilon() *
         ((terms(P.M, P.M_norm) * rates.asDiagonal() + terms(P.C, P.C_norm)) * rates.asDiagonal() +
          terms(P.K, P.K_norm));
}

QuotientVectors quotient_vectors(const ScaledQuadratic& P, const std::vector<const Eigenpair*>& pairs,
                                 const std::vector<Complex>& s, const std::vector<std::size_t>& chosen) {
  const auto count = static_cast<Eigen::Index>(chosen.size());
  QuotientVectors all{.X = Vectors(P.d.size(), count), .Y = Vectors(P.d.size(), count)};
  Eigen::VectorXcd rates(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigenpair& pair = *pairs[chosen[at(i)]];
    all.X.col(i) = pair.x.cwiseQuotient(P.d).normalized();
    all.Y.col(i) = pair.y.cwiseQuotient(P.d).normalized();
    rates[i] = s[chosen[at(i)]] / P.gamma;
  }
  const auto residuals = [&](const Vectors& M_part, const Vectors& C_part, const Vectors& K_part, const auto& value) {
    return Vectors((M_part * value.asDiagonal() + C_part) * value.asDiagonal() + K_part);
  };
  all.right_rounding = rounding_of_residuals(P, false, all.X, rates.cwiseAbs());
  all.left_rounding = rounding_of_residuals(P, true, all.Y, rates.cwiseAbs());
  const Vectors MX = times(P.M, P.M_norm, all.X), CX = times(P.C, P.C_norm, all.X), KX = times(P.K, P.K_norm, all.X);
  all.right = residuals(MX, CX, KX, rates);
  all.left = residuals(times(P.M.transpose(), P.M_norm, all.Y), times(P.C.transpose(), P.C_norm, all.Y),
                       times(P.K.transpose(), P.K_norm, all.Y), Eigen::VectorXcd(rates.conjugate()));
  const auto products = [&](const Vectors& B) -> Eigen::VectorXcd {
    return all.Y.conjugate().cwiseProduct(B).colwise().sum().transpose();
  };
  all.mass = products(MX);
  all.damping = products(CX);
  const Vectors derivatives = 2.0 * MX * rates.asDiagonal() + CX;
  all.derivatives = all.Y.conjugate().cwiseProduct(derivatives).colwise().sum().cwiseAbs().transpose();
  all.s.assign(rates.begin(), rates.end());
  for (Eigen::Index i = 0; i < count; ++i) {
    if (rates[i] == 0.0) all.derivatives[i] = 0;
  }
  return all;
}

}  // namespace

std::vector<PairQuality> qualities(const ScaledQuadratic& P, const std::vector<const Eigenpair*>& pairs,
                                   const std::vector<Complex>& s) {
  std::vector<PairQuality> result;
  const Eigen::VectorXd from_d = P.d.cwiseInverse();
  for (std::size_t first = 0; first < pairs.size(); first += block) {
    auto [X, Y] = gathered(pairs, first);
    X = from_d.asDiagonal() * X;
    Y = from_d.asDiagonal() * Y;
    const Vectors MX = times(P.M, P.M_norm, X), CX = times(P.C, P.C_norm, X), KX = times(P.K, P.K_norm, X);
    for (Eigen::Index i = 0; i < X.cols(); ++i) {
      result.push_back(quality(P, s[first + at(i)], X.col(i), Y.col(i), MX.col(i), CX.col(i), KX.col(i)));
    }
  }
  return result;
}

Eigen::VectorXd errors_of_vectors(const ScaledQuadratic& P, const std::vector<const Eigenpair*>& pairs,
                                  const std::vector<Complex>& s) {
  const bool are_orthogonal = P.C_norm == 0 && std::all_of(pairs.begin(), pairs.end(),
                                                           [](const Eigenpair* pair) { return pair->x == pair->y; });
  if (are_orthogonal && are_near_each_other(s)) return Eigen::VectorXd::Zero(static_cast<Eigen::Index>(pairs.size()));
  std::vector<Complex> before;
  for (const Eigenpair* pair : pairs) before.push_back(pair->s);
  const ConjugatePairs conjugates = find_conjugates(before);
  QuotientVectors vectors = quotient_vectors(P, pairs, s, conjugates.chosen);
  vectors.are_orthogonal = are_orthogonal;
  return P.gamma * spread(errors_of_vectors(vectors), conjugates);
}

std::vector<ModalCoefficients> modal_coefficient_magnitudes(const Quadratic& P,
                                                            const std::vector<const Eigenpair*>& pairs) {
  std::vector<ModalCoefficients> result;
  for (std::size_t first = 0; first < pairs.size(); first += block) {
    const Pairs some = gathered(pairs, first);
    const Eigen::MatrixXd X = some.X.cwiseAbs(), Y = some.Y.cwiseAbs();
    const auto sums = [&](const Summed& A) -> Eigen::RowVectorXd {
      if ((A.magnitude.array() == 0).all()) return Eigen::RowVectorXd::Zero(X.cols());
      return Y.cwiseProduct(product(A.magnitude, X)).colwise().sum();
    };
    const Eigen::RowVectorXd m = sums(P.M), c = sums(P.C), k = sums(P.K);
    for (Eigen::Index i = 0; i < X.cols(); ++i) {
      result.push_back({{}, {}, {}, m[i], c[i], k[i]});
    }
  }
  return result;
}

}  // namespace stillpoint
