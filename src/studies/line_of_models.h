// The models for the values of a parameter next to a given one, and the states on a line there.
#pragma once

#include <map>

#include "stillpoint/assembly.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

class LineOfModels {
 public:
  /// At the value of the variation, where this is the model, with this state; the variation and the state must outlive
  /// the line.
  LineOfModels(const Variation& variation, Model here, const State& state);

  const Model& here() const { return here_; }
  int models() const { return evaluated_; }

  /// Valid until the next call. Throws Error if the value is not allowed, or the model consists of other parts there.
  const Model& at(double t);
  /// The matrices of the model there at a state; valid until the next call.
  const Matrices& matrices(double t, const State& state);
  /// Whether the constraints at a state are those of the model here: elements, places and inputs are the same.
  bool has_same_constraints(double t, const State& state);
  /// The state moved so far along the line; empty rates are zero.
  State state(double t, const Eigen::VectorXd& q = {}, const Eigen::VectorXd& lambda = {});

 private:
  void require_same_parts(const Model& there) const;

  const Variation& variation_;
  const State& state_;
  Model here_;
  Eigen::VectorXd inputs_here_;
  std::map<double, Model> models_;
  std::map<double, Assembly> assemblies_;
  int evaluated_ = 0;
};

}  // namespace stillpoint
