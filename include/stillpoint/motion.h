// Motion of a mechanism in time: accelerations at a state, consistent states, and integration.
//
//   M(q) v̇ + J(q)ᵀ λ = f(q, v, u) − h(q, v),   Φ(q, u) = 0                                                     (13.1)
//
//   const State start = consistent_state(model, model.initial_state());
//   const Motion motion = integrate(model, start, {.times = times_until(10, 0.01)});
//   motion.outputs, motion.kinetic, motion.end.q
//
// Every row of Φ is kept, redundant ones too, and no rank is decided while the mechanism moves: near a singular
// configuration, where the rank of J drops, a decision would change from state to state. Constraint forces come from
// the proximal matrix [M, Jᵀ; J, −E], refined, which is regular there as well, theory (13.3). After each step the state
// is projected onto Φ = 0 and Φ̇ = 0.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "stillpoint/deadline.h"
#include "stillpoint/identify.h"
#include "stillpoint/model.h"
#include "stillpoint/pseudoinverse.h"

namespace stillpoint {

/// The inputs at a time, with their first and second time derivatives.
struct InputSample {
  Eigen::VectorXd u, rate, acceleration;
};
/// Empty: the inputs keep the values of the start.
using InputMotion = std::function<InputSample(double time)>;

/// Values of one input over time.
struct InputTable {
  Index input = 0;
  std::vector<double> times{}, values{};  ///< at least two, the times ascending
};

/// Inputs that follow tables by natural cubic splines, which have the continuous second derivatives that prescribed
/// motions need; before and after its table an input keeps the first and the last value. The others are `u`. Throws
/// Error if a table is too short or its times do not ascend.
InputMotion follow_tables(const Eigen::VectorXd& u, std::vector<InputTable> tables);

/// One input as an expression of the time t and the parameters of the model, "2*sin(3*t)", in the language of model
/// files. Its time derivatives are exact; where it has a kink or a jump, they are those of the branch that holds.
struct InputExpression {
  Index input = 0;
  std::string text{};
};

/// Inputs that follow expressions; the others do what `others` says, or are `u` if it is empty. Throws Error with the
/// position and the known names if a text is no expression, and when it is evaluated at a time where the value or one
/// of its two derivatives is not finite.
InputMotion follow_expressions(const Model& model, const Eigen::VectorXd& u,
                               const std::vector<InputExpression>& expressions, InputMotion others = {});

// ----- One state

/// How accelerations and multipliers are computed from one linear system. All forms but the penalty give the same
/// accelerations and constraint forces Jᵀλ at a state with Φ = 0 and Φ̇ = 0, theory (13.5).
enum class DynamicForm {
  augmented,    ///< augmented Lagrangian: the proximal KKT matrix of (13.3), with all rows; the default
  kkt,          ///< the KKT matrix of the independent rows
  range_space,  ///< multipliers first, from J M⁻¹Jᵀ of the independent rows; M must be regular
  null_space,   ///< accelerations of independent coordinates, chosen by the projective criterion
  tree,         ///< relative motions along a spanning tree of joints, multipliers of the joints that close loops
  udwadia_kalaba,  ///< v̇ = a + M^(−1/2) (J M^(−1/2))⁺ (c − J a), a = M⁻¹ b; all rows; M must be positive definite
  baumgarte,  ///< augmented, with Φ̈ + 2αΦ̇ + α²Φ = 0 in place of Φ̈ = 0
  penalty     ///< λ = Ξ (Φ̈ + 2ωΦ̇ + ω²Φ) in place of Φ̈ = 0: an error of the order 1/Ξ
};

/// "augmented", "kkt", "range-space", ...
std::string name_of(DynamicForm form);

struct FormOptions {
  DynamicForm form = DynamicForm::augmented;
  PseudoinverseOptions pseudoinverse{};  ///< of udwadia_kalaba
  double baumgarte = 10;                 ///< α (1/s)
  double penalty = 1e7;                  ///< Ξ, relative to the mass that a constraint moves
  double penalty_frequency = 100;        ///< ω (rad/s)
  Index largest_dense = 3000;            ///< coordinates; range_space and udwadia_kalaba use dense matrices
};

struct Accelerations {
  Eigen::VectorXd a, lambda;
  double residual = 0;  ///< ‖Φ̈‖ that is left, relative to the size of its terms
};

/// Accelerations and multipliers at a state with Φ = 0 and Φ̇ = 0. Of redundant constraints the multipliers are nearly
/// those of least norm; Jᵀλ is unique. Throws Undecided if a motion has no inertia, and Error with a name if the form
/// cannot be used.
Accelerations accelerations(const Model& model, const State& state, const FormOptions& form = {},
                            const InputMotion& inputs = {}, double time = 0);

/// Accelerations in a singular configuration, where the rank of J drops, so that Φ̈ = 0 does not determine them: for
/// left null vectors ν of J, the third derivative of νᵀΦ must vanish as well, theory (13.6). They are those of the
/// branch on which the rates are. Elsewhere they are those of the function above. Throws Undecided if the rates do not
/// belong to a branch, or do not choose one. The inputs keep their values.
Accelerations accelerations_on_branch(const Model& model, const State& state);

struct ConsistentOptions {
  std::vector<Index> held_positions{};  ///< coordinates, not of orientations, that stay as given where that is possible
  std::vector<Index> held{};            ///< coordinates whose rates stay as they are given
  InputMotion inputs{};
  double time = 0;
  double proximal = 1e-8;  ///< as in MotionOptions; less for states that are close to a singular configuration
};

/// The state nearest to the given one, in the metric of the masses, with Φ = 0 and Φ̇ = 0: positions first, then rates.
/// The positions must be near enough for Newton's method; `assemble` finds distant ones. Throws Error with the name of
/// the worst constraint if they are not, or if no rates satisfy Φ̇ = 0, or none with the rates that are held.
State consistent_state(const Model& model, const State& guess, const ConsistentOptions& options = {});

// ----- A motion

/// What a record of the motion shows.
struct MotionRecord {
  double time = 0;
  const State& state;        ///< with rates, accelerations, multipliers and inputs
  const Eigen::VectorXd& y;  ///< outputs
  double kinetic = 0, potential = 0;
  double work = 0;       ///< of nonconservative forces and of prescribed motions, since the start
  double imbalance = 0;  ///< kinetic + potential − work, less its value at the start
};

enum class MotionMethod {
  explicit_order_8,  ///< Fehlberg, with projection of each step: accurate; steps are bounded by the highest frequency
  minimal,   ///< the same in independent coordinates only, selected anew where necessary; not past singular positions
  taylor,    ///< power series of the motion, of an order that follows the tolerance; inputs must keep their values
  implicit,  ///< generalised α: order 2, for stiff mechanisms; high frequencies are damped numerically
  sdirk      ///< singly diagonally implicit Runge–Kutta method: order 5, L-stable, for stiff mechanisms
};

/// "explicit", "minimal", "taylor", "implicit", "sdirk"
std::string name_of(MotionMethod method);

/// The method that suits a motion of this length, by its fastest rates at a state.
struct MethodChoice {
  MotionMethod method = MotionMethod::explicit_order_8;
  double fastest = 0;  ///< rad/s, or 1/s of a damped motion
  std::string why{};
};
MethodChoice choose_method(const Model& model, const State& state, double time);

/// An output or a coordinate, and the value at which the motion ends when it is crossed, upwards or downwards.
struct Crossing {
  Index index = 0;
  double value = 0;
  bool is_coordinate = false;
};

struct MotionOptions {
  MotionMethod method = MotionMethod::explicit_order_8;
  double start_time = 0;        ///< when the motion begins, for inputs over time
  std::vector<double> times{};  ///< ascending, from start_time on: when the motion is recorded; it ends at the last
  double tolerance = 1e-10;     ///< of each step, relative to the size of the model and to the largest rate so far
  double largest_step = std::numeric_limits<double>::infinity();
  int most_steps = std::numeric_limits<int>::max();
  InputMotion inputs{};
  FormOptions form{};            ///< of the accelerations; projections use the proximal matrix
  bool projects = true;          ///< false shows what drift does
  double proximal = 1e-8;        ///< E, relative; 0: plain multipliers, which fail at singular configurations
  bool watches_singular = true;  ///< finds singular configurations, and computes passages a second time
  bool keeps_states = false;     ///< a state for each time, in memory
  std::function<void(const MotionRecord&)> record{};  ///< called at each of the times
  std::vector<Crossing> crossings{};                  ///< the first one that occurs ends the motion
  std::function<bool(const MotionRecord&)> stops{};   ///< called after each step: true ends the motion there
  std::function<void(double time, const std::string&)> progress{};
  Deadline deadline{};
};

/// A singular configuration that the motion passed: the rank of J drops there, and motions branch.
struct SingularPassage {
  double time = 0;
  Index rank = 0;                     ///< of J at that time
  double least_singular_value = 0;    ///< of J M^(−1/2), rows without units, relative to its largest value so far
  bool reactions_are_bounded = true;  ///< whether constraint forces stay finite there
  /// Whether the motion leaves on the same branch if the passage is computed with another proximal term. On a wrong
  /// branch energy and constraints are kept as well as on the right one.
  bool is_confirmed = true;
};

enum class MotionStatus {
  done,
  stopped,      ///< by `stops`
  out_of_time,  ///< by the deadline
  stuck         ///< too many or too small steps, no inertia, or an uncertain branch: `message` says which
};

struct Motion {
  MotionStatus status = MotionStatus::done;
  MotionMethod method = MotionMethod::explicit_order_8;
  int order = 8;  ///< of the method
  DynamicForm form = DynamicForm::augmented;
  bool is_projected = true;
  std::string message{};
  std::vector<double> times{};  ///< those that were reached
  Eigen::MatrixXd outputs{};    ///< one column for each time
  std::vector<double> kinetic{}, potential{}, work{}, imbalance{};
  std::vector<State> states{};  ///< if they are kept
  double start_time = 0, end_time = 0;
  State end{};
  double largest_imbalance = 0;               ///< of the energy, over all steps (J)
  double largest_energy = 0;                  ///< the largest kinetic energy or change of the potential (J)
  double position_drift = 0, rate_drift = 0;  ///< the largest Φ and Φ̇ at a record, as displacement and rate
  std::vector<SingularPassage> singular{};    ///< if they are watched
  int accepted = 0, rejected = 0;
  int reselections = 0;  ///< of independent coordinates, by the method `minimal`
  long evaluations = 0, factorisations = 0;
};

/// Components of outputs that the constraints share: a reaction whose value redundant constraints leave open, with the
/// others among which only combinations are determined.
struct SharedReactions {
  std::vector<Index> outputs;  ///< indices of components
  Index unknowns = 0;          ///< so many of them would have to be known
};

/// The reactions among the outputs that the state does not determine, because constraints are redundant; each in one
/// group. The others are unique although λ is not.
std::vector<SharedReactions> shared_reactions(const Model& model, const State& state);

/// Integrates from a consistent state, by default by the explicit method of Fehlberg of order 7(8) in coordinates that
/// are centred anew at each step, with projection. Throws Error for options that are out of range.
Motion integrate(const Model& model, const State& start, const MotionOptions& options);

/// start, start + step, start + 2 step, …, end.
std::vector<double> times_until(double end, double step, double start = 0);

/// A state that a motion has reached, from which another one may start.
struct MotionEnd {
  double time = 0;
  State state{};  ///< with rates and inputs
};
/// Reads the end of a motion from its JSON (`to_json`), also that of an interrupted one; `integrate` continues it from
/// there with `start_time`. Throws Error with file and key for a motion of another model, a missing or unknown
/// coordinate, and a number that is not finite.
MotionEnd read_end_of_motion(const Model& model, const std::string& path);

/// One output at the times of a motion; one coordinate, in the user's terms, if its states were kept.
std::vector<double> output_over_time(const Motion& motion, Index output);
std::vector<double> coordinate_over_time(const Model& model, const Motion& motion, Index coordinate);

/// What a report may have beside the motion.
struct MotionSupplement {
  Eigen::MatrixXd linear{};  ///< the first outputs by the linear model at the times of the motion; or empty
  std::vector<std::pair<std::string, Identified>> identified{};  ///< what was found in a signal, by its name
};

/// A table with a line for each time: outputs and energies; with states also the coordinates in the user's terms.
std::string to_csv(const Model& model, const Motion& motion, const MotionSupplement& supplement = {});
/// The same, and how it was found: schema stillpoint.motion/1.
std::string to_json(const Model& model, const Motion& motion, const MotionSupplement& supplement = {});
/// The same numbers as NPZ of NumPy, by name: `times`, `outputs.NAME`, `coordinates.NAME`, `energy.kinetic`, ... Throws
/// Error if they exceed what the format holds.
std::string to_npz(const Model& model, const Motion& motion, const MotionSupplement& supplement = {});
/// Plots over time, one panel for each unit: outputs, coordinates if there are states, and energies. Throws Error if
/// there are too many.
std::string to_svg(const Model& model, const Motion& motion, const MotionSupplement& supplement = {});
/// "done", "stopped", "out of time" or "stuck".
std::string status_of(const Motion& motion);
/// What was done, how well energy and constraints were kept, and why it ended: a few lines.
std::vector<std::string> summary_of(const Motion& motion);

}  // namespace stillpoint
