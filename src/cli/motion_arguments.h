// The options of the verb `motion`, and what they say of the start and the inputs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/rest_options.h"
#include "stillpoint/motion.h"

namespace stillpoint::cli {

struct MotionArguments : RestOptions {
  double until = 0;
  std::optional<double> every;
  std::string start = usual::motion_start;  ///< or "equilibrium", or a file
  std::string perturb;                      ///< mode=K:AMPLITUDE
  std::vector<std::string> rates;           ///< NAME=VALUE
  std::vector<std::string> inputs;          ///< NAME=FILE or NAME=EXPRESSION
  std::optional<double> tolerance;
  std::string method = usual::motion_method;
  std::string stabilize = usual::stabilization, form = usual::dynamic_form, pseudoinverse = usual::pseudoinverse;
  std::vector<std::string> stops;  ///< NAME=VALUE
  bool all_coordinates = false, reactions = false;
  bool linear = false, identify = false;
};

/// The inputs that --input names over time; the others keep the values `u`. Empty without --input. `start` is the time
/// at which the motion starts: an expression must have a value then.
InputMotion inputs_over_time(const MotionArguments& options, const Model& model, const Eigen::VectorXd& u,
                             double start);

struct MotionStart {
  State state;
  double time = 0;
  InputMotion inputs{};
  std::optional<Equilibrium> rest{};  ///< if the motion starts there
};

/// The consistent state that --start, --at, --perturb and --rate describe. Throws Error if they contradict each other
/// or the model, and CLI::RuntimeError, after printing the reason, if there is no such state.
MotionStart start_of(const MotionArguments& options, const Guess& guess);

/// The index of a name among so many; some of the names are collected for a suggestion.
std::optional<Index> index_of(const std::string& name, Index count, const std::function<std::string(Index)>& name_of,
                              std::vector<std::string>& known);
std::optional<Index> coordinate_index(const Model& model, const std::string& name, std::vector<std::string>& known);

}  // namespace stillpoint::cli
