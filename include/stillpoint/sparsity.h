// What each form of a system does to sparsity, and which form suits it (mathematics §8; paper 000, Fig. 5 and Table 6).
//
//   MCS   M_r = Rᵀ M R        s²M_r + sC_r + K_r
//   RCS   M_q = M             [ s²M + sC + K   Jᵀ ]
//                             [       J        0  ]
//   UCS   M_p = M + Jᵀ Ξ J    s²M_p + sC_p + K_p
//
// On the left the leading matrices, on the right what must be factored at a shift s to find eigenvalues near it. The
// factor is counted from the pattern of A + Aᵀ, as L Lᵀ or L D Lᵀ without exchanging rows, so that singular matrices
// have one, too: a lower bound for the bordered matrix, whose zero diagonal asks for exchanges, and of which an LU with
// pivots is made as well.
//
//   const SparsityReport report = measure_sparsity(system);
//   fmt::print("{}", to_text(report));
#pragma once

#include <array>
#include <limits>
#include <optional>

#include "stillpoint/linear_system.h"

namespace stillpoint {

struct FactorCount {
  std::int64_t entries = 0;                                 ///< of L, the diagonal included
  double flops = std::numeric_limits<double>::quiet_NaN();  ///< Σ c_j², c_j: entries in column j; NaN: not counted

  bool is_known() const { return flops == flops; }
  double bytes() const { return 12.0 * static_cast<double>(entries); }  ///< a double and a row's index for each
};

/// What a pattern looks like from far away: cells of width × width entries, darker where there are more.
struct Spy {
  static constexpr Index most_cells = 512;  ///< along a side
  static constexpr int darkest = 8;

  Index size = 0;   ///< of the matrix
  Index width = 1;  ///< of a cell
  /// Row by row: 0 without an entry, 1 with one, and in proportion to the logarithm of their number up to `darkest`.
  std::vector<unsigned char> shades;

  Index cells() const { return (size + width - 1) / width; }
};

struct MatrixSparsity {
  std::string name;     ///< "M_r", or "MCS" for what is factored
  std::string formula;  ///< "RᵀMR"
  Index size = 0;
  std::int64_t entries = 0;        ///< that are not zero; what rounding leaves of a zero counts
  std::int64_t lower_entries = 0;  ///< of the lower triangle of A + Aᵀ with the whole diagonal: L has no fewer
  FactorCount natural, amd, metis;
  FactorCount lu;               ///< bordered matrix: L + U with pivots, KLU in its own order; unknown for the others
  std::optional<bool> regular;  ///< of leading matrices: it has an inverse, which explicit integration needs
  /// Not formed: `entries` is an estimate from above, factors are unknown unless all entries fill in.
  bool predicted = false;
  std::string note;                            ///< what has been left out, and why
  std::optional<Spy> picture, factor_picture;  ///< if they were asked for; of L in the order of AMD

  double density() const;           ///< entries / size²
  const FactorCount& best() const;  ///< the fewest flops of those that are known
  const char* best_order() const;   ///< "natural", "AMD", "METIS"; "" if none is known
  double fill() const;              ///< entries of the best L over lower_entries; NaN if it is not known
};

struct SparsityOptions {
  /// Bytes that the matrices of a form, or an LU, may take. What would need more is only predicted.
  double memory = 1e9;
  Index largest_metis = 200'000;  ///< rows: METIS takes a hundred times as long as AMD, minutes for some millions
  bool pictures = false;
  /// Entries of a factor up to which its picture is drawn: each is visited, none is kept.
  std::int64_t largest_drawn = 1'000'000'000;
};

struct SparsityReport {
  std::string name;  ///< of the model
  Index coordinates = 0, constraints = 0, rank = 0, freedom = 0;
  bool singular = false, damped = false;
  std::int64_t R_entries = 0;  ///< estimated if M_r is
  MatrixSparsity M_r, M_q, M_p;
  MatrixSparsity mcs, rcs, ucs;  ///< what is factored at a shift

  /// Orders of the eigenvalue problems that give every eigenvalue: of s² where there is no damping, of s otherwise;
  /// RCS: of s always.
  Index mcs_order() const { return damped ? 2 * freedom : freedom; }
  Index rcs_order() const { return 2 * coordinates + rank; }
  Index ucs_order() const { return damped ? 2 * coordinates : coordinates; }

  /// Table 6 of paper 000, for this system.
  struct Property {
    std::string feature, mcs, rcs, ucs;
  };
  std::vector<Property> properties;

  std::string suits;                ///< "mcs" or "rcs"; "" if nothing can move
  std::vector<std::string> advice;  ///< sentences; the first says what suits
  double seconds = 0;
};

/// Takes a time about proportional to the entries of the matrices, however large their factors are; the LU and the
/// pictures take one proportional to those.
SparsityReport measure_sparsity(const LinearSystem& system, const SparsityOptions& options = {});

std::string to_text(const SparsityReport& report);
/// One object, schema stillpoint.sparsity/1.
std::string to_json(const SparsityReport& report);

/// Makes the folder if it does not exist; in it M_r.svg, M_q.svg, M_p.svg, mcs.svg, rcs.svg and ucs.svg, each a matrix
/// with its factor, and masses.svg, the first three side by side. The report must hold pictures. Returns the paths.
/// Throws Error if a file cannot be written.
std::vector<std::string> write_spy(const SparsityReport& report, const std::string& folder);

}  // namespace stillpoint
