// The eigenvalues of a linear system by each of its forms, and which of them are real.
//
//   (s² M + s C + K) x + Jᵀ λ = 0,   J x = 0                                                                    (T19)
//
// Dense and complete, for systems whose form fits (order 2n + r up to a few thousand); of conservative systems of any
// size some, and the proof that none of these is missing.
#pragma once

#include <complex>
#include <functional>
#include <limits>
#include <optional>

#include "stillpoint/forms.h"

namespace stillpoint {

enum class ModeClass {
  genuine,   ///< of the mechanism ("true" in JSON)
  spurious,  ///< of the form only
  undecided  ///< cannot be told from the numbers
};

struct Mode {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  std::complex<double> s;  ///< of e^{st} (1/s); infinite: |s| = ∞
  Eigen::VectorXcd shape;  ///< n; the largest entry is 1; empty for s = ∞
  Eigen::VectorXcd left;   ///< n; yᴴ (2sM + C) x = 1; the largest entry is 1 if that cannot be; empty for s = ∞
  ModeClass kind = ModeClass::genuine;
  double backward_error = unset;  ///< of the form's own problem, normwise, relative (Tisseur 2000)
  double residual = unset;        ///< of the original bordered problem: forces and constraints, relative, the larger
  double violation = unset;       ///< ‖J x‖ / (‖J‖ ‖x‖), in scaled coordinates
  double condition = unset;       ///< how much a relative change of the matrices changes s, relative to |s|
  double error = unset;           ///< |s − exact| is no larger, to first order
  Index multiplicity = 1;         ///< how many lie within their error bars of this one
  /// At a singular configuration: s would be another with another choice of the free multipliers.
  bool depends_on_constraint_scaling = false;

  // UCS only.
  std::complex<double> corrected{unset, unset};  ///< s with the compliance of the constraints removed
  double corrected_error = unset;                ///< |corrected − exact| is no larger
  double penalty_error = unset;                  ///< |s − corrected|: what the penalty changes

  bool is_infinite() const { return std::isinf(s.real()) || std::isinf(s.imag()); }
};

/// Hz; 0 for a real root.
double frequency(const Mode& mode);
/// −Re s / |s|; 0 for s = 0.
double damping_ratio(const Mode& mode);

struct Spectrum {
  std::string method{};       ///< "mcs", "rcs", "ucs"
  std::string solver{};       ///< "dense generalized symmetric", "dense QZ", ...
  std::vector<Mode> modes{};  ///< by |s|, of a pair the one with Im s > 0 first; infinite ones last
  Index size = 0;             ///< order of the eigenvalue problem that was solved
  Index expected = 0;         ///< true eigenvalues that must exist (T20)
  Index found = 0;            ///< true ones among the modes
  Index spurious = 0;         ///< finite and infinite ones
  Index at_zero = 0;          ///< true ones that are zero by structure: rigid-body motion
  bool certified = true;      ///< count, gap and violations agree
  double margin =
      Mode::unset;  ///< between the true and the spurious set: ratio of what separates them; NaN: no spurious
  std::vector<std::string> warnings{};
  std::string region{};  ///< where `expected` and `found` count, "with |s| < 10 rad/s"; empty: everywhere
  std::string kept{};    ///< which of these are among the modes, "the 3 least damped"; empty: all, or the lowest
  /// What is known of all eigenvalues, without computing them; where that was done.
  struct Counted {
    Index growing = 0;  ///< Re s > 0
    Index at_zero = 0;
    enum class Damping {
      none,
      partial,  ///< some motions might feel no damper
      complete  ///< every velocity meets a damper
    } damping = Damping::none;
    bool by_region = false;    ///< not by the energy alone: all that might grow lies in the region, which is known
    bool by_spectrum = false;  ///< all eigenvalues are known; none of them is near the imaginary axis but the zeros
  };
  std::optional<Counted> counted{};
  double seconds = 0;
  double certificate_seconds = Mode::unset;  ///< what of these took the proof that none is missing, where it is extra
};

struct ModesOptions {
  bool all = true;  ///< every eigenvalue; otherwise the `count` lowest, a conjugate pair counts once
  Index count = 20;
  bool spurious = true;  ///< keep those of the form only
  /// Instead: those nearest to this (rad/s), `count` of them; of a conjugate pair the nearer one decides.
  std::optional<std::complex<double>> near{};
  /// Instead: all with |s|/2π between the two (Hz).
  struct Band {
    double from = 0, to = 0;
  };
  std::optional<Band> band{};
  Index most_in_band = 500;  ///< so many are looked for one by one: `solve_general`
  bool growing = false;      ///< instead: all with Re s > 0
  Index least_damped = 0;    ///< of those asked for only so many: with the least damping ratios; 0: all
  bool certify = true;       ///< prove that none is missing, where that costs extra: `solve_general`
  /// Told now and then by the sparse solvers how far they are: "12 of 20 modes".
  std::function<void(const std::string&)> progress{};
};

/// How many finite eigenvalues the system has: deg det(s²M_r + sC_r + K_r), massless directions considered.
struct TrueCount {
  Index eigenvalues = 0;  ///< 2 rank M_r + rank of C_r on the massless directions
  Index at_zero = 0;      ///< algebraic multiplicity of s = 0
  Index massless = 0;     ///< dimension of null(M_r)
  Index damped = 0;       ///< of these directions, how many a damper resists
  std::string doubt{};    ///< about those at zero; empty: none
};
/// Throws Error if a direction has neither mass nor damping nor stiffness, with the coordinates that move in it.
TrueCount count_true(const LinearSystem& system, const MinimalForm& minimal);

Spectrum solve_modes(const LinearSystem& system, const MinimalForm& form, const ModesOptions& options = {});
/// `minimal` says how many true ones there are.
Spectrum solve_modes(const LinearSystem& system, const DescriptorForm& form, const TrueCount& count,
                     const ModesOptions& options = {});
/// `system` is the constrained one: it gives violations, residuals and corrections. `form` may be of the penalty's own
/// rest position.
Spectrum solve_modes(const LinearSystem& system, const PenaltyForm& form, const TrueCount& count,
                     const ModesOptions& options = {});

/// Nothing is damped, M and K are symmetric but for rounding, and no mass is negative.
bool is_conservative(const LinearSystem& system);

/// Some modes of a conservative system of any size: the lowest `count`, those of a band, or all; sparse, by Lanczos'
/// method on the bordered problem (T29). That none is missing is proved by the signs of two factorisations;
/// `certified` tells whether as many were found. Throws Error if the system is not conservative.
Spectrum solve_conservative(const LinearSystem& system, const ModesOptions& options = {});

/// Some modes of a system of any size and kind, damped, gyroscopic or with forces that follow; sparse, by a
/// second-order Krylov method on the bordered problem (T31). That none is missing is proved, unless the options say
/// that it is not wanted: by signs where everything is symmetric and weakly damped (T34), by the winding of the
/// determinant around them otherwise (T32). Those that grow are found where they can be (T36).
Spectrum solve_general(const LinearSystem& system, const ModesOptions& options = {});

/// The energy says so, without any eigenvalue (T33).
bool is_known_not_to_grow(const LinearSystem& system);

/// By `solve_conservative` where that can be and gives what is asked for, by `solve_general` otherwise.
Spectrum solve_some(const LinearSystem& system, const ModesOptions& options = {});

/// All modes of systems with so many freedoms, by dense solvers, take some seconds at most.
inline constexpr Index few_freedoms = 500;

/// The modes of the penalty system that so many of the mechanism lead to, `known`, which is by `solve_conservative` or
/// `solve_general`: each is followed, those together that lie closer than the penalty moves them (T37, T38); sparse,
/// for systems of any size. `at_rest` is the system at the penalty's own rest position, or `system` again; its J has
/// the same rows. Nothing spurious is found. `expected` are those that are known and those that are missing there;
/// certified, if as many different ones were found, and correcting each leads back to where it came from. Throws Error
/// for penalties that are not positive, and if the two systems are not of one size.
Spectrum follow_into_penalty(const LinearSystem& system, const LinearSystem& at_rest, const PenaltyOptions& penalty,
                             const Spectrum& known);

/// The system on each of its branches (singular configurations): M, C, K restricted to the tangents, with their modes.
struct BranchSpectrum {
  std::string name;
  Spectrum spectrum;
};
std::vector<BranchSpectrum> solve_branches(const LinearSystem& system);

}  // namespace stillpoint
