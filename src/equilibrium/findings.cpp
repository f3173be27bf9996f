// Description of the point at which the search ended: multipliers, residuals, configuration type, and the reason if it
// is not an equilibrium.

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <utility>

#include "equilibrium/configuration.h"
#include "equilibrium/search.h"

namespace stillpoint {

namespace {

// Where rows are dependent, λ is not unique: the one of least norm is orthogonal to all ν with Jᵀν = 0. (LeastNorm
// would find it too, but by normal equations: the bordered matrix is more accurate near singular configurations, and
// its elimination order is known.)
void take_multipliers(Search& search) {
  Statics& statics = search.statics;
  const SparseMatrix& N = search.dependence.null_vectors;
  if (N.cols() > 0) {
    search.signs.reset();
    Point refitted = statics.at(search.point.state);
    if (statics.fit_multipliers(refitted)) search.point = std::move(refitted);
    const SparseMatrix gram = N.transpose() * N;
    const Eigen::SimplicialLDLT<SparseMatrix> solver(gram);
    Eigen::VectorXd& lambda = search.point.state.lambda;
    if (solver.info() == Eigen::Success) lambda -= N * solver.solve(N.transpose() * lambda);
  }
  statics.linearize(search.point);
  search.rest.state = search.point.state;
}

void note_residuals(Search& search) {
  const Point& point = search.point;
  search.rest.force_residual = point.residual();
  if (search.statics.n() > 0) {
    Index worst = 0;
    point.r.cwiseAbs().maxCoeff(&worst);
    search.rest.worst_coordinate = search.model.coordinate_name(worst);
  }
  note_constraint_residual(search, search.statics.whole_phi(point.state));
}

void refuse(Equilibrium& rest, EquilibriumStatus status, std::string message) {
  rest.status = status;
  rest.message = "not an equilibrium: " + std::move(message);
  rest.verdict = "undecided";
  rest.verdict_basis = "it is not at rest";
}

std::string reason_of(const Search& search) {
  switch (search.end) {
    case Relaxation::End::ran_away:
      return "it moves without limit: nothing seems to hold it";
    case Relaxation::End::too_many_steps:
      return fmt::format("not converged after {} iterations", search.rest.iterations);
    case Relaxation::End::rows_changed:
      return "the constraints depend on each other in a different way at every step";
    default:
      return search.options.rest == EquilibriumRequest::check ? "the guess was only checked"
                                                              : "no step reduces the residual";
  }
}

void explain_failure(Search& search) {
  Equilibrium& rest = search.rest;
  const bool checking = search.options.rest == EquilibriumRequest::check;
  const EquilibriumStatus status = checking ? EquilibriumStatus::not_at_rest : EquilibriumStatus::not_converged;
  const bool open = rest.constraint_residual > std::max(search.residual_bound, checked_to) ||
                    (checking && search.residual_bound > checked_to);
  if (open) {
    refuse(rest, status,
           fmt::format("constraint residual {:.1e} > {:.1e}, largest at '{}' ({})", rest.constraint_residual,
                       checked_to, rest.worst_constraint, reason_of(search)));
  } else {
    refuse(rest, status,
           fmt::format("force residual {:.1e} > {:.1e}, largest at '{}' ({})", rest.force_residual,
                       checking ? checked_to : tolerance_at(search.point), rest.worst_coordinate, reason_of(search)));
  }
}

// The iteration ended because the multipliers grew: where J loses rank they can balance any load.
void explain_dead_position(Search& search) {
  Equilibrium& rest = search.rest;
  refuse(rest, EquilibriumStatus::not_converged,
         fmt::format("in this dead position of the mechanism (rank {} of {}) no finite constraint forces balance the "
                     "load; {:.1e} of the forces remains unbalanced, most of it at '{}'",
                     rest.rank.value, search.statics.m(), rest.force_residual, rest.worst_coordinate));
}

// Two rods in one line carry a transverse load by forces that grow as the rods are stretched less. Where rounding of
// the constraints decides the size of these forces, other multipliers may not balance the load at all.
bool is_held_by_rounding(Search& search) {
  constexpr double much_larger = 1e5, decides = 0.03;
  Statics& statics = search.statics;
  const Eigen::VectorXd &s = statics.scales().s, &lambda = search.point.state.lambda;
  const Matrices& at = statics.matrices(search.point.state);
  const Eigen::VectorXd held = at.J.cwiseAbs().transpose() * lambda.cwiseAbs();
  const double load = largest(s.cwiseProduct(search.point.f));
  if (!(load > 0 && largest(s.cwiseProduct(held)) > much_larger * load) || !statics.factor(at, {})) return false;
  const double noise = statics.constraint_noise(search.point.state);
  const Eigen::VectorXd change =
      statics.solve(Eigen::VectorXd::Zero(statics.n()), Eigen::VectorXd::Constant(statics.m(), noise)).lambda;
  return largest(change) > decides * largest(lambda);
}

void explain_rounding(Search& search) {
  refuse(search.rest, EquilibriumStatus::not_converged,
         fmt::format("near a dead position of the mechanism constraint forces of {:.1e} hold the load, and rounding "
                     "of the constraints ({:.1e}) decides how large they are",
                     largest(search.point.state.lambda), search.statics.constraint_noise(search.point.state)));
}

}  // namespace

void note_rank(Search& search) {
  search.rest.rank = search.dependence.rank;
  search.rest.independent_rows = search.dependence.independent;
  search.rest.dof = search.statics.n() - search.dependence.rank.value;
}

void note_constraint_residual(Search& search, const Eigen::VectorXd& phi) {
  search.rest.constraint_residual = 0;
  if (phi.size() == 0) return;
  Index worst = 0;
  search.rest.constraint_residual = phi.cwiseAbs().maxCoeff(&worst);
  search.rest.worst_constraint = search.model.constraint_name(worst);
}

void describe_configuration(Search& search) {
  Equilibrium& rest = search.rest;
  const RowDependence& dependence = search.dependence;
  if (dependence.null_vectors.cols() > 0) {
    const State& state = search.point.state;
    ConfigurationReport report =
        classify_configuration(search.statics, state, dependence, state_uncertainty(search, state));
    rest.kind = report.kind;
    rest.redundant_equations = report.redundant;
    rest.free_multipliers = report.free_multipliers;
    rest.branches = std::move(report.branches);
    for (const std::vector<Index>& rows : report.dependent_rows) {
      std::vector<std::string> names;
      for (const Index row : rows) names.push_back(search.model.constraint_name(row));
      rest.dependent_sets.push_back(std::move(names));
    }
    if (!report.remark.empty()) rest.warnings.push_back(report.remark);
    rest.fallbacks.emplace_back(
        "J does not have full row rank: the Moore–Penrose pseudoinverse gives the multipliers of least norm");
  }
  if (dependence.rank.outcome == RankOutcome::undecided) {
    rest.kind = ConfigurationType::undecided;
    rest.warnings.push_back(fmt::format(
        "the rank of the constraints is not certain: {} of {} with a gap of only {:.1e}; option 'rank' sets it",
        dependence.rank.value, search.statics.m(), dependence.rank.gap));
  }
}

void examine(Search& search) {
  note_rank(search);
  take_multipliers(search);
  note_residuals(search);
  const Point& point = search.point;
  const bool balanced = point.residual() <= std::max({checked_to, tolerance_at(point), 10 * search.residual_bound});
  if (search.end != Relaxation::End::at_rest) return explain_failure(search);
  if (!balanced) return explain_dead_position(search);
  if (is_held_by_rounding(search)) return explain_rounding(search);
  search.rest.status = EquilibriumStatus::at_rest;
  describe_configuration(search);
  warn_of_axial_loads(search.model, point.state, search.rest.warnings);
  warn_of_compressed_springs(search.model, point.state, search.rest.warnings);
  judge(search);
  find_perturbed_equilibria(search);
}

}  // namespace stillpoint
