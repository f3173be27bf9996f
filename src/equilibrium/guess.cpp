// The guess with its loops closed. If they do not close from the guess itself, then perhaps from a state near it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/name_list.h"
#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr int closing_attempts = 6;

// What is held goes first, as far as it can: then nothing is held, and little is left to be done.
Closing closed_from_guess(Search& search) {
  if (search.options.held.empty()) return search.closed(search.guess);
  search.statics.stiffen(search.options.held);
  const Closing held = search.closed(search.guess);
  search.statics.stiffen({});
  return search.closed(held.state);
}

Closing closed_from_near(Search& search, Closing best) {
  std::mt19937 random(1);
  for (int attempt = 1; attempt < closing_attempts && !is_closed(search, best); ++attempt) {
    Closing other = search.closed(shaken(search, search.guess, 0.05 * attempt, random));
    if (is_closed(search, other)) {
      search.rest.fallbacks.push_back("the loops did not close from the guess itself, but from a state near it");
    }
    if (other.opening() < best.opening()) best = std::move(other);
  }
  return best;
}

void accept_leftover(Search& search, const Closing& closing) {
  const Eigen::VectorXd phi = constraint_residual(search.model, closing.state);
  search.statics.allow_leftover(phi);
  search.opening = closing.opening();
  Index worst = 0;
  closing.gap.cwiseAbs().maxCoeff(&worst);
  search.rest.warnings.push_back(
      fmt::format("the constraints cannot all be met at once: '{}' stays open by {:.3g} (its own unit), {:.3g} of the "
                  "typical length; taken as rounding of the model's numbers",
                  search.model.constraint_name(worst), phi[worst], search.opening));
}

// At a minimum of the squared gaps JᵀΦ = 0: the gaps themselves say which constraints contradict each other.
std::string contradiction(const Model& model, const Eigen::VectorXd& gap) {
  std::vector<std::string> names;
  Index count = 0;
  for (Index i = 0; i < gap.size(); ++i) {
    if (std::abs(gap[i]) < 1e-2 * largest(gap)) continue;
    if (++count <= 8) names.push_back("'" + model.constraint_name(i) + "'");
  }
  return name_list(names, count);
}

void refuse_open(Search& search, const Closing& closing) {
  Equilibrium& rest = search.rest;
  rest.status = RestStatus::not_closed;
  rest.state = closing.state;
  note_gap(search, closing.gap);
  const std::string names = contradiction(search.model, closing.gap);
  rest.message = closing.stationary
                     ? fmt::format(
                           "the constraints {} contradict each other near the guess: they stay open by {:.3g} of the "
                           "typical length ({:.3g} m), where {:.3g} is allowed as rounding of the model's numbers",
                           names, closing.opening(), rest.typical_length, search.options.precision)
                     : fmt::format(
                           "the constraints were not closed after all steps: {} open by {:.3g} of the typical length "
                           "({:.3g} m); a guess nearer to a possible position may help",
                           names, closing.opening(), rest.typical_length);
}

}  // namespace

bool is_closed(const Search& search, const Closing& closing) {
  return closing.opening() <= std::max(search.options.precision, search.statics.closing_noise(closing.state));
}

State shaken(const Search& search, const State& state, double size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  Eigen::VectorXd x(search.statics.n());
  for (double& entry : x) entry = size * normal(random);
  return search.statics.displaced(state, x);
}

bool close_guess(Search& search) {
  const Closing closing = closed_from_near(search, closed_from_guess(search));
  search.start = closing.state;
  if (!is_closed(search, closing)) {
    refuse_open(search, closing);
    return false;
  }
  if (closing.opening() > 100 * search.statics.closing_noise(closing.state)) accept_leftover(search, closing);
  return true;
}

}  // namespace stillpoint
