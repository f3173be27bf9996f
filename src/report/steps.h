// The steps that reports on modes consist of.
#pragma once

#include <chrono>

#include "stillpoint/report.h"

namespace stillpoint {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// What all methods need: the minimal form says how many true eigenvalues there are.
struct Basis {
  MinimalForm minimal;
  TrueCount count;
  double seconds = 0;
};
Basis find_basis(const Subject& subject, const ReportOptions& options);

/// The spectrum by a method, without accounts of its modes. Throws Error if the system does not fit the method.
MethodReport solve_by(Method method, const Subject& subject, const Basis& basis, const ReportOptions& options);

/// From all eigenvalues of the minimal form: `known`, unless some of them were left out.
Verdict judge_regular(const Subject& subject, const Basis& basis, const Spectrum& known);

std::vector<BranchReport> report_branches(const Subject& subject);
/// The worst of them.
Verdict judge_branches(const std::vector<BranchReport>& branches);

}  // namespace stillpoint
