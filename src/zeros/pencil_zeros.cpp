// The zeros of the deflated pencil are those of the whole one, disturbed by rounding. How far that may carry each is
// found from the whole pencil at the zero itself: with orthonormal null vectors V and Nᴴ of P(s),
//
//   |δs| ≤ ‖Nᴴ δP V‖ / σ_g(Nᴴ P'(s) V)   g: the drop of the rank; σ_g: singular value number g                (12.8)
//
// to first order. Singular values after σ_g belong to the null vectors that P has for all s, and are zero. Zeros within
// their bounds of each other are one zero with a multiplicity. Its bound is the radius of a circle around it on which P
// stays so far from losing rank that no δP carries a zero across.
#include "zeros/pencil_zeros.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <tuple>

#include "algebra/dense/complex_lapack.h"
#include "base/at.h"
#include "zeros/deflation.h"
#include "zeros/zero_count.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Rounding errors of P(s), of its singular values, and of the deflation, relative to ‖P(s)‖.
constexpr double rounding_of_pencil = 16 * epsilon;

// Singular values of P(s) at a zero that are no larger than this, relative to ‖P(s)‖, count for the drop of the rank: a
// zero of QZ, where the whole pencil is ill conditioned, is not exact.
constexpr double drops = 1e-11;

// A part of a null vector (of length one) below this is not there.
constexpr double is_absent = 1e-10;

// A bound is never taken for longer than this, relative to 1 + |s|, when zeros are joined to one.
constexpr double longest_joint = 1e-2;

// A decision on a rank with a smaller gap is open.
constexpr double open_gap = 1e3;

constexpr int newton_steps = 8;

// Members of a multiple zero are farther from each other than their bounds of first order, by up to so much.
constexpr double beyond_first_order = 4;

/// What P is at a zero.
struct AtZero {
  Complex s;
  double error = 0, residual = 0;
  Index drop = 1;
  MatrixXcd V;                                  ///< right null vectors
  bool is_unshown = false, is_unmoved = false;  ///< of a simple zero: without inputs, and on the left without outputs
};

Eigen::Index normal_rank_of(const SystemPencil& pencil) {
  Eigen::Index rank = 0;
  // Of points at random none is a zero.
  for (const Complex s : {Complex(0.7310, 1.0973), Complex(-0.4142, 0.5772)}) {
    const MatrixXcd P = pencil.at(s);
    if (P.size() == 0) return 0;
    const Eigen::VectorXd values = decompose(P).values;
    rank = std::max<Eigen::Index>(rank, (values.array() > drops * P.norm()).count());
  }
  return rank;
}

struct Examined {
  AtZero at;
  Complex step;  ///< of Newton's method
};

Examined examined_at(const SystemPencil& pencil, Complex s, Eigen::Index normal_rank) {
  const MatrixXcd P = pencil.at(s);
  const double size = P.norm();
  const ComplexSingularValues svd = decompose(P);
  Eigen::Index rank = (svd.values.array() > drops * size).count();
  rank = std::min(rank, normal_rank - 1);
  const Eigen::Index drop = normal_rank - rank;
  const MatrixXcd V = svd.V.rightCols(P.cols() - rank), N = svd.U.rightCols(P.rows() - rank);
  const MatrixXcd X = N.adjoint() * pencil.derivative(s) * V, remaining = N.adjoint() * P * V;
  const double sensitivity = decompose(X).values[drop - 1], remainder = svd.values[rank];
  // Rounding of each entry of P, and, of second order, that of the null vectors.
  const double by_entries = (N.cwiseAbs().transpose() * pencil.magnitudes(std::abs(s)) * V.cwiseAbs()).norm(),
               by_vectors = rank > 0 ? rounding_of_pencil * size * size / svd.values[rank - 1] : 0;
  Examined result;
  result.at = {s, (remaining.norm() + rounding_of_pencil * (by_entries + by_vectors)) / sensitivity, remainder / size,
               static_cast<Index>(drop), V};
  if (drop == 1 && V.cols() == 1) result.at.is_unshown = V.bottomRows(pencil.inputs).norm() <= is_absent;
  if (drop == 1 && N.cols() == 1) result.at.is_unmoved = N.bottomRows(pencil.outputs).norm() <= is_absent;
  // What is left of P in these vectors, and δ X, which a step adds: least squares.
  if (drop == 1) result.step = -X.conjugate().cwiseProduct(remaining).sum() / X.squaredNorm();
  return result;
}

/// Whether P keeps its normal rank on the circle by more than rounding may take.
bool is_regular_around(const SystemPencil& pencil, Complex centre, double radius, Eigen::Index normal_rank) {
  constexpr int points = 12;
  for (int k = 0; k < points; ++k) {
    const MatrixXcd P = pencil.at(centre + std::polar(radius, 2 * std::numbers::pi * (k + 0.5) / points));
    if (decompose(P).values[normal_rank - 1] <= 4 * rounding_of_pencil * P.norm()) return false;
  }
  return true;
}

/// Improves a simple zero while that shortens its residual.
AtZero refined_zero(const SystemPencil& pencil, Complex s, Eigen::Index normal_rank) {
  Examined best = examined_at(pencil, s, normal_rank);
  for (int k = 0; k < newton_steps; ++k) {
    const double length = std::abs(best.step);
    if (best.at.drop != 1 || length == 0 || !std::isfinite(length)) break;
    Examined next = examined_at(pencil, best.at.s + best.step, normal_rank);
    if (!(next.at.residual < best.at.residual)) break;
    best = std::move(next);
  }
  return best.at;
}

/// Zeros that are one within their bounds.
using Cluster = std::vector<AtZero>;

std::vector<Cluster> clusters_of(const std::vector<AtZero>& zeros) {
  const auto reach = [](const AtZero& zero) {
    const double longest = longest_joint * (1 + std::abs(zero.s));
    return std::isfinite(zero.error) ? std::min(beyond_first_order * zero.error, longest) : longest;
  };
  std::vector<Cluster> clusters;
  std::vector<char> is_taken(zeros.size(), 0);
  for (std::size_t first = 0; first < zeros.size(); ++first) {
    if (is_taken[first]) continue;
    std::vector<std::size_t> members{first};
    is_taken[first] = 1;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const AtZero& member = zeros[members[k]];
      for (std::size_t other = 0; other < zeros.size(); ++other) {
        const bool is_near = std::abs(zeros[other].s - member.s) <= reach(zeros[other]) + reach(member);
        if (is_taken[other] || !is_near) continue;
        is_taken[other] = 1;
        members.push_back(other);
      }
    }
    Cluster cluster;
    for (const std::size_t k : members) cluster.push_back(zeros[k]);
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}

/// The common value of the members, with a bound that holds for all of them.
AtZero joined(const Cluster& cluster, const SystemPencil& pencil, Eigen::Index normal_rank) {
  AtZero zero = cluster.front();
  if (cluster.size() > 1) {
    Complex sum = 0;
    for (const AtZero& member : cluster) sum += member.s;
    const Complex mean = sum / static_cast<double>(cluster.size());
    zero = examined_at(pencil, mean, normal_rank).at;
    double spread = rounding_of_pencil * (1 + std::abs(mean));
    for (const AtZero& member : cluster) spread = std::max(spread, 2 * std::abs(member.s - mean));
    while (spread < longest_joint * (1 + std::abs(mean)) && !is_regular_around(pencil, mean, spread, normal_rank))
      spread *= 2;
    zero.error = spread;
  }
  if (std::abs(zero.s.imag()) <= zero.error) zero.s.imag(0);
  if (zero.s == 0.0 || std::abs(zero.s) > zero.error) return zero;
  AtZero at_origin = examined_at(pencil, 0, normal_rank).at;
  if (at_origin.residual > rounding_of_pencil) return zero;
  at_origin.error = zero.error;
  return at_origin;
}

Zero described(const AtZero& found, std::size_t multiplicity, const SystemPencil& pencil) {
  Zero zero;
  zero.s = pencil.gamma * found.s;
  zero.multiplicity = static_cast<Index>(multiplicity);
  zero.rank_drop = found.drop;
  zero.error = pencil.gamma * found.error;
  zero.residual = found.residual;
  zero.output_decoupling = found.is_unshown ? 1 : 0;
  zero.input_decoupling = found.is_unmoved ? 1 : 0;
  if (found.V.cols() != 1) return zero;
  const Eigen::VectorXcd v = pencil.column_scale.asDiagonal() * found.V.col(0);
  zero.coordinates = v.head(pencil.coordinates);
  zero.inputs = v.tail(pencil.inputs);
  Eigen::Index largest = 0;
  const bool moves = zero.coordinates.size() > 0 && zero.coordinates.cwiseAbs().maxCoeff(&largest) > 0;
  const Complex scale = moves ? zero.coordinates[largest] : Complex(1);
  zero.coordinates /= scale;
  zero.inputs /= scale;
  return zero;
}

bool comes_before(const Zero& a, const Zero& b) {
  // Members of a pair have the same |s| and Re s to the last digit; zeros that are symmetric to the imaginary axis have
  // the same |s| but for rounding.
  constexpr double digits = 1e10;
  const auto size = [](const Zero& zero) {
    int exponent = 0;
    const double fraction = std::frexp(std::abs(zero.s), &exponent);
    return std::ldexp(std::round(digits * fraction) / digits, exponent);
  };
  return std::tuple(size(a), a.s.real(), -a.s.imag()) < std::tuple(size(b), b.s.real(), -b.s.imag());
}

/// As many zeros as were found lie in discs around each multiple one, and in one around all. Counted is with the pencil
/// that has even masses: at large |s| the others are lost in the rounding of P.
void count_again(const SystemPencil& pencil, const FastPencil& fast, const std::vector<AtZero>& zeros,
                 const std::vector<std::size_t>& sizes, std::vector<std::string>& reasons) {
  std::size_t all = 0;
  double farthest = 0;
  for (std::size_t i = 0; i < zeros.size(); ++i) {
    all += sizes[i];
    farthest = std::max(farthest, std::abs(zeros[i].s) + zeros[i].error);
    if (sizes[i] == 1) continue;
    double room = 1 + std::abs(zeros[i].s);
    for (std::size_t k = 0; k < zeros.size(); ++k) {
      if (k != i) room = std::min(room, std::abs(zeros[k].s - zeros[i].s));
    }
    const double radius = std::min(16 * zeros[i].error, std::sqrt(zeros[i].error * room));
    const auto count =
        zeros_in_disc(fast.pencil, zeros[i].s / fast.factor, radius / fast.factor, static_cast<Index>(sizes[i]));
    if (count && *count == static_cast<Index>(sizes[i])) continue;
    reasons.push_back(fmt::format("{} zeros near {:.6g} rad/s seem to be one, but {} were counted there", sizes[i],
                                  pencil.gamma * std::abs(zeros[i].s), count ? fmt::format("{}", *count) : "none"));
  }
  const double radius = 4 * farthest + 1;
  const auto count = zeros_in_disc(fast.pencil, 0, radius / fast.factor, static_cast<Index>(all));
  if (count && *count == static_cast<Index>(all)) return;
  reasons.push_back(count ? fmt::format("{} zeros were found, but the argument principle counts {} with |s| < {:.3g} "
                                        "rad/s",
                                        all, *count, radius * pencil.gamma)
                          : "the argument principle gives no count of the zeros");
}

/// The zeros of the regular part, improved; of each pair both.
std::vector<AtZero> candidates(const SystemPencil& square, const RegularPart& regular, double factor,
                               Eigen::Index normal_rank, const std::function<void(const std::string&)>& say) {
  std::vector<AtZero> found;
  if (regular.E.rows() == 0) return found;
  say(fmt::format("QZ of order {}", regular.E.rows()));
  const PencilEigen eigen = solve_pencil(regular.A, regular.E);
  for (Eigen::Index i = 0; i < eigen.size(); ++i) {
    const Complex s = factor * eigen.value(i);
    if (s.imag() < 0) continue;
    say(fmt::format("{} of {} refined", i, eigen.size()));
    found.push_back(refined_zero(square, s, normal_rank));
    if (s.imag() == 0) continue;
    found.push_back(found.back());
    AtZero& conjugate = found.back();
    conjugate.s = std::conj(conjugate.s);
    conjugate.V = conjugate.V.conjugate().eval();
  }
  return found;
}

/// The zero of the combined pencil as one of the whole one; nothing if it is none. A multiple one is known by
/// the mean of its members only: whether the whole pencil loses rank within its bound stays open.
std::optional<AtZero> in_whole(const AtZero& zero, bool is_multiple, const SystemPencil& pencil,
                               Eigen::Index normal_rank, std::vector<std::string>& reasons) {
  AtZero whole = examined_at(pencil, zero.s, normal_rank).at;
  if (!(whole.residual <= drops)) {
    const double by_place = zero.error * pencil.derivative(zero.s).norm() / pencil.at(zero.s).norm();
    if (is_multiple && !(whole.residual > by_place))
      reasons.push_back(
          fmt::format("whether there is a zero near {:.6g} rad/s is not clear", pencil.gamma * std::abs(zero.s)));
    return std::nullopt;
  }
  whole.error = is_multiple ? zero.error : std::max(whole.error, zero.error);
  return whole;
}

void tell_uncertainty(const Zero& zero, const SystemPencil& pencil, std::vector<std::string>& reasons) {
  if (!(zero.residual <= drops))
    reasons.push_back(fmt::format("the system pencil loses no rank at {:.6g} rad/s: residual {:.1e}", std::abs(zero.s),
                                  zero.residual));
  if (!(zero.error <= longest_joint * std::max(std::abs(zero.s), pencil.gamma * longest_joint)))
    reasons.push_back(fmt::format("the zero near {:.6g} rad/s is known to {:.1e} only", std::abs(zero.s), zero.error));
}

}  // namespace

PencilZeros zeros_of(const SystemPencil& pencil, const std::string& what,
                     const std::function<void(const std::string&)>& progress) {
  const auto say = [&](const std::string& text) {
    if (progress) progress(what + text);
  };
  PencilZeros result;
  say("normal rank of the pencil");
  const Eigen::Index whole_rank = normal_rank_of(pencil);
  result.rank = static_cast<Index>(whole_rank);
  const Index own = pencil.coordinates + pencil.constraints;
  if (whole_rank < own) {
    result.reasons.push_back(
        "the equations of motion are singular for all s: something has neither mass, damping nor "
        "stiffness, or rounding hides it");
    return result;
  }
  const SystemPencil square = squared(pencil, result.rank - own, true).pencil;
  const bool is_square = pencil.rows() == whole_rank && pencil.columns() == whole_rank;
  const Eigen::Index normal_rank = square.rows();
  say("deflation");
  const FreePencil free = without_constraints(square);
  const FastPencil fast = with_even_masses(free.pencil);
  const LinearPencil linear = linearized(fast.pencil);
  const RegularPart regular = regular_part(linear.E, linear.A);
  result.steps = free.steps;
  result.steps.insert(result.steps.end(), regular.steps.begin(), regular.steps.end());
  for (const RankOfStep& step : result.steps) {
    if (gap_of(step) >= open_gap) continue;
    result.reasons.push_back(fmt::format("a rank in the deflation is not clear: {} of {} x {}, with a gap of {:.1e}",
                                         step.rank, step.rows, step.columns, gap_of(step)));
    break;
  }
  std::vector<AtZero> zeros;
  std::vector<std::size_t> sizes;
  for (const Cluster& cluster : clusters_of(candidates(square, regular, fast.factor, normal_rank, say))) {
    zeros.push_back(joined(cluster, square, normal_rank));
    sizes.push_back(cluster.size());
  }
  say("count by the argument principle");
  count_again(square, fast, zeros, sizes, result.reasons);
  for (std::size_t i = 0; i < zeros.size(); ++i) {
    const std::optional<AtZero> zero =
        is_square ? zeros[i] : in_whole(zeros[i], sizes[i] > 1, pencil, whole_rank, result.reasons);
    if (!zero) continue;
    result.zeros.push_back(described(*zero, sizes[i], pencil));
    tell_uncertainty(result.zeros.back(), pencil, result.reasons);
  }
  std::sort(result.zeros.begin(), result.zeros.end(), comes_before);
  return result;
}

}  // namespace stillpoint
