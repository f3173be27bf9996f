// The sparsity of the three forms of a system, and which form suits it ([González 2017], Fig. 5 and Table 6).
//
//   MCS   M_r = Rᵀ M R        s²M_r + sC_r + K_r
//   RCS   M_q = M             [ s²M + sC + K   Jᵀ ]
//                             [       J        0  ]
//   UCS   M_p = M + Jᵀ Ξ J    s²M_p + sC_p + K_p
//
// The leading matrices are on the left; on the right are the matrices that are factored at a shift s to find
// eigenvalues near it. CHOLMOD counts the size of a Cholesky factor from the pattern of A + Aᵀ, without pivoting, so
// that it is defined for singular matrices as well. For the bordered matrix, whose zero diagonal requires pivoting,
// this is a lower bound. Beside it stand two factorisations with pivoting: LU by KLU, and the LDLᵀ of the eigensolvers.
//
// A build with STILLPOINT_CHOLMOD=OFF has no Cholesky factorisation. The report then compares by LDLᵀ.
//
//   const SparsityReport report = measure_sparsity(system);
//   fmt::print("{}", to_text(report));
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>

#include "stillpoint/linear_system.h"

namespace stillpoint {

struct FactorCount {
  std::int64_t entries = 0;                                 ///< number of entries of L, its diagonal included
  double flops = std::numeric_limits<double>::quiet_NaN();  ///< Σ c_j² with c_j entries in column j; NaN: not counted

  bool is_known() const { return flops == flops; }
  double bytes() const { return 12.0 * static_cast<double>(entries); }  ///< a double and a row index per entry

  /// Wall time (s) of a numerical factorisation once the pattern has been analysed, the median of a few; NaN: not
  /// measured, or the matrix has no such factorisation. For Cholesky that of the simplicial form.
  double seconds = std::numeric_limits<double>::quiet_NaN();

  /// A Cholesky factor in the supernodal form: columns of similar structure share a dense block.
  struct Supernodal {
    std::int64_t entries = 0;  ///< number of stored entries; zeros within the blocks count
    double seconds = std::numeric_limits<double>::quiet_NaN();
  };
  Supernodal supernodal = {};  ///< Cholesky only; without entries: not analysed
};

/// A spy plot at reduced resolution: cells of width × width entries, darker where there are more.
struct Spy {
  static constexpr Index most_cells = 512;  ///< along a side
  static constexpr int darkest = 8;

  Index size = 0;            ///< of the matrix
  Index width = 1;           ///< of a cell
  std::int64_t entries = 0;  ///< number of the entries that were drawn
  /// Shades row by row: 0 for no entry, 1 for one entry, and proportional to the logarithm of their number up to
  /// `darkest`.
  std::vector<unsigned char> shades;

  Index cells() const { return (size + width - 1) / width; }
};

struct MatrixSparsity {
  std::string name;     ///< "M_r", or "MCS" for the matrix that is factored
  std::string formula;  ///< "RᵀMR"
  Index size = 0;
  std::int64_t entries = 0;         ///< number of nonzero entries; the rounding errors of a zero count
  std::int64_t lower_entries = 0;   ///< lower triangle of A + Aᵀ with the full diagonal: L has no fewer entries
  FactorCount natural, amd, metis;  ///< Cholesky, by the order of elimination
  FactorCount ldlt;  ///< LDLᵀ of the eigensolvers in its own order; delayed pivots, which depend on values, come on top
  /// L + U with pivoting, by KLU in its own order; always of the bordered matrix, of the others if they are timed.
  FactorCount lu;
  std::optional<bool> regular;  ///< leading matrices: whether an inverse exists, which explicit integration needs
  /// The matrix was not formed: `entries` is an upper bound, and factors are unknown unless the matrix is full.
  bool predicted = false;
  std::string note;                            ///< what was left out, and why
  std::optional<Spy> picture, factor_picture;  ///< on request; of L in the order of AMD

  double density() const;           ///< entries / size²
  const FactorCount& best() const;  ///< the Cholesky factor with the fewest operations; if none is known, that of LDLᵀ
  const char* best_order() const;   ///< "natural", "AMD", "METIS", "LDLᵀ"; "" if no factor is known
  double fill() const;              ///< entries of the best L divided by lower_entries; NaN if unknown
};

struct SparsityOptions {
  /// The memory in bytes that the matrices of a form, or an LU factorisation, may take. Larger ones are only predicted.
  double memory = 1e9;
  Index largest_metis = 200'000;  ///< in rows; METIS takes a hundred times as long as AMD, minutes for some millions
  bool pictures = false;
  /// The number of entries up to which a factor is drawn; each entry is visited, none is stored.
  std::int64_t largest_drawn = 1'000'000'000;
  /// Whether factorisations are timed, at a real shift of the order of the natural frequencies. Those of more than 10⁹
  /// operations are not (10¹⁰ in dense blocks).
  bool times = false;
  std::function<void(const std::string&)> progress{};
};

struct SparsityReport {
  std::string name;      ///< of the model
  std::string cholesky;  ///< what counted Cholesky factors: "CHOLMOD 3.0.14"; "" if the build has none
  Index coordinates = 0, constraints = 0, rank = 0, dof = 0;
  bool singular = false, damped = false;
  std::int64_t R_entries = 0;  ///< an upper bound if M_r is predicted
  MatrixSparsity M_r, M_q, M_p;
  MatrixSparsity mcs, rcs, ucs;  ///< matrices that are factored at a shift

  /// Orders of the eigenvalue problems for all eigenvalues: in s² without damping, in s with damping; RCS always in s.
  Index mcs_order() const { return damped ? 2 * dof : dof; }
  Index rcs_order() const { return 2 * coordinates + rank; }
  Index ucs_order() const { return damped ? 2 * coordinates : coordinates; }

  /// A row of Table 6 of [González 2017] for this system.
  struct Property {
    std::string feature, mcs, rcs, ucs;
  };
  std::vector<Property> properties;

  std::string suits;                ///< "mcs" or "rcs"; "" if the system has no degree of freedom
  std::vector<std::string> advice;  ///< sentences; the first one recommends a form
  double seconds = 0;
};

/// Returns the name and version of the library for Cholesky factorisations, or "" if this build has none.
std::string cholesky_library();

/// Measures the sparsity. The time is about proportional to the entries of the matrices, however large their factors
/// are; the LU factorisation and the pictures take a time proportional to the entries of the factors, and measured
/// times take that of the factorisations. Throws Error if memory runs out. It is not thread-safe, because METIS uses
/// rand().
SparsityReport measure_sparsity(const LinearSystem& system, const SparsityOptions& options = {});

std::string to_text(const SparsityReport& report);
/// Returns one JSON object of the schema stillpoint.sparsity/1.
std::string to_json(const SparsityReport& report);

/// Creates the folder if necessary and writes M_r.svg, M_q.svg, M_p.svg, mcs.svg, rcs.svg and ucs.svg, each a matrix
/// beside its factor, and masses.svg, the first three matrices side by side. The report must contain pictures. Returns
/// the paths. Throws Error if a file cannot be written.
std::vector<std::string> write_spy(const SparsityReport& report, const std::string& folder);

}  // namespace stillpoint
