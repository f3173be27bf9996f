// Derivatives of an equilibrium and of its linear system with respect to a parameter, theory (15.1) and (15.2):
//
//   [K, Jᵀ; J, 0] (q', λ') = −(∂g/∂p, ∂Φ/∂p),      g = Jᵀλ − f
//   X' = ∂X/∂p + ∂X/∂q q' + ∂X/∂λ λ'               for X = M, C, K, J
//
// The equilibrium and its multipliers move with the parameter, and the matrices with them: a stiffer spring also
// changes where a mechanism rests, which often matters more than its stiffness.
//
//   const ModelFamily family("cases/four_bar");
//   const Equilibrium rest = find_equilibrium(family.at());
//   const SystemRates rates = system_rates(parameter_of(family, "k"), rest);
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/model_family.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

/// A number on which a model depends, with the models for other values of it.
struct Variation {
  std::string name;
  double value = 0;
  std::string unit{};  ///< empty if it is not known
  /// The model with another value. Throws Error if it is not allowed.
  std::function<Model(double value)> model_at;
  double scale = 0;              ///< a change that is not small, where the value itself may be next to zero
  std::optional<Index> input{};  ///< the number is the value of this input, on which the model itself does not depend
};

/// A parameter of a model file, beside other values of parameters. Throws Error for an unknown name, and for a
/// parameter that takes only whole numbers: it counts things, and nothing has a derivative with respect to it.
Variation parameter_of(const ModelFamily& family, const std::string& name, const Parameters& settings = {});
/// The value of an input. Throws Error for an unknown name.
Variation input_of(const Model& model, const std::string& name);
/// A number of an element by its name, "spring[3].stiffness". Throws Error for an unknown name.
Variation number_of(const Model& model, const std::string& name);

/// A matrix as a function of the parameter: its derivative, and an estimate of the error of that.
struct MatrixRate {
  SparseMatrix rate, error;
};

struct SystemRates {
  std::string parameter;
  double value = 0;
  std::string unit{};
  Eigen::VectorXd q, lambda;  ///< increments of the coordinates and multipliers, per unit of the parameter
  Eigen::VectorXd g, phi;     ///< ∂g/∂p and ∂Φ/∂p where q and λ stay
  double q_error = 0;         ///< estimate of the error of q, relative to its largest scaled entry
  MatrixRate M, C, K, J;      ///< total derivatives, unless the shift of the equilibrium was to be left out
  bool with_shift = true;     ///< whether they are total
  std::optional<SparseMatrix> frozen_M{}, frozen_C{}, frozen_K{}, frozen_J{};  ///< where the equilibrium does not move
  int models = 0;                                                              ///< how many models were evaluated

  bool occurs() const;  ///< whether anything depends on the parameter
};

/// How exact rates are. Eight digits or so need two models beside the given one, and are enough to follow modes and to
/// converge to a place; all digits need eight models at least.
enum class RatesDigits { all, eight };

struct RatesOptions {
  bool frozen = false;  ///< also the derivatives where q and λ stay
  /// False: M, C, K and J are those where q and λ stay, for modes whose adjoint solutions are known.
  bool with_shift = true;
  RatesDigits digits = RatesDigits::all;
};

/// The derivatives at an equilibrium. The functions are evaluated on the line (p + t, q ⊕ t q', λ + t λ'), without any
/// search, and differentiated there by differences of order eight, the difference from order six being the estimate of
/// the error; for eight digits by those of order two.
///
/// Throws Error, with the reason, where there is no derivative: the parameter changes what the model consists of; it
/// opens closed loops with redundant constraints; a motion without stiffness would begin to drift; the configuration is
/// singular.
SystemRates system_rates(const Variation& variation, const Equilibrium& rest, const RatesOptions& options = {});
/// The same where the model at the value of the variation is there already.
SystemRates system_rates(const Variation& variation, const Model& model, const Equilibrium& rest,
                         const RatesOptions& options = {});

}  // namespace stillpoint
