// Eigenvalues and eigenvectors of a linear system by each of its forms, with error bounds, classes and counts.
//
//   (s² M + s C + K) x + Jᵀ λ = 0,   J x = 0                                                                    (6.1)
//
// A spectrum holds its evidence: the residual, condition and error bound of each mode, the number of eigenvalues that
// must exist, and whether the count certifies that none is missing.
#pragma once

#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <variant>

#include "stillpoint/deadline.h"
#include "stillpoint/forms.h"
#include "stillpoint/mode_vector.h"

namespace stillpoint {

enum class ModeClass {
  genuine,   ///< an eigenvalue of the mechanism ("true" in JSON)
  spurious,  ///< an eigenvalue of the form only
  undecided  ///< the numbers do not decide
};

struct Mode {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  std::complex<double> s;  ///< eigenvalue s of e^{st} (1/s); infinite: |s| = ∞
  ModeVector shape;        ///< right vector (n), largest entry 1; empty for s = ∞
  ModeVector left;         ///< left vector (n), yᴴ (2sM + C) x = 1, or else largest entry 1; empty for s = ∞
  ModeClass kind = ModeClass::genuine;
  double backward_error = unset;  ///< of the form's own problem, normwise, relative [Tisseur 2000]
  double residual = unset;        ///< of the bordered problem: the larger of forces and constraints, relative
  double violation = unset;       ///< ‖J x‖ / (‖J‖ ‖x‖), scaled
  double condition = unset;       ///< relative change of s per relative change of the matrices
  double error = unset;           ///< bound on |s − exact|, to first order
  Index multiplicity = 1;         ///< number of values within their error bounds of this one
  /// At a singular configuration s depends on the choice of the free multipliers.
  bool depends_on_constraint_scaling = false;

  // UCS only.
  std::complex<double> corrected{unset, unset};  ///< s without the compliance of the constraints
  double corrected_error = unset;                ///< bound on |corrected − exact|
  double penalty_error = unset;                  ///< |s − corrected|: the effect of the penalty

  bool is_infinite() const { return std::isinf(s.real()) || std::isinf(s.imag()); }
};

/// |Im s| / 2π (Hz); 0 for a real eigenvalue.
double frequency(const Mode& mode);
/// −Re s / |s|; 0 for s = 0.
double damping_ratio(const Mode& mode);

/// Why a spectrum is not certified. Each value has a sentence, `to_words`; the text beside it has the numbers.
enum class Uncertified {
  count_differs,          ///< not as many eigenvalues were found as must exist
  missing,                ///< more eigenvalues were counted in the region than were found there
  not_counted,            ///< the proof that none is missing was not asked for
  out_of_time,            ///< the time limit ended the search or the count
  instability_unbounded,  ///< nothing bounds the region where unstable eigenvalues may be
  sign_hidden,            ///< rounding hides the sign of some real parts
  classes_disagree,       ///< true and spurious eigenvalues cannot be separated
  rank_unclear,           ///< the rank of the mass or damping matrix is not clear from the numbers
  zeros_unclear,          ///< rounding hides which eigenvalues are zero
  edge_unclear,           ///< rounding may carry an eigenvalue across the edge of the region
  no_error_bound,         ///< an eigenvalue is so nearly defective that it has no finite error bound
  loose_error_bound,      ///< the error bound of an eigenvalue is nearly as large as the eigenvalue
  nearly_defective,       ///< eigenvalues nearly share their eigenvectors: bounds of first order may be too short
  dependent_vectors,      ///< eigenvectors of nearly equal eigenvalues depend on each other
  large_residual,         ///< an eigenpair does not solve the bordered problem
  continuation_failed,    ///< a mode could not be continued into the penalty system, or not back
  from_uncertified        ///< the modes that were continued into the penalty system are not certified
};
const char* to_words(Uncertified reason);
/// Whether the reason concerns the listed eigenvalues themselves, and not only others that may be missing.
bool questions_values(Uncertified reason);

struct Spectrum {
  std::string method{};       ///< "mcs", "rcs", "ucs"
  std::string solver{};       ///< "dense generalized symmetric", "dense QZ", ...
  std::vector<Mode> modes{};  ///< in the order of |s|, of a pair the one with Im s > 0 first; infinite ones last
  Index size = 0;             ///< order of the eigenvalue problem that was solved
  Index expected = 0;         ///< number of true eigenvalues that must exist, theory (6.2)
  Index found = 0;            ///< number of true eigenvalues among the modes
  Index spurious = 0;         ///< number of spurious ones, finite and infinite
  Index at_zero = 0;          ///< number of true ones that are zero by structure: rigid-body motion
  bool certified = true;      ///< count, gap and violations agree
  std::vector<Uncertified> reasons{};  ///< why it is not certified, each once
  double margin = Mode::unset;         ///< ratio that separates the spurious from the true set; NaN: none is spurious
  std::vector<std::string> warnings{};
  std::string region{};  ///< where `expected` and `found` count, "with |s| < 10 rad/s"; empty: everywhere
  std::string kept{};    ///< which of these are among the modes, "the 3 least damped"; empty: all, or the lowest
  /// Counts over all eigenvalues, where an energy criterion or the whole spectrum gives them.
  struct Counted {
    Index unstable = 0;  ///< Re s > 0
    Index at_zero = 0;
    enum class Damping {
      none,
      partial,  ///< some motions may have no damping
      complete  ///< every velocity is damped
    } damping = Damping::none;
    bool by_region = false;    ///< not by energy alone: all that may be unstable lies in the known region
    bool by_spectrum = false;  ///< all eigenvalues are known; none but the zeros is near the imaginary axis
  };
  std::optional<Counted> counted{};
  double seconds = 0;
  double certificate_seconds = Mode::unset;  ///< part of `seconds` for the proof of completeness, where it is extra
};

// ----- Which eigenvalues

/// Every eigenvalue.
struct All {
  bool is_required = false;  ///< a part of them is no answer, also where all at once cannot be certified
};
/// The `count` eigenvalues of least |s|; a conjugate pair counts once.
struct Lowest {
  Index count = 20;
};
/// All eigenvalues with |s|/2π between the two frequencies (Hz).
struct Band {
  double from = 0, to = 0;
  Index most = 500;  ///< the sparse engines look for no more than this
};
/// The `count` eigenvalues nearest to a point (rad/s); of a conjugate pair the nearer one decides.
struct Nearest {
  std::complex<double> point;
  Index count = 20;
};
/// All eigenvalues with Re s > 0.
struct Unstable {};

using Which = std::variant<All, Lowest, Band, Nearest, Unstable>;

struct ModesOptions {
  Which which = All{};
  Index least_damped = 0;  ///< a filter: of those asked for only so many, with the least damping ratios; 0: no filter
  bool spurious = true;    ///< keep the eigenvalues of the form only
  bool certify = true;     ///< prove that none is missing, where that costs extra
  bool qz = false;         ///< dense: QZ of the linearised pencil, also where a faster solver would do
  bool spectra = false;    ///< undamped, sparse: Lanczos' method of the library Spectra in place of our own
  /// The sparse engines report their progress to this function: "12 of 20 modes".
  std::function<void(const std::string&)> progress{};
  Deadline deadline{};  ///< the sparse engines end then, uncertified, with what they have found

  template <class Request>
  bool asks_for() const {
    return std::holds_alternative<Request>(which);
  }
  template <class Request>
  const Request* if_asks_for() const {
    return std::get_if<Request>(&which);
  }
};

/// How many modes are asked for by number: of Lowest and Nearest; none otherwise.
std::optional<Index> requested_count(const Which& which);

/// The number of finite eigenvalues of the system, deg det(s²M_r + sC_r + K_r), massless directions included.
struct TrueCount {
  Index eigenvalues = 0;      ///< 2 rank M_r + rank of C_r on the massless directions
  Index at_zero = 0;          ///< algebraic multiplicity of s = 0
  Index massless = 0;         ///< dimension of null(M_r)
  Index damped = 0;           ///< dimension of the part of null(M_r) that is damped
  std::string uncertainty{};  ///< reason why `at_zero` is uncertain; empty: none
};
/// Throws Error, with the coordinates that move, if a direction has neither mass nor damping nor stiffness.
TrueCount count_true(const LinearSystem& system, const MinimalForm& minimal);

Spectrum solve_modes(const LinearSystem& system, const MinimalForm& form, const ModesOptions& options = {});
/// `count` is the number of true eigenvalues.
Spectrum solve_modes(const LinearSystem& system, const DescriptorForm& form, const TrueCount& count,
                     const ModesOptions& options = {});
/// `system` is the constrained one, which gives violations, residuals and corrections. `form` may belong to the
/// equilibrium of the penalty system.
Spectrum solve_modes(const LinearSystem& system, const PenaltyForm& form, const TrueCount& count,
                     const ModesOptions& options = {});

/// Tells whether nothing is damped, M and K are symmetric to rounding, and no mass is negative.
bool is_conservative(const LinearSystem& system);

/// Finds modes of a conservative system of any size by spectrum slicing with Lanczos' method on the bordered problem,
/// theory (11.1). Sylvester's law of inertia proves that none is missing; `certified` tells whether as many were found.
/// Throws Error if the system is not conservative.
Spectrum solve_conservative(const LinearSystem& system, const ModesOptions& options = {});

/// Finds modes of a system of any size and kind (damped, gyroscopic, circulatory) by the Krylov method TOAR on the
/// bordered problem, theory (11.6). That none is missing is proved unless the options decline it: by inertia if
/// everything is symmetric and lightly damped, theory (11.8), by the argument principle otherwise, theory (11.7).
/// Unstable modes are found if theory (11.11) bounds them.
Spectrum solve_general(const LinearSystem& system, const ModesOptions& options = {});

/// Tells whether an energy criterion proves without any eigenvalue that none is unstable, theory (11.10).
bool is_known_stable_by_energy(const LinearSystem& system);

/// Uses `solve_conservative` if the system and the request allow it, `solve_general` otherwise.
Spectrum solve_some(const LinearSystem& system, const ModesOptions& options = {});

/// Continues modes of the mechanism into the penalty system, those together that lie closer than the penalty moves
/// them, theory (11.12), (11.13); sparse, for systems of any size. `known` comes from `solve_conservative` or
/// `solve_general`; `at_rest` is the system at the equilibrium of the penalty system, or `system` again, with the same
/// rows of J. No spurious mode is found. `expected` counts the known modes and those that are missing there. The result
/// is certified if as many distinct modes were found and the correction of each leads back to where it came from.
/// Throws Error for penalties that are not positive, and if the two systems differ in size.
Spectrum continue_into_penalty(const LinearSystem& system, const LinearSystem& at_rest, const PenaltyOptions& penalty,
                               const Spectrum& known);

/// The system on each of its branches (singular configurations): M, C, K on the basis of each branch, with their modes.
struct BranchSpectrum {
  std::string name;
  Spectrum spectrum;
};
std::vector<BranchSpectrum> solve_branches(const LinearSystem& system);

}  // namespace stillpoint
