// The motion from one state as a power series in time: coordinates, rates, accelerations, orientations, multipliers and
// power, to some order.
//
// The coefficients of t^k of the equations of motion are linear in those of the accelerations and multipliers, with the
// matrix of the state, which is factored once:
//
//   [M, Jᵀ; J, 0] [a_k; λ_k] = [f_k − (h + Jᵀλ)_k; −(k + 1) (J v)_{k+1}]                                      (13.9)
//
// where the right-hand side is evaluated from the coefficients before, with zeros in place of a_k and λ_k. Orientations
// follow R' = ½ R ∘ (0, ω).
#pragma once

#include <functional>
#include <vector>

#include "model/independent_rounds.h"
#include "motion/dynamics.h"

namespace stillpoint {

class MotionSeries {
 public:
  /// Accelerations are computed up to t^order.
  MotionSeries(const Model& model, int order);

  /// Expands the motion from a state with rates; the inputs keep their values. Returns false if a motion has no inertia
  /// or if a force has no value. For steps with this tolerance coefficients are solved for to a part of it, and of what
  /// they contribute. Ends before its order at a power after which `is_enough`, given the coefficients of the
  /// accelerations, says so.
  bool expand(Dynamics& dynamics, const State& state, double tolerance = 0,
              const std::function<bool(int power, const Eigen::VectorXd& a)>& is_enough = {});

  /// To be called before the motion is summed: accelerations up to t^order are taken.
  void end_with(int order);
  /// The state at a time after that of the expansion, with rates, accelerations and multipliers.
  State at_time(double time) const;
  double power(double time) const;
  double work(double time) const;  ///< since the time of the expansion
  int order() const { return order_; }
  int last_power() const { return last_power_; }  ///< of accelerations that were computed

 private:
  /// Some elements, and the operations of their laws.
  struct Part {
    PartOfArray elements;
    SeriesTapes tapes;
  };

  double* terms(std::vector<double>& of, Index i) { return of.data() + SeriesPlaces::first(i, terms_); }
  const double* terms(const std::vector<double>& of, Index i) const {
    return of.data() + SeriesPlaces::first(i, terms_);
  }
  void begin(const State& state);
  void turn(int k);
  void evaluate(int k);
  bool take_right_side(int k);
  void put(int k, const MotionKkt::Solution& found);

  const Model& model_;
  int order_, last_power_ = 0, last_summed_ = 0;
  Index terms_;
  State start_;
  std::vector<double> q_, v_, a_, orientations_, lambda_;
  std::vector<double> power_;     ///< the product of both sums, which ends with twice their powers
  Eigen::MatrixXd applied_;       ///< a column for each power
  std::vector<bool> are_forces_;  ///< whether it is not zero
  Eigen::VectorXd opposing_, residual_;
  std::vector<Block> bodies_in_space_;     ///< which have orientations
  std::vector<std::vector<Part>> rounds_;  ///< parts of a round add to no coordinate together
};

}  // namespace stillpoint
