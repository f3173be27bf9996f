// A plant model for control design: a linear model with inputs and outputs, of an order suitable for design, and the
// information that a reader of the file needs.
//
//   state space, modal   ẋ = A x + B w             y = C x + D w                    (E empty)
//   descriptor         E ẋ = A x + B w             y = C x + D w
//   second order       M z̈ + C ż + K z = B w       y = F z + G ż + D w             (letters as in MATLAB's mechss)
//
// The input channels w are the inputs u and, for each prescribed motion that needs them, u̇ and ü ("base'", "base''").
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

enum class PlantForm { state_space, modal, descriptor, second_order };

struct Plant {
  PlantForm form = PlantForm::state_space;
  std::string name;    ///< of the model
  std::string method;  ///< "mcs", "rcs", "ucs"

  struct FirstOrder {
    SparseMatrix E, A, B, C, D;
  } first;  ///< all forms but second order; an empty E stands for the identity
  struct SecondOrder {
    SparseMatrix M, C, K, B, F, G, D;
  } second;  ///< second order only

  std::vector<std::string> state_names, input_names, output_names;
  std::vector<std::string> state_units, input_units, output_units;  ///< empty strings where the unit is not known

  /// The meaning of each channel: an input and its order of differentiation. The names are "u", "u'", "u''".
  struct Channel {
    Index input = 0;  ///< of the linear system
    int order = 0;
  };
  std::vector<Channel> channels;

  /// Increments of all coordinates, δq = T x + S w (second order: δq = T z + S w), with T: n × states and S: n ×
  /// channels.
  SparseMatrix T, S;
  std::vector<std::string> coordinate_names;

  struct OperatingPoint {
    Eigen::VectorXd x, u, y;    ///< states, input channels, outputs; x is 0 where a state is only an increment
    Eigen::VectorXd q, lambda;  ///< of the full mechanism
    bool is_rest = true;        ///< whether ẋ = 0 there
  } at;

  struct Pole {
    std::complex<double> s;
    double error = 0;  ///< upper bound of |s − exact value|
  };
  std::vector<Pole> poles;  ///< of the full model, as computed by `modes`

  /// How many modes of the full model, of those that are known, no input moves and no output shows; a conjugate pair
  /// counts once. `undecided` are those about which rounding decides neither.
  struct HiddenCount {
    Index modes = 0, unmoved = 0, unshown = 0, undecided = 0;
  } hidden;

  /// H(iω) of this plant at a few frequencies away from its poles, with which a reader can verify what it has read.
  struct Check {
    Eigen::VectorXd omega;                   ///< rad/s
    std::vector<Eigen::MatrixXcd> response;  ///< outputs × channels, for each frequency
  } check;

  /// The largest measured error of the frequency response of a reduced plant, relative as `response_error` says.
  struct Reduced {
    double error = 0;
    double omega = 0;  ///< where (rad/s)
  };
  std::optional<Reduced> reduced;

  /// A plant in discrete time, x_{k+1} = A x_k + B w_k, y_k = C x_k + D w_k at t = k Ts.
  struct Sampling {
    double time = 0;     ///< Ts (s)
    std::string method;  ///< "zoh", "foh", "tustin"
  };
  std::optional<Sampling> sampling;  ///< none: continuous time

  struct Origin {
    std::string tool_version, command, model_hash, date;
    std::vector<std::string> overrides;  ///< refusals that were overridden: "not an equilibrium", ...
  } origin;
  std::vector<std::string> notes;  ///< limits of validity: "approximate: penalty method, ...", measured errors
};

}  // namespace stillpoint
