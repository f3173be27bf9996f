// Search for several equilibria of one model, from seeded random starts (multistart).

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <tuple>

#include "equilibrium/assembly_problem.h"
#include "equilibrium/same_equilibrium.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

namespace {

using Vector = Eigen::VectorXd;

constexpr double same = 1e-6;  // equilibria closer than this are the same

/// Random starts: translations within a few typical lengths of the guess, rotations anywhere.
class Starts {
 public:
  Starts(const Model& model, const Statics& statics, unsigned seed) : model_(model), statics_(statics), random_(seed) {}

  State next(const State& guess, double spread) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> turn(-std::numbers::pi, std::numbers::pi);
    const Vector& s = statics_.scales().s;
    Vector x(statics_.n());
    for (const Block& block : model_.blocks()) {
      if (block.kind == BlockKind::node) {  // flexible bodies start undeformed: their displacements are small
        x.segment(block.first, coordinates_of(block.kind)).setZero();
        continue;
      }
      for (Index i = 0; i < coordinates_of(block.kind); ++i) {
        const Index k = block.first + i;
        const bool turns = (block.kind == BlockKind::body && i == 2) || (block.kind == BlockKind::space_body && i >= 3);
        x[k] = turns ? turn(random_) : spread * normal(random_) * (block.kind == BlockKind::scalar ? 1 / s[k] : 1);
        if (block.kind == BlockKind::scalar) x[k] = turn(random_) / s[k];
      }
    }
    return statics_.displaced(guess, x);
  }

 private:
  const Model& model_;
  const Statics& statics_;
  std::mt19937 random_;
};

bool is_same(const Model& model, const Statics& statics, const State& a, const State& b) {
  Vector x = statics.difference(a, b);
  for (const Block& block : model.blocks()) {
    if (block.kind != BlockKind::body && block.kind != BlockKind::scalar) continue;
    const Index k = block.first + coordinates_of(block.kind) - 1;
    const double s = statics.scales().s[k];
    x[k] = std::remainder(x[k] * s, 2 * std::numbers::pi) / s;
  }
  const double V_a = potential_energy(model, a), V_b = potential_energy(model, b);
  return (x.size() == 0 || x.lpNorm<Eigen::Infinity>() < same) &&
         std::abs(V_a - V_b) <= same * (std::abs(V_a) + std::abs(V_b) + statics.energy());
}

// Along a continuum of equilibria the potential energy does not change, and each of its points has neutral directions:
// those that agree in both belong to one family.
void mark_families(const Model& model, const Statics& statics, std::vector<Equilibrium>& found) {
  struct Family {
    Equilibrium* first;
    double potential;
    Index number = 0;
  };
  std::vector<Family> families;
  Index count = 0;
  for (Equilibrium& rest : found) {
    if (rest.neutral_directions <= 0) continue;
    const double V = potential_energy(model, rest.state);
    const auto family = std::find_if(families.begin(), families.end(), [&](const Family& other) {
      return std::abs(V - other.potential) <= same * (std::abs(V) + std::abs(other.potential) + statics.energy()) &&
             rest.neutral_directions == other.first->neutral_directions &&
             rest.unstable_directions == other.first->unstable_directions;
    });
    if (family == families.end()) {
      families.push_back({&rest, V});
      continue;
    }
    if (family->number == 0) family->first->family = family->number = ++count;
    rest.family = family->number;
  }
}

}  // namespace

bool is_same_equilibrium(const Model& model, const State& a, const State& b) {
  return is_same(model, Statics(model, a), a, b);
}

std::vector<Equilibrium> find_equilibria(const Model& model, const State& guess, const SearchOptions& options) {
  const Statics statics(model, guess);
  Starts starts(model, statics, options.seed);
  std::vector<Equilibrium> found;
  const auto keep = [&](Equilibrium rest) {
    if (rest.status != EquilibriumStatus::at_rest) return;
    const bool known = std::any_of(found.begin(), found.end(), [&](const Equilibrium& other) {
      return is_same(model, statics, other.state, rest.state);
    });
    if (!known) found.push_back(std::move(rest));
  };
  EquilibriumOptions each = options;
  for (int k = 0; k <= options.starts; ++k) {
    const State start = k == 0 ? guess : starts.next(guess, k % 3 == 0 ? 0.3 : k % 3 == 1 ? 1.0 : 3.0);
    for (const EquilibriumRequest kind : {EquilibriumRequest::nearest, EquilibriumRequest::stable}) {
      if (kind == EquilibriumRequest::stable && k % 4 != 0) continue;
      each.rest = kind;
      try {
        keep(find_equilibrium(model, start, each));
      } catch (const Error&) {
        if (k == 0) throw;  // the force has no value at this start; only the guess must have one
      }
    }
  }
  mark_families(model, statics, found);
  std::stable_sort(found.begin(), found.end(), [](const Equilibrium& a, const Equilibrium& b) {
    return std::tuple(a.family > 0, a.unstable_directions, a.family) <
           std::tuple(b.family > 0, b.unstable_directions, b.family);
  });
  return found;
}

}  // namespace stillpoint
