// The steps that reports on modes consist of.
#pragma once

#include <optional>

#include "base/stopwatch.h"
#include "stillpoint/report.h"

namespace stillpoint {

/// What all methods need: the minimal form says how many true eigenvalues there are.
struct Basis {
  MinimalForm minimal;
  std::optional<TrueCount> count;  ///< MCS needs none
  double seconds = 0;
};
Basis find_basis(const Subject& subject, const ReportOptions& options, bool counts);

/// The spectrum by a method, without accounts of its modes. Throws Error if the system does not fit the method.
MethodReport solve_by(Method method, const Subject& subject, const Basis& basis, const ReportOptions& options);

/// All eigenvalues of systems with so many freedoms take half a minute at most.
inline constexpr Index soon_known = 1000;

/// Whether the sparse solver is to be taken. Throws Error if it is asked for and cannot be.
bool takes_sparse(Method method, const Subject& subject, const ReportOptions& options);
/// Whether it may, if nothing but the size were in the way.
bool can_be_sparse(Method method, const Subject& subject, const ReportOptions& options);
/// What a method makes of them: MCS and RCS leave them as they are, UCS follows them into the penalty system.
MethodReport solve_sparse(Method method, const Subject& subject, const Spectrum& known, const ReportOptions& options);

/// From all eigenvalues of the minimal form: `known`, unless some of them were left out.
Verdict judge_regular(const Subject& subject, const Basis& basis, const Spectrum& known);

std::vector<BranchReport> report_branches(const Subject& subject);
/// The worst of them; where there are none because nothing can move, that.
Verdict judge_branches(const Subject& subject, const std::vector<BranchReport>& branches);

}  // namespace stillpoint
