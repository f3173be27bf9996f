// The modes of a linear system by the engine that suits it: the one call that does the right thing.
//
//   const FoundModes found = find_modes(linearize(model, rest), Method::mcs, {.modes = {.which = Lowest{10}}});
//
// Which engine runs is decided in one place, `plan`: a table of (structure, request, size) → engine, with the reason
// and the proof that no mode is missing. If the engine that was chosen cannot certify its answer and another can, the
// answer of the other is given.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/modes.h"
#include "stillpoint/system_structure.h"

namespace stillpoint {

enum class Method {
  mcs,  ///< minimal coordinates
  rcs,  ///< redundant coordinates with multipliers
  ucs   ///< unconstrained coordinates, penalty
};
/// "mcs", "rcs", "ucs"
const char* key_of(Method method);

/// What the user wants to run.
enum class EngineChoice {
  automatic,  ///< as the plan says
  dense,      ///< all eigenvalues of the form's own matrices
  qz,         ///< the same, by QZ of the linearised pencil even where a faster solver would do
  sparse,     ///< some, by Krylov methods on the bordered problem, whatever the method is
  spectra     ///< as sparse; undamped systems by Lanczos' method of the library Spectra
};

struct AnalysisOptions {
  EngineChoice engine = EngineChoice::automatic;
  MinimalOptions minimal{};
  PenaltyOptions penalty{};
  ModesOptions modes{};
};

// ----- The plan

enum class Engine {
  dense_symmetric,       ///< generalised symmetric eigenvalue problem of K_r and M_r (LAPACK dsygvd)
  dense_low_rank,        ///< the same, with the damping as a change of low rank
  dense_qz,              ///< QZ of a linearised pencil (LAPACK dggev)
  spectrum_slicing,      ///< shift-and-invert Lanczos on the bordered problem
  light_damping,         ///< undamped modes by spectrum slicing, with Galerkin corrections
  toar,                  ///< two-level orthogonal Arnoldi at one or several shifts
  energy_criterion,      ///< no eigenvalue: the signs of M, D and K decide
  penalty_continuation,  ///< the modes of the mechanism, continued into the penalty system
  branch_spectra,        ///< singular configurations: dense, with the spectrum of each branch
  external               ///< another program, by a folder of requests and answers; no row of the plan
};
const char* to_words(Engine engine);
/// Whether it works on the bordered problem and finds some eigenvalues; dense engines find all of a form.
bool is_sparse(Engine engine);

struct PlannedEngine {
  Engine engine = Engine::dense_qz;
  Method method = Method::mcs;
  const char* why = "";      ///< a clause: "few of many modes are asked for"
  const char* proof = "";    ///< a clause: why no mode is missing
  double seconds = 0;        ///< an estimate by the cost model; comparable between engines only
  bool is_fallback = false;  ///< answers less, or by another method, than was asked for: if nothing else is certified
  Index lowest_of_all = 0;   ///< then: so many of the lowest in place of all
  Index most_in_band = 0;    ///< of a band the engine looks for no more than this; 0: as many as were asked for
};

/// Sizes that cost depends on.
struct ProblemSize {
  Index coordinates = 0, rows = 0;  ///< rows: independent constraints
  std::int64_t entries = 0;         ///< of M, C, K and J
  Index dof() const { return coordinates - rows; }
};
ProblemSize size_of(const LinearSystem& system);

/// The engines that can answer, the one that is to run first at the front. `singular`: of the configuration. Throws
/// Error if the options ask for an engine that cannot.
std::vector<PlannedEngine> plan(Method method, const SystemStructure& structure, const ProblemSize& size, bool singular,
                                const AnalysisOptions& options);

/// "Lanczos …, because few of many modes are asked for": one line for a person.
std::string to_words(const PlannedEngine& planned);

/// The table of engines as Markdown; docs/modes.md holds it.
std::string plan_table();

/// All modes of systems with so many degrees of freedom, by dense solvers, take some seconds at most.
inline constexpr Index few_dof = 500;

// ----- Finding

/// The penalty system, and what it was made with.
struct PenaltySystem {
  PenaltyOptions how;
  std::optional<LinearSystem> own;        ///< linearised at the penalty's own equilibrium
  std::string without_own{};              ///< why there is none, if one was looked for
  double largest_residual = Mode::unset;  ///< of the constraints at the penalty's own equilibrium
  double equilibrium_seconds = Mode::unset;
};
/// Makes the penalty system with penalty factors so many times the usual ones.
using PenaltySystemMaker = std::function<PenaltySystem(const PenaltyOptions& options, double stiffer)>;

/// The spectrum by one method, and what it took.
struct FoundModes {
  Method method = Method::mcs;
  bool computed = false;
  std::string why_not;  ///< if it was not
  Spectrum spectrum;
  SystemStructure structure;
  PlannedEngine planned;              ///< the engine whose answer this is
  double form_seconds = Mode::unset;  ///< making the matrices of the form
  /// It is the computation of that other method, no evidence of its own; of UCS: its search was.
  std::optional<Method> shares_with;

  /// UCS only: the penalties.
  struct Penalty {
    double smallest_alpha = 0, largest_alpha = 0;
    double xi = 0, omega = 0;
    double largest_residual = Mode::unset;  ///< as in PenaltySystem; unset where that is the constrained equilibrium
    double equilibrium_seconds = Mode::unset;
  };
  std::optional<Penalty> penalty;
};

struct KnownOfSystem;

/// Finds the modes of one system by one method or several; what the methods share is computed once.
class ModeFinder {
 public:
  /// The system and the options must outlive the finder. Without a maker the penalty method takes the matrices as they
  /// are.
  ModeFinder(const LinearSystem& system, const AnalysisOptions& options, PenaltySystemMaker penalty_system = {});
  /// The same with what is known of the system already, and outlives the finder (modes/methods/known_of_system.h).
  ModeFinder(const LinearSystem& system, const AnalysisOptions& options, KnownOfSystem& known);
  ~ModeFinder();

  /// The engines in the order of the plan.
  std::vector<PlannedEngine> plan_for(Method method) const;
  /// The answer of one engine. Throws Error if the system does not fit it.
  FoundModes run(const PlannedEngine& planned);
  /// The answer of the first engine whose answer is certified and `accepted`; if there is none, the first certified
  /// one, or else the first. Engines that need another method are left out where `only_this_method`; where not, one
  /// answer is wanted, and what sparse engines found is not kept for other methods.
  FoundModes find(Method method, bool only_this_method, const std::function<bool(const FoundModes&)>& accepted = {});

  const LinearSystem& system() const;
  const SystemStructure& structure() const;
  /// Made when it is first needed.
  const MinimalForm& minimal();
  /// What a sparse engine found of the mechanism: the answer itself, but for modes of the penalty system.
  const Spectrum& of_mechanism(const FoundModes& found);
  /// All eigenvalues of the minimal form, for verdicts: `found`, if these are all.
  const Spectrum& all_of_minimal(const FoundModes& found);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

FoundModes find_modes(const LinearSystem& system, Method method = Method::mcs, const AnalysisOptions& options = {});

}  // namespace stillpoint
