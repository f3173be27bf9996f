// Why the results of a model are what they are: facts with the numbers that decide, and the same facts in words.
//
//   const AnalysisCase analysis{linearize(model, rest), model, rest};
//   const Explanation found = explain_analysis(analysis, {.topics = {ExplanationTopic::redundancy}});
//   found.redundancy->groups[0].choices[0].joints[0].joint ... what to release, and what was found without it
//   std::cout << to_text(found);
//
// What is said to help has been tried: rank and degrees of freedom are computed again with the joint released, and an
// eigenvalue is computed again with twice the penalty. Texts and JSON are written from these structures and compute
// nothing. Unset numbers are NaN. No dense matrix has the size of the system beyond `most_for_all` unknowns; what is
// not done for a large system stands in `left_out`.
#pragma once

#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/report.h"
#include "stillpoint/sensitivity.h"

namespace stillpoint {

enum class ExplanationTopic { verdict, redundancy, singular, undecided, spurious, method, mode, warnings, refusal };
/// "verdict", "redundancy", ... as on the command line
const char* key_of(ExplanationTopic topic);

// ----- Redundant constraints

/// A joint with fewer equations.
struct JointRelease {
  std::string joint;    ///< "hinge[2]"
  std::string keyword;  ///< of its type, "revolute"; empty where the bodies are not known
  std::string becomes;  ///< the type with what is left, "spherical"; empty: no type of its own, or nothing is left
  bool is_removed = false;
  std::vector<std::string> released;  ///< "hinge[2].tilt_x", or "hinge[2] along its axis"
};

/// Joints that are released together, and what was found without these equations.
struct ReleaseChoice {
  std::vector<JointRelease> joints;
  Index equations = 0;  ///< number of equations released
  Index constraints = 0, rank = 0, dof = 0, redundant = 0;
  double gap = Mode::unset;  ///< of the rank decision
};

struct ClosedLoop {
  std::string closed_by;  ///< the joint outside of the spanning tree
  std::vector<std::string> joints;
};

/// Constraints that depend on each other and on no others.
struct RedundantGroup {
  Index redundant = 0;                   ///< number of equations that could go
  std::vector<std::string> constraints;  ///< names of the equations; the first `most_names`
  Index constraint_count = 0;
  std::vector<std::string> joints;  ///< names of their joints
  Index joint_count = 0;
  std::vector<ClosedLoop> loops;       ///< those that these joints close
  std::vector<ReleaseChoice> choices;  ///< each alone removes the redundancy of this group; the simplest first

  static constexpr Index most_names = 200;
};

struct RedundancyExplanation {
  Index coordinates = 0, constraints = 0, rank = 0, dof = 0, redundant = 0;
  RankDecision decision;
  std::vector<RedundantGroup> groups;  ///< the first few
  Index group_count = 0;
  std::optional<ReleaseChoice> all;  ///< the first choice of every group, released together
  std::vector<std::string> left_out;
};

// ----- Singular configurations

struct BranchFacts {
  std::string name;
  Index dimension = 0;     ///< degrees of freedom along the branch
  bool confirmed = false;  ///< a motion along it was found at two step sizes
  Index rank = 0;          ///< of J along the branch
  Index unstable_directions = 0, neutral_directions = 0;
};

struct SingularityExplanation {
  ConfigurationType kind = ConfigurationType::regular;
  Index constraints = 0, rank = 0, dof = 0;
  RankDecision decision;
  std::vector<std::string> constraints_that_depend;  ///< equations whose forces no motion feels here
  std::vector<BranchFacts> branches;
};

// ----- The verdict

struct VerdictExplanation {
  Verdict verdict;
  std::string branch;          ///< at a singular configuration the branch that decides
  std::string quantity;        ///< what decides: "the largest real part"
  double value = Mode::unset;  ///< of it
  double error = Mode::unset;  ///< its error bound
  std::string unit;            ///< "1/s"; empty for a count
  std::string criterion;       ///< how the value is judged: "must be below zero by more than its error bound"
  Index negative_stiffness = -1, zero_stiffness = -1;  ///< eigenvalues of the reduced stiffness; −1: not counted
  Index dof = 0;
  std::string found_with_damping;  ///< words for what damps and what does not; empty if nothing was counted
};

// ----- What is undecided

struct DecidingNumber {
  std::string what;  ///< "gap of the rank of the constraints"
  double value = Mode::unset;
  double bar = Mode::unset;  ///< the number that the value is compared with
  std::string comparison;    ///< "must exceed", "must be below", "must equal"
  std::string unit;
  bool decided = true;
  std::string would_decide;  ///< what would decide it, or make it more certain
};

struct DecisionExplanation {
  Index undecided = 0;                  ///< how many are not decided
  std::vector<DecidingNumber> numbers;  ///< those that are undecided first
};

// ----- Spurious eigenvalues

struct SpuriousExplanation {
  Method method = Method::ucs;
  std::string why_not;  ///< if the method has no spurious eigenvalues to show, or was not computed
  Index order = 0, true_count = 0, spurious = 0, finite_spurious = 0;
  Index coordinates = 0, independent_constraints = 0;
  Index number = 0;  ///< of the example in the table of all eigenvalues; 0: there is none
  std::complex<double> s{Mode::unset, Mode::unset};
  bool is_infinite = false;
  double violation = Mode::unset;                                     ///< ‖J x‖ / (‖J‖ ‖x‖) of its vector
  double least_violation = Mode::unset;                               ///< of all spurious vectors
  double true_violation = Mode::unset;                                ///< the largest of a true vector
  double alpha = Mode::unset, omega = Mode::unset, xi = Mode::unset;  ///< the penalty; alpha: the largest
  /// How far the nearest eigenvalue is, relative to |s|, when Ξ is doubled and when ω is doubled.
  double moved_by_alpha = Mode::unset, moved_by_omega = Mode::unset;
  /// The same of the true eigenvalue that moves most.
  double true_moved_by_alpha = Mode::unset, true_moved_by_omega = Mode::unset;
};

// ----- Methods

struct MethodFacts {
  Method method = Method::mcs;
  bool computed = false;
  std::string why_not;
  Index order = 0, found = 0, spurious = 0;
  double largest_error = Mode::unset;                       ///< bound of a true eigenvalue (1/s)
  double factor_entries = Mode::unset, fill = Mode::unset;  ///< of the matrix that is factored at a shift
  double seconds = Mode::unset;                             ///< making the form and finding the modes
  bool seconds_are_estimated = false;
};

struct MethodExplanation {
  std::string suits;  ///< "mcs" or "rcs"
  std::vector<std::string> advice;
  std::vector<MethodFacts> methods;
  std::string engine, engine_why;  ///< which engine runs, and why
};

// ----- A mode

struct ModeExplanation {
  Index number = 0;              ///< in the table of `modes`
  Index count = 0;               ///< rows of that table
  Index sensitivity_number = 0;  ///< in the list of `sensitivity`; 0: it has no rates
  Mode mode;
  bool is_pair = false;
  std::string description;
  std::vector<EnergyShares::Share> kinetic, potential;  ///< the three largest
  /// The parameter whose 1 % changes it most; without parameters or rates empty.
  std::string parameter, parameter_unit;
  double parameter_value = Mode::unset;
  double relative_change = Mode::unset;                   ///< |Δs| / |s| by 1 % of the parameter
  double frequency_change = Mode::unset;                  ///< Δf by 1 % (Hz)
  Index parameters_compared = 0, parameters_at_zero = 0;  ///< those that are zero have no 1 %
  std::vector<std::string> left_out;
};

// ----- Together

/// An equilibrium that was not found.
struct RefusalExplanation {
  std::string what, message;
  double residual = Mode::unset;
  std::string worst;    ///< the coordinate or constraint with this residual
  std::string command;  ///< what helps to find the cause; a verb
};

struct Explanation {
  std::string model;
  std::string model_words = "MODEL";  ///< of the commands that show more
  Index coordinates = 0, constraints = 0, rank = 0, dof = 0;
  std::optional<RefusalExplanation> refusal;
  std::optional<VerdictExplanation> verdict;
  std::optional<RedundancyExplanation> redundancy;
  std::optional<SingularityExplanation> singular;
  std::optional<DecisionExplanation> undecided;
  std::vector<SpuriousExplanation> spurious;  ///< of each method that was asked for
  std::optional<MethodExplanation> method;
  std::optional<ModeExplanation> mode;
  std::optional<std::vector<std::string>> warnings;
};

/// Systems with so many unknowns 2n + m are small enough for all eigenvalues by all methods.
inline constexpr Index most_for_all = 2000;
/// Beyond so many coordinates each choice of releases is not tried alone, and sensitivities are not computed.
inline constexpr Index most_for_trials = 20'000;

struct ExplanationRequest {
  std::vector<ExplanationTopic> topics{};  ///< empty: the few things worth knowing about this system
  Index mode = 1;                          ///< number in the table of modes
  std::optional<Method> spurious_of{};     ///< only this method; without: RCS and UCS
  Index eigenvalue = 0;                    ///< number in the table of all eigenvalues; 0: the first spurious one
  std::vector<Variation> parameters{};     ///< that a mode may depend on
  std::string model_words = "MODEL";
  std::function<void(const std::string&)> progress{};
};

/// Finds the facts. Throws Error if there is no mode or eigenvalue of the number asked for, or it is not spurious.
Explanation explain_analysis(const AnalysisCase& analysis, const ExplanationRequest& request = {});

/// Why there is no analysis: an equilibrium that is not at rest.
Explanation explain_refusal(const Model& model, const Equilibrium& rest, const std::string& model_words = "MODEL");

/// A topic in words: sentences with numbers, and the command that shows more.
struct ExplanationBlock {
  ExplanationTopic topic = ExplanationTopic::verdict;
  std::string title;
  std::vector<std::string> sentences;
  std::string more;  ///< "stillpoint check cases/four_bar"
};
std::vector<ExplanationBlock> in_words(const Explanation& explanation);

/// Text for a terminal: at most 30 lines.
std::string to_text(const Explanation& explanation);
/// One JSON object, schema "stillpoint.explain/1".
std::string to_json(const Explanation& explanation);

}  // namespace stillpoint
