#include "sparsity/sparsity_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stillpoint {

namespace {

// For smaller problems dense solvers give all eigenvalues within seconds.
constexpr Index smallest_sparse = 2000;

// Limits of "no" and "moderate" fill: the number of entries of L relative to that of the factor of M.
constexpr double no_fill = 1, moderate_fill = 3;

bool is_small(const SparsityReport& report) { return report.rcs_order() <= smallest_sparse; }

std::string figure(double value) {
  if (std::isnan(value)) return "unknown";
  return value < 1e6 ? fmt::format("{:.0f}", value) : fmt::format("{:.2g}", value);
}

std::string percent(double part) { return fmt::format("{:.3g} %", 100 * part); }

// ----- Table 6

std::string integration(const MatrixSparsity& leading) {
  if (!leading.regular) return "if " + leading.name + " is regular";
  return *leading.regular ? "yes" : "no, " + leading.name + " is singular";
}

std::string degradation(const MatrixSparsity& leading, const MatrixSparsity& M_q) {
  if (!leading.best().is_known() || !M_q.best().is_known() || M_q.size == 0) return "unknown";
  const double ratio = static_cast<double>(leading.best().entries) / static_cast<double>(M_q.best().entries);
  const char* const word = ratio <= no_fill ? "no" : ratio <= moderate_fill ? "moderately" : "yes";
  return fmt::format("{}: L × {:.2g}", word, ratio);
}

std::vector<SparsityReport::Property> properties_of(const SparsityReport& report) {
  const std::int64_t r = report.rank, dependent = report.constraints - r;
  const bool massless = report.M_r.regular && !*report.M_r.regular;
  std::vector<SparsityReport::Property> rows{
      {"order, all eigenvalues", std::to_string(report.mcs_order()), std::to_string(report.rcs_order()),
       std::to_string(report.ucs_order())},
      {"computed in advance", fmt::format("R, {} entries", figure(static_cast<double>(report.R_entries))), "-",
       r > 0 ? "Jᵀ Ξ J" : "-"},
      {"flops of the factor at a shift", figure(report.mcs.best().flops), figure(report.rcs.best().flops),
       figure(report.ucs.best().flops)},
      {"explicit integration", integration(report.M_r), "no", integration(report.M_p)},
      {"exact eigenvalues", "yes", "yes", r > 0 ? "no" : "yes"},
      {"spurious eigenvalues", "none", fmt::format("{}{}, infinite", massless ? "at least " : "", 3 * r),
       fmt::format("{}, finite", 2 * r)},
      {"singular configurations", "yes, R is chosen there", "yes", "yes"},
      {"degrades sparsity", degradation(report.M_r, report.M_q), "no", degradation(report.M_p, report.M_q)}};
  if (dependent > 0) {
    rows.push_back({"dependent constraints", fmt::format("{} left out", dependent),
                    fmt::format("{} left out", dependent), fmt::format("{} kept", dependent)});
  }
  return rows;
}

// ----- recommendation of a form

// UCS is never recommended: where its factor is the smallest, the advantage is small, and its eigenvalues are
// approximate.
std::string choose(const SparsityReport& report) {
  if (report.dof == 0) return "";
  if (is_small(report)) return "mcs";
  return !report.mcs.predicted && report.mcs.best().flops <= report.rcs.best().flops ? "mcs" : "rcs";
}

std::string small_system(const SparsityReport& report) {
  return fmt::format(
      "MCS suits this system: it is small enough for every eigenvalue, and MCS finds them with matrices of order {}, "
      "against {} (RCS) and {} (UCS), exact and with nothing to filter out.",
      report.mcs_order(), report.rcs_order(), report.ucs_order());
}

std::string comparison(const SparsityReport& report) {
  const auto cost = [](const MatrixSparsity& matrix) {
    if (matrix.predicted)
      return matrix.name + " up to " + figure(static_cast<double>(matrix.entries)) + " entries, not formed";
    return fmt::format("{} {} flops", matrix.name, figure(matrix.best().flops));
  };
  return fmt::format("to factor at a shift: {}; {}; {}", cost(report.mcs), cost(report.rcs), cost(report.ucs));
}

std::string verdict(const SparsityReport& report) {
  if (report.suits.empty()) return "The system has no degree of freedom, so that no method applies.";
  if (is_small(report)) return small_system(report);
  const std::string costs = comparison(report);
  if (report.suits == "mcs") {
    return fmt::format("MCS suits this system ({}). It is exact and has no spurious eigenvalues to filter out.", costs);
  }
  return fmt::format(
      "RCS suits this system ({}). It is exact, and the bordered matrix has no spurious eigenvalues: the {} infinite "
      "ones belong to the pencil of order {} only.",
      costs, 3 * std::int64_t{report.rank}, report.rcs_order());
}

// ----- further conclusions

void add_density(const SparsityReport& report, std::vector<std::string>& advice) {
  const MatrixSparsity &M_r = report.M_r, &M_q = report.M_q;
  constexpr Index worth_saying = 10;
  constexpr double full = 0.5;
  if (M_r.size < worth_saying || M_r.predicted) return;
  if (M_r.density() > full) {
    advice.push_back(
        fmt::format("Reduction fills M_r: {} of its entries are not zero, of M_q's {}. Memory grows with the "
                    "square of the {} degrees of freedom.",
                    percent(M_r.density()), percent(M_q.density()), M_r.size));
  } else {
    advice.push_back(fmt::format("Reduction keeps M_r sparse: {} of its entries are not zero, and its factor has {}.",
                                 percent(M_r.density()), M_r.best().entries));
  }
}

void add_order(const SparsityReport& report, std::vector<std::string>& advice) {
  const MatrixSparsity& bordered = report.rcs;
  const auto entries = [](const FactorCount& factor) { return static_cast<double>(factor.entries); };
  constexpr double much = 3, some = 0.9;
  if (entries(bordered.natural) > much * entries(bordered.best())) {
    advice.push_back(
        fmt::format("Order before factoring: the bordered factor has {} entries in its natural order, {} in "
                    "that of {}.",
                    figure(entries(bordered.natural)), figure(entries(bordered.best())), bordered.best_order()));
  }
  for (const MatrixSparsity* matrix : {&report.mcs, &bordered, &report.ucs}) {
    if (!(matrix->metis.flops < some * matrix->amd.flops)) continue;
    advice.push_back(fmt::format("{}: METIS saves {} of the flops of AMD.", matrix->name,
                                 percent(1 - matrix->metis.flops / matrix->amd.flops)));
  }
}

void add_penalty(const SparsityReport& report, std::vector<std::string>& advice) {
  if (report.suits.empty() || is_small(report) || report.ucs.predicted) return;
  const MatrixSparsity& chosen = report.suits == "mcs" ? report.mcs : report.rcs;
  const double part = report.ucs.best().flops / chosen.best().flops;
  constexpr double worth_saying = 0.8;
  if (!(part < worth_saying)) return;
  advice.push_back(
      fmt::format("UCS would need {} of these flops; the error of its eigenvalues decreases with 1/α, "
                  "and {} spurious ones lie among them.",
                  percent(part), 2 * std::int64_t{report.rank}));
}

void add_special(const SparsityReport& report, std::vector<std::string>& advice) {
  if (report.M_r.regular && !*report.M_r.regular) {
    advice.push_back("M_r is singular: some motions have no mass, and MCS has infinite eigenvalues, too.");
  }
  if (report.rank < report.constraints) {
    advice.push_back(
        fmt::format("Only {} of the {} constraints are independent: MCS and RCS omit the others, UCS keeps them as "
                    "additional penalties.",
                    report.rank, report.constraints));
  }
  if (report.singular) {
    advice.push_back(
        "The configuration is singular: all three methods give its instantaneous eigenvalues, and only the "
        "spectra of the branches decide stability.");
  }
}

}  // namespace

void advise(SparsityReport& report) {
  report.properties = properties_of(report);
  report.suits = choose(report);
  report.advice = {verdict(report)};
  add_density(report, report.advice);
  add_order(report, report.advice);
  add_penalty(report, report.advice);
  add_special(report, report.advice);
}

}  // namespace stillpoint
