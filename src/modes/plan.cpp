// Which engine finds the modes: a table of (structure, request, size) → engine, with one cost model.
//
// The rows stand in `rows`, in the order of the page docs/modes.md, which holds the table that `plan_table` makes of
// them. `plan` keeps the rows that fit the question and sorts them by their estimated cost.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"

namespace stillpoint {

namespace {

constexpr double affordable = 60;        // s: an engine that takes longer is no second choice
constexpr double soon = 2;               // s: an answer to the whole question is preferred to one of a part of it
constexpr Index largest_dense = 12'000;  // order of a dense problem: 1.2 GB for each matrix of QZ
constexpr Index few_lowest = 20;         // asked for in place of all eigenvalues that are not certified at once

struct Question {
  Method method;
  const SystemStructure& structure;
  const ProblemSize& size;
  bool is_singular;
  const AnalysisOptions& options;

  const ModesOptions& modes() const { return options.modes; }
  bool wants_dense() const { return options.engine == EngineChoice::dense || options.engine == EngineChoice::qz; }
  bool wants_sparse() const {
    return options.engine == EngineChoice::sparse || options.engine == EngineChoice::spectra;
  }
  /// Nobody chose a basis of MCS, which the sparse engines do not use.
  bool is_basis_open() const {
    const MinimalOptions& minimal = options.minimal;
    return method != Method::mcs || (minimal.basis == NullSpaceBasis::partition && minimal.independent.empty());
  }
  bool allows_sparse() const {
    return wants_sparse() || (!wants_dense() && !is_singular && is_basis_open() && !modes().asks_for<All>());
  }
  bool allows_dense() const { return !wants_sparse(); }
};

// ----- Cost model

// Seconds on one core of a machine of 2022, from runs of the campaign `plan` (docs/benchmarks.md). They need to be
// right relative to each other, to about a factor of two.
double cube(double order) { return order * order * order; }

double symmetric_seconds(double order) { return 4e-5 + 2e-8 * cube(order); }
double low_rank_seconds(double order) { return 6e-5 + 4e-8 * cube(order); }
double qz_seconds(double order) { return 1e-4 + 2e-8 * cube(order); }

double dof_of(const Question& q) { return q.size.dof(); }
double unknowns(const Question& q) { return double(q.size.coordinates) + q.size.rows; }

/// R, and the products of matrices with it.
double minimal_form_seconds(const Question& q) {
  const double n = q.size.coordinates, d = dof_of(q);
  return 5e-7 * (n + double(q.size.entries)) + 3e-9 * n * d + 3e-9 * d * double(q.size.entries);
}

/// The order of the pencil whose eigenvalues QZ finds.
double pencil_order(const Question& q) {
  const double n = q.size.coordinates;
  if (q.method == Method::rcs) return 2 * n + q.size.rows;
  return 2 * (q.method == Method::ucs ? n : dof_of(q));
}

double definite_order(const Question& q) { return q.method == Method::ucs ? q.size.coordinates : dof_of(q); }

/// A factorisation or a solution of the bordered problem, by its entries: fill-in is not known beforehand.
double solution_seconds(const Question& q) { return 2e-7 * unknowns(q) + 6e-9 * double(q.size.entries); }

double wanted(const Question& q) {
  const double guess = few_lowest;  // of a band, or of what is unstable, the number is not known
  return std::min<double>(requested_count(q.modes().which).value_or(static_cast<Index>(guess)), dof_of(q));
}

double lanczos_seconds(const Question& q) {
  const double k = wanted(q), steps = 2 * k + 12;
  return 5e-4 + 6 * (steps + 20) * solution_seconds(q) + 2e-9 * steps * steps * unknowns(q) + 1e-8 * cube(k);
}

double galerkin_seconds(const Question& q) { return 2 * lanczos_seconds(q) + 2e-7 * cube(wanted(q)); }

double toar_seconds(const Question& q) {
  const double k = wanted(q), steps = 4 * k + 40, count = q.modes().certify ? 60 : 0;
  return 1e-3 + 1.2 * (steps + 8 * count) * solution_seconds(q) + 1e-8 * steps * steps * unknowns(q) +
         1e-7 * cube(steps);
}

double energy_seconds(const Question& q) { return 1e-4 + 40 * solution_seconds(q); }

// ----- The table

bool takes_definite(const Question& q) {
  return !q.modes().qz && q.options.engine != EngineChoice::qz && q.method != Method::rcs && q.structure.symmetric() &&
         q.structure.nonnegative_mass;
}

/// Whether C has so low a rank that it is a change of low rank of the undamped problem.
bool has_low_rank_damping(const Question& q) {
  constexpr Index orders_per_damper = 6;
  return !q.structure.undamped && q.structure.dissipative &&
         q.structure.damped_coordinates <= definite_order(q) / orders_per_damper;
}

bool is_conservative_request(const Question& q) {
  const auto* const nearest = q.modes().if_asks_for<Nearest>();
  return q.structure.conservative() && !q.modes().asks_for<Unstable>() && (!nearest || nearest->point.imag() != 0);
}

bool is_light_damping_request(const Question& q) {
  return !q.structure.undamped && q.structure.symmetric() && q.structure.passive() &&
         (q.modes().asks_for<Lowest>() || q.modes().asks_for<Band>());
}

bool is_energy_request(const Question& q) { return q.modes().asks_for<Unstable>() && q.structure.known_stable; }

struct Row {
  Engine engine;
  bool is_sparse;
  bool (*fits)(const Question&);
  double (*seconds)(const Question&);
  const char *system, *request, *why, *proof;
};

constexpr const char* counts_degree = "the number of eigenvalues is the degree of the determinant";

const std::array rows{
    Row{Engine::branch_spectra, false, [](const Question& q) { return q.is_singular; },
        [](const Question& q) { return qz_seconds(pencil_order(q)); }, "singular configuration", "any",
        "the configuration is singular: each branch of motion has a spectrum of its own", counts_degree},
    Row{Engine::energy_criterion, true, is_energy_request, energy_seconds, "passive, with a minimum of the potential",
        "unstable", "the signs of mass, damping and stiffness exclude unstable eigenvalues",
        "no eigenvalue has a positive real part, by the energy criterion"},
    Row{Engine::spectrum_slicing, true, is_conservative_request, lanczos_seconds, "undamped, symmetric",
        "lowest, band, near a point off the real axis", "the system is undamped and symmetric",
        "the inertia of factorisations at the ends of the region counts them"},
    Row{Engine::light_damping, true, is_light_damping_request, galerkin_seconds, "symmetric, damped", "lowest, band",
        "the undamped modes are a good basis where the damping is light; TOAR follows where it is not",
        "inertia and a perturbation bound count them, or else the argument principle"},
    Row{Engine::toar, true,
        [](const Question& q) {
          return !is_conservative_request(q) && !is_light_damping_request(q) && !is_energy_request(q);
        },
        toar_seconds, "any", "lowest, band, near any point, unstable", "matrices may be of any kind",
        "inertia counts them where all is gyroscopic, or else the argument principle"},
    Row{Engine::dense_symmetric, false,
        [](const Question& q) { return !q.is_singular && takes_definite(q) && q.structure.undamped; },
        [](const Question& q) { return symmetric_seconds(definite_order(q)); }, "undamped, symmetric", "any",
        "the problem is small, symmetric and undamped", counts_degree},
    Row{Engine::dense_low_rank, false,
        [](const Question& q) { return !q.is_singular && takes_definite(q) && has_low_rank_damping(q); },
        [](const Question& q) { return low_rank_seconds(definite_order(q)); }, "symmetric, damping of low rank", "any",
        "the problem is small, and its damping is a change of low rank", counts_degree},
    Row{Engine::dense_qz, false,
        [](const Question& q) {
          return !q.is_singular && !(takes_definite(q) && (q.structure.undamped || has_low_rank_damping(q)));
        },
        [](const Question& q) { return qz_seconds(pencil_order(q)); }, "any", "any", "the problem is small",
        counts_degree},
};

PlannedEngine planned(const Row& row, const Question& q) {
  PlannedEngine result{row.engine, q.method, row.why, row.proof, row.seconds(q), false};
  if (!row.is_sparse && q.method == Method::mcs) result.seconds += minimal_form_seconds(q);
  if (row.is_sparse && q.method == Method::ucs) {
    result.engine = Engine::penalty_continuation;
    result.why = "the modes of the mechanism are near those of the penalty system";
    result.proof = "those of the mechanism are counted, and each is continued there and back";
    result.seconds *= 3;
  }
  return result;
}

std::vector<PlannedEngine> fitting(const Question& q) {
  std::vector<PlannedEngine> engines;
  for (const Row& row : rows) {
    if (row.is_sparse ? !q.allows_sparse() : !q.allows_dense()) continue;
    if (row.fits(q)) engines.push_back(planned(row, q));
  }
  return engines;
}

bool is_dense_within_reach(const PlannedEngine& engine, const Question& q) {
  return is_sparse(engine.engine) || pencil_order(q) <= largest_dense;
}

void require_possible(const Question& q) {
  if (!q.wants_sparse()) return;
  if (q.is_singular) throw Error("the sparse engines do not know singular configurations");
  if (q.options.engine == EngineChoice::spectra && !is_conservative_request(q))
    throw Error("the engine 'spectra' finds modes of undamped systems with symmetric matrices and M ≥ 0");
}

/// All eigenvalues by QZ of the descriptor form: MCS condenses massless directions, which may hide what they do.
void add_other_method(const Question& q, std::vector<PlannedEngine>& engines) {
  if (q.method == Method::ucs || q.is_singular) return;
  const Question other{q.method == Method::mcs ? Method::rcs : Method::mcs, q.structure, q.size, false, q.options};
  for (PlannedEngine engine : fitting(other)) {
    if (is_sparse(engine.engine) || engine.seconds > affordable || !is_dense_within_reach(engine, other)) continue;
    engine.is_fallback = true;
    engines.push_back(engine);
  }
}

/// Where all eigenvalues at once are not certain, because those of a fine mesh lie far apart, the lowest may be.
void add_lowest_of_all(const Question& q, std::vector<PlannedEngine>& engines) {
  const auto* const all = q.modes().if_asks_for<All>();
  if (!all || all->is_required || q.is_singular || !q.is_basis_open()) return;
  AnalysisOptions lowest = q.options;
  lowest.modes.which = Lowest{few_lowest};
  for (PlannedEngine engine : fitting({q.method, q.structure, q.size, false, lowest})) {
    if (!is_sparse(engine.engine) || engine.seconds > affordable) continue;
    engine.is_fallback = true;
    engine.lowest_of_all = few_lowest;
    engines.push_back(engine);
  }
}

}  // namespace

bool is_sparse(Engine engine) {
  return engine == Engine::spectrum_slicing || engine == Engine::light_damping || engine == Engine::toar ||
         engine == Engine::energy_criterion || engine == Engine::penalty_continuation || engine == Engine::external;
}

ProblemSize size_of(const LinearSystem& system) {
  return {system.coordinates(), system.rank(),
          std::int64_t{system.M.nonZeros()} + system.C.nonZeros() + system.K.nonZeros() + 2 * system.J.nonZeros()};
}

std::vector<PlannedEngine> plan(Method method, const SystemStructure& structure, const ProblemSize& size, bool singular,
                                const AnalysisOptions& options) {
  const Question question{method, structure, size, singular, options};
  require_possible(question);
  std::vector<PlannedEngine> engines = fitting(question);
  const auto by_cost = [](const PlannedEngine& a, const PlannedEngine& b) { return a.seconds < b.seconds; };
  std::stable_sort(engines.begin(), engines.end(), by_cost);
  if (engines.size() > 1) {  // a second choice must be within reach; the first may be all that is asked for
    const auto beyond = [&](const PlannedEngine& engine) {
      return &engine != engines.data() && (engine.seconds > affordable || !is_dense_within_reach(engine, question));
    };
    engines.erase(std::remove_if(engines.begin() + 1, engines.end(), beyond), engines.end());
  }
  if (options.engine != EngineChoice::automatic) return engines;
  std::vector<PlannedEngine> fallbacks;
  add_lowest_of_all(question, fallbacks);
  add_other_method(question, fallbacks);
  // The whole answer first, where it is soon there; otherwise by cost.
  std::stable_sort(fallbacks.begin(), fallbacks.end(), [&](const PlannedEngine& a, const PlannedEngine& b) {
    const bool a_whole = a.lowest_of_all == 0 && a.seconds < soon, b_whole = b.lowest_of_all == 0 && b.seconds < soon;
    return a_whole != b_whole ? a_whole : a.seconds < b.seconds;
  });
  engines.insert(engines.end(), fallbacks.begin(), fallbacks.end());
  return engines;
}

const char* to_words(Engine engine) {
  switch (engine) {
    case Engine::dense_symmetric:
      return "dense generalised symmetric solver";
    case Engine::dense_low_rank:
      return "dense symmetric solver with low-rank damping";
    case Engine::dense_qz:
      return "dense QZ";
    case Engine::spectrum_slicing:
      return "shift-and-invert Lanczos with spectrum slicing";
    case Engine::light_damping:
      return "undamped modes with Galerkin corrections";
    case Engine::toar:
      return "TOAR at one or several shifts";
    case Engine::energy_criterion:
      return "energy criterion";
    case Engine::penalty_continuation:
      return "continuation of known modes into the penalty system";
    case Engine::branch_spectra:
      return "dense QZ, and the spectrum of each branch";
    case Engine::external:
      return "another program";
  }
  return "";
}

std::string to_words(const PlannedEngine& engine) {
  return fmt::format("{}, as {}; none is missing, as {}", to_words(engine.engine), engine.why, engine.proof);
}

std::string plan_table() {
  std::string text = "| system | request | engine | none is missing, because |\n|---|---|---|---|\n";
  for (const Row& row : rows)
    text += fmt::format("| {} | {} | {} | {} |\n", row.system, row.request, to_words(row.engine), row.proof);
  text += fmt::format("| penalty method (UCS), large | lowest, band, near a point | {} | {} |\n",
                      to_words(Engine::penalty_continuation),
                      "those of the mechanism are counted, and each is continued there and back");
  return text;
}

const char* key_of(Method method) { return method == Method::mcs ? "mcs" : method == Method::rcs ? "rcs" : "ucs"; }

}  // namespace stillpoint
