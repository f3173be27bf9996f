// A square system pencil P(s) = s² second + s first + zeroth is the pencil of a system without constraints, with the
// mass matrix `second`. So the sparse engine for modes near a point (TOAR by shift and invert, theory 11.6) finds its
// zeros, refines them with P itself, bounds their errors, and counts them by the argument principle (11.7).
//
// A rectangular pencil is made square by combining its last rows, or columns. Its zeros are among those of every such
// combination; those that are none are told by the residual of the whole pencil. So the count of the combined pencil
// also proves that none of the whole one is missing.
#include "zeros/zeros_near.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/at.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"
#include "zeros/system_pencil.h"

namespace stillpoint {

namespace {

using NearComplex = std::complex<double>;
using Eigen::VectorXcd;

// Of the whole pencil at a zero, relative to the terms: above this a zero of the combination is none of the whole.
constexpr double is_solved = 1e-9;

// A part of a null vector below this, in scaled numbers and relative to the whole, is not there.
constexpr double is_absent = 1e-9;

LinearSystem as_system(const SystemPencil& pencil, const std::string& name) {
  LinearSystem system;
  system.name = name;
  system.M = pencil.second;
  system.C = pencil.first;
  system.K = pencil.zeroth;
  return checked(std::move(system));
}

/// Returns A(s) v for the whole pencil, and the sum of the magnitudes of its terms.
struct Product {
  VectorXcd value;
  double terms = 0;
};

Product product_of(const SystemPencil& pencil, NearComplex s, const VectorXcd& v) {
  const VectorXcd second = s * s * (pencil.second * v), first = s * (pencil.first * v), zeroth = pencil.zeroth * v;
  return {second + first + zeroth, second.norm() + first.norm() + zeroth.norm()};
}

Product left_product_of(const SystemPencil& pencil, NearComplex s, const VectorXcd& w) {
  SystemPencil transposed = pencil;
  transposed.second = pencil.second.transpose();
  transposed.first = pencil.first.transpose();
  transposed.zeroth = pencil.zeroth.transpose();
  return product_of(transposed, s, w.conjugate());
}

/// A mode of the combined pencil as a zero of the whole one; nothing if it is none.
std::optional<Zero> zero_of(const Mode& mode, const SystemPencil& pencil, const SquaredPencil& factors) {
  const NearComplex s = mode.s;
  const VectorXcd v = (factors.right * mode.shape).normalized(),
                  w = (factors.left.transpose() * mode.left).normalized();
  const Product right = product_of(pencil, s, v), left = left_product_of(pencil, s, w);
  const auto relative = [](const Product& product) {
    return product.terms > 0 ? product.value.norm() / product.terms : 0.0;
  };
  const bool is_tall = pencil.rows() > pencil.columns(), is_wide = pencil.columns() > pencil.rows();
  Zero zero;
  zero.residual = is_wide ? relative(left) : relative(right);
  if ((is_tall || is_wide) && zero.residual > is_solved) return std::nullopt;
  zero.s = pencil.gamma * s;
  zero.error = pencil.gamma * mode.error;
  zero.multiplicity = 1;
  zero.output_decoupling = v.tail(pencil.inputs).norm() <= is_absent ? 1 : 0;
  zero.input_decoupling = w.tail(pencil.outputs).norm() <= is_absent ? 1 : 0;
  zero.transmission = zero.output_decoupling + zero.input_decoupling > 0 ? 0 : 1;
  const VectorXcd unknowns = pencil.column_scale.asDiagonal() * v;
  Eigen::Index largest = 0;
  unknowns.head(pencil.coordinates).cwiseAbs().maxCoeff(&largest);
  zero.coordinates = unknowns.head(pencil.coordinates) / unknowns[largest];
  zero.inputs = unknowns.tail(pencil.inputs) / unknowns[largest];
  return zero;
}

/// Joins zeros within their bounds to one with a multiplicity.
std::vector<Zero> joined_zeros(const std::vector<Zero>& all) {
  std::vector<Zero> zeros;
  for (const Zero& zero : all) {
    const auto same = std::find_if(zeros.begin(), zeros.end(), [&](const Zero& other) {
      return std::abs(other.s - zero.s) <= other.error + zero.error;
    });
    if (same == zeros.end()) {
      zeros.push_back(zero);
      continue;
    }
    same->error = std::max(same->error, zero.error + std::abs(same->s - zero.s));
    same->multiplicity += 1;
    same->transmission += zero.transmission;
    same->input_decoupling += zero.input_decoupling;
    same->output_decoupling += zero.output_decoupling;
  }
  return zeros;
}

}  // namespace

Zeros zeros_near(const LinearSystem& system, const SparseMatrix& reactions, const ZeroOptions& options) {
  const SystemPencil pencil = system_pencil(system, reactions);
  const SquaredPencil factors = squared(pencil, std::min(pencil.inputs, pencil.outputs), false);
  const Spectrum spectrum = solve_general(
      as_system(factors.pencil, system.name),
      {.which = Nearest{*options.near / pencil.gamma, options.count}, .spurious = false, .progress = options.progress});
  Zeros found;
  found.solver = spectrum.solver + ", on the bordered system pencil";
  found.knows_decoupling = false;
  found.normal_rank = std::min(pencil.inputs, pencil.outputs);
  std::vector<Zero> zeros;
  for (const Mode& mode : spectrum.modes) {
    if (mode.is_infinite() || mode.shape.size() == 0) continue;
    if (std::optional<Zero> zero = zero_of(mode, pencil, factors)) zeros.push_back(std::move(*zero));
  }
  found.invariant = joined_zeros(zeros);
  for (const Zero& zero : found.invariant) {
    if (zero.input_decoupling > 0) found.unmoved.push_back(zero);
    if (zero.output_decoupling > 0) found.unshown.push_back(zero);
  }
  double farthest = 0;
  const NearComplex upper(options.near->real(), std::abs(options.near->imag()));
  for (const Mode& mode : spectrum.modes) {
    if (mode.s.imag() >= 0 && !mode.is_infinite())
      farthest = std::max(farthest, std::abs(pencil.gamma * mode.s - upper));
  }
  found.region = fmt::format("no farther than {:.6g} rad/s from {:g} + {:g}i{}", farthest, upper.real(), upper.imag(),
                             upper.imag() > 0 ? ", and their conjugates" : "");
  if (!spectrum.certified)
    found.reasons.push_back(spectrum.warnings.empty() ? "the engine does not certify the zeros"
                                                      : spectrum.warnings.front());
  return found;
}

}  // namespace stillpoint
