// How an eigenvalue depends on the place of the equilibrium, by one adjoint solution for any number of parameters.
//
// Let φ = yᴴ(s²M + sC + K)x + yᴴJᵀλ_s + μᴴJx. By (15.1) the shift of the equilibrium changes φ by
//
//   ∂φ/∂q q' + ∂φ/∂λ λ' = −vᵀ∂g/∂p − νᵀ∂Φ/∂p,      [K, Jᵀ; J, 0]ᵀ (v, ν) = (∂φ/∂q, ∂φ/∂λ)                     (15.11)
//
// Both gradients follow from the derivatives K' and J' of the matrices of the moving mechanism, with its inertia
// forces, along the motion itself: q ⊕ τx, q̇ = τsx, q̈ = τs²x, λ + τλ_s,
//
//   ∂φ/∂q = K'ᵀȳ + J'ᵀμ̄,     ∂φ/∂λ = J'ȳ                                                                     (15.12)
//
// since the second derivatives of the forces commute.
#pragma once

#include <complex>
#include <optional>

#include "algebra/lu/complex_lu.h"
#include "modes/problem/quadratic_pencil.h"
#include "stillpoint/assembly.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

class AdjointOfShift {
 public:
  /// The problem is that of the system at the equilibrium; all must outlive the object. Throws Error where the matrix
  /// of (15.11) is singular, or where coordinates are turns of bodies in space, whose second derivatives do not
  /// commute.
  AdjointOfShift(const Model& model, const Equilibrium& rest, const BorderedProblem& problem);

  /// The derivatives along the motion of one mode.
  struct Slopes {
    ComplexSparseMatrix K, J;
    SparseMatrix K_error;  ///< estimates of the errors, magnitudes
  };
  Slopes along(std::complex<double> s, const BorderedVector& x);
  struct Adjoint {
    BorderedVector solution;    ///< (v, ν), of the independent constraints
    Eigen::VectorXd uncertain;  ///< estimate of the error of ∂φ/∂q, magnitudes
  };
  /// For a mode with these derivatives and a left vector.
  Adjoint adjoint(const Slopes& slopes, const BorderedVector& y) const;

 private:
  Slopes real_slopes(const Eigen::VectorXd& x, const Eigen::VectorXd& v, const Eigen::VectorXd& a,
                     const Eigen::VectorXd& lambda);

  const Model& model_;
  const Equilibrium& rest_;
  const BorderedProblem& problem_;
  Assembly assembly_;
  ComplexSparseMatrix bordered_;
  std::optional<ComplexLu> lu_;
};

}  // namespace stillpoint
