// The modes for a person at a terminal.

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
  return text + (std::isnan(penalty.largest_gap)
                     ? "at the rest position of the constrained system"
                     : fmt::format("at its own rest position, gaps up to {:.1e}", penalty.largest_gap));
}

std::string of_certificate(const Spectrum& spectrum) {
  if (std::isnan(spectrum.certificate_seconds)) return {};
  return fmt::format(" ({} to count)", duration(spectrum.certificate_seconds));
}

}  // namespace

std::string to_text(const Subject& subject, const ModesReport& report, const PrintOptions& options) {
  const MethodReport& result = report.result;
  std::string text = verdict_text(subject.system.name, report.verdict);
  text += freedom_lines(subject);
  if (!result.computed) return text + summary_line(name_of(result.method), result.why_not);
  const Spectrum& spectrum = result.spectrum;
  text += summary_line("method", fmt::format("{}: {} of order {}, {}{}", name_of(result.method), spectrum.solver,
                                             spectrum.size, duration(spectrum.seconds), of_certificate(spectrum)));
  if (result.penalty) text += summary_line("penalty", penalty_line(*result.penalty));
  text += summary_line("eigenvalues", count_words(spectrum));
  if (!spectrum.kept.empty()) text += summary_line("of these", spectrum.kept);
  text += warning_lines(subject, report.warnings);
  return text + "\n" + mode_table(spectrum.modes, result.accounts, options.spurious) + branches_text(report.branches);
}

}  // namespace stillpoint
