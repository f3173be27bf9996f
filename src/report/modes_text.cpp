// The modes as text for a terminal.

#include <fmt/format.h>

#include <cmath>

#include "report/digits.h"
#include "report/mode_table.h"

namespace stillpoint {

namespace {

std::string penalty_line(const MethodReport::Penalty& penalty) {
  const bool is_one = penalty.smallest_alpha == penalty.largest_alpha;
  std::string text = is_one ? fmt::format("α = {:.3g}", penalty.largest_alpha)
                            : fmt::format("α = {:.3g} to {:.3g}", penalty.smallest_alpha, penalty.largest_alpha);
  text += fmt::format(", ξ = {:.3g}, ω = {:.3g} rad/s; ", penalty.xi, penalty.omega);
  return text +
         (std::isnan(penalty.largest_residual)
              ? "at the equilibrium of the constrained system"
              : fmt::format("at its own equilibrium, constraint residuals up to {:.1e}", penalty.largest_residual));
}

std::string of_certificate(const Spectrum& spectrum) {
  if (std::isnan(spectrum.certificate_seconds)) return {};
  return fmt::format(" ({} for the count)", duration(spectrum.certificate_seconds));
}

}  // namespace

std::string to_text(const AnalysisCase& analysis, const ModesReport& report, const PrintOptions& options) {
  const MethodReport& result = report.result;
  std::string text = verdict_text(analysis.system.name, report.verdict);
  text += configuration_lines(analysis);
  if (!result.computed) return text + summary_line(name_of(result.method), result.why_not);
  const Spectrum& spectrum = result.spectrum;
  text += summary_line("method", fmt::format("{}: {} of order {}, {}{}", name_of(result.method), spectrum.solver,
                                             spectrum.size, duration(spectrum.seconds), of_certificate(spectrum)));
  text += summary_line("engine", fmt::format("{}: {}", to_words(result.planned.engine), result.planned.why));
  if (result.penalty) text += summary_line("penalty", penalty_line(*result.penalty));
  text += summary_line("eigenvalues", count_words(spectrum));
  if (!spectrum.kept.empty()) text += summary_line("of these", spectrum.kept);
  text += warning_lines(analysis, report.warnings);
  return text + "\n" + mode_table(spectrum.modes, result.accounts, options.spurious) + branches_text(report.branches);
}

}  // namespace stillpoint
