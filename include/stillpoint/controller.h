// Linear controllers: blocks from outputs to inputs of a linear system.
//
//   ẋ = A x + B e,   w = C x + D e,   e = r − y
//
// e are the errors between references r and the outputs y that are named in `from`, and w acts on the inputs that are
// named in `to`. All quantities are increments about the operating point. The functions that make a block leave `name`,
// `from` and `to` to the caller; they throw Error, without a place, for numbers that no such block has.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace stillpoint {

struct Controller {
  std::string name;
  std::vector<std::string> from;  ///< outputs; a coordinate stands for its motion, and NAME' for the rate of either
  std::vector<std::string> to;    ///< inputs; a coordinate stands for a force on it
  Eigen::MatrixXd A, B, C, D;
  std::vector<std::string> state_names;  ///< without the name of the controller

  bool positive_feedback = false;  ///< e = r + y
  bool is_broken = false;          ///< the loop is broken at the error: e = r, whatever y is
};

/// w = D e.
Controller gain(const Eigen::MatrixXd& D);

struct PidGains {
  double kp = 0, ki = 0, kd = 0;
  double filter_time = 0;  ///< time constant T of the derivative (s)
};

/// w = (kp + ki/s + kd s/(1 + T s)) e, with the states `integral` (of e, unless ki = 0) and `filtered` (e after the
/// filter, unless kd = 0). A derivative needs T > 0, for otherwise it is improper.
Controller pid(const PidGains& gains);

/// w = b(s)/a(s) e. The coefficients begin with the highest power, as in MATLAB and SciPy. The realisation is the
/// controllable canonical form.
Controller transfer_function(const Eigen::VectorXd& numerator, const Eigen::VectorXd& denominator);

/// The block with these matrices; states without names are called x[1], x[2], ...
Controller state_space_block(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& C,
                             const Eigen::MatrixXd& D, std::vector<std::string> state_names = {});

constexpr int highest_delay_order = 20;  ///< beyond it the coefficients of the Padé approximation have no digits left

/// The Padé approximation of e^{−sT} with numerator and denominator of the given order, 1 to 20, for one signal. Its
/// magnitude is 1 at all frequencies; its phase is −ωT to 0.01 rad up to ωT = 0.5 (order 1), 1.5 (2), 2.8 (3), 4.2 (4).
Controller pade_delay(double time, int order);

/// Delays each signal w of a block, in series behind it.
Controller with_delay(const Controller& block, double time, int order);

}  // namespace stillpoint
