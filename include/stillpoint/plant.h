// A plant for control design: one linear model with inputs and outputs, small enough to work with, and all that a
// reader of the file must know about it.
//
//   state space, modal   ẋ = A x + B w             y = C x + D w                    (E empty)
//   descriptor         E ẋ = A x + B w             y = C x + D w
//   second order       M z̈ + C ż + K z = B w       y = F z + G ż + D w             (letters as in MATLAB's mechss)
//
// w are the input channels: u, and for each prescribed motion that needs them its u̇ and ü ("base'", "base''").
#pragma once

#include <complex>
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
  } first;  ///< all forms but second order; E empty: identity
  struct SecondOrder {
    SparseMatrix M, C, K, B, F, G, D;
  } second;  ///< second order only

  std::vector<std::string> state_names, input_names, output_names;
  std::vector<std::string> state_units, input_units, output_units;  ///< "" where not known

  /// What each channel is: the input, and how many times it is differentiated. Named "u", "u'", "u''".
  struct Channel {
    Index input = 0;  ///< of the linear system
    int order = 0;
  };
  std::vector<Channel> channels;

  /// Increments of all coordinates, δq = T x + S w; n × states (second order: δq = T z + S w).
  SparseMatrix T, S;
  std::vector<std::string> coordinate_names;

  struct OperatingPoint {
    Eigen::VectorXd x, u, y;    ///< of states, input channels, outputs; x is 0 where a state is an increment only
    Eigen::VectorXd q, lambda;  ///< of the whole mechanism
    bool is_rest = true;        ///< ẋ = 0 there
  } at;

  struct Pole {
    std::complex<double> s;
    double error = 0;  ///< |s − exact| is no larger
  };
  std::vector<Pole> poles;  ///< of the full model, as `modes` gives them

  /// H(iω) of this plant at a few frequencies away from its poles, so that a reader can check what it has read.
  struct Check {
    Eigen::VectorXd omega;                   ///< rad/s
    std::vector<Eigen::MatrixXcd> response;  ///< at each: outputs × inputs
  } check;

  struct Origin {
    std::string tool_version, command, model_hash, date;
    std::vector<std::string> overrides;  ///< refusals that were overridden: "not an equilibrium", ...
  } origin;
  std::vector<std::string> notes;  ///< what limits its use: "approximate: penalty method, ...", measured errors
};

}  // namespace stillpoint
