// Preload: free lengths and angles l at which a configuration is an equilibrium (inverse statics). The forces are
// linear in them,
//
//   P (∂f/∂l) δl = −P f,     P the projection onto null(J),
//
// with the least norm of δl in units of the typical length and of the radian.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "equilibrium/assembly_problem.h"
#include "equilibrium/least_change.h"
#include "equilibrium/relax.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr int most_changes = 4;  // the first one solves, the others remove what rounding of large forces leaves

std::vector<ElementNumber> numbers_to_find(const Model& model, const PreloadOptions& options) {
  std::vector<ElementNumber> numbers =
      options.elements.empty() ? model.preloaded() : model.free_states(options.elements);
  if (numbers.empty()) throw Error("no spring of this model has 'preload: true', so there is nothing to preload");
  return numbers;
}

/// The unit in which changes of a number are compared with those of others.
double unit_of(const ElementNumber& number, const Statics& statics) {
  return number.field->unit == "m" ? statics.scales().length : 1;
}

/// The change of the forces with a number of an element, from which they depend linearly.
class ForceChange {
 public:
  ForceChange(const Model& model, const State& state)
      : model_(model), context_(model.context(state)), f_(Eigen::VectorXd::Zero(model.coordinates())) {}

  void add(const ElementNumber& number, Index column, double unit,
           std::vector<Eigen::Triplet<double, Index>>& entries) {
    const ElementArrayBase& elements = *model_.arrays()[number.array].elements;
    const std::shared_ptr<ElementArrayBase> element = elements.part({{number.element}});
    std::vector<Index> coordinates;
    element->add_coordinates(context_, 0, coordinates);
    const auto forces_if = [&](double value) {
      FieldValue stored;
      stored.count = 1;
      stored.numbers[0] = value;
      element->set(0, *number.field, stored);
      element->prepare(context_);
      for (const Index i : coordinates) f_[i] = 0;
      element->add_forces(context_, f_.data());
      return Eigen::VectorXd(f_(coordinates));
    };
    const Eigen::VectorXd before = forces_if(number.value), after = forces_if(number.value + unit);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      const bool is_first = std::find(coordinates.begin(), coordinates.begin() + static_cast<std::ptrdiff_t>(k),
                                      coordinates[k]) == coordinates.begin() + static_cast<std::ptrdiff_t>(k);
      const auto i = static_cast<Eigen::Index>(k);
      if (is_first) entries.emplace_back(coordinates[k], column, after[i] - before[i]);
    }
  }

 private:
  const Model& model_;
  Context context_;
  Eigen::VectorXd f_;
};

SparseMatrix changes_of_forces(const Model& model, const Statics& statics, const State& state,
                               const std::vector<ElementNumber>& numbers) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  ForceChange change(model, state);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    change.add(numbers[k], static_cast<Index>(k), unit_of(numbers[k], statics), entries);
  SparseMatrix B(model.coordinates(), static_cast<Index>(numbers.size()));
  B.setFromTriplets(entries.begin(), entries.end());
  return B;
}

std::string words_of(const Preload& preload) {
  if (!preload.balanced)
    return fmt::format(
        "no free state of these springs holds it here: {:.3g} of the forces remains unbalanced, most of "
        "it on '{}'",
        preload.unbalanced, preload.worst_coordinate);
  if (preload.choices > 0)
    return fmt::format("{} more spring{} than needed: the least change was taken", preload.choices,
                       preload.choices > 1 ? "s" : "");
  return {};
}

/// Finds the changes at a configuration whose constraints are satisfied.
class FreeStates {
 public:
  FreeStates(const Model& model, const AssemblyResult& assembled, Preload& preload)
      : residual_(assembled.constraint_residual()), preload_(preload) {
    preload_.model = model;
    preload_.state = assembled.state;
  }

  void run() {
    double before = std::numeric_limits<double>::infinity();
    for (int step = 0; step < most_changes; ++step) {
      Statics statics(preload_.model, preload_.state);
      const Matrices& at = statics.matrices(preload_.state);
      statics.use_rows(statics.dependence(at, {.noise = std::min(0.1, 10 * residual_)}).independent);
      Point point = statics.at(preload_.state);
      if (!statics.fit_multipliers(point)) {
        preload_.message = "the independent constraints cannot be distinguished here";
        return;
      }
      const Matrices& linear = statics.linearize(point);
      preload_.unbalanced = point.residual();
      preload_.worst_coordinate = worst_coordinate(statics, point);
      preload_.balanced = preload_.unbalanced <= std::max(1e-10, tolerance_at(point));
      if (preload_.unbalanced <= tolerance_at(point) || !(preload_.unbalanced < 0.5 * before)) break;
      if (step + 1 == most_changes) break;
      before = preload_.unbalanced;
      if (!change(statics, linear, point)) return;
    }
    preload_.message = words_of(preload_);
  }

 private:
  /// False if a spring would need a free state that is not allowed.
  bool change(Statics& statics, const Matrices& at, const Point& point) {
    const SparseMatrix B = changes_of_forces(preload_.model, statics, point.state, preload_.numbers);
    const std::optional<LeastChange> least = least_change(statics, at, point.r, B);
    if (!least) return true;
    preload_.choices = least->choices;
    for (std::size_t k = 0; k < preload_.numbers.size(); ++k)
      preload_.numbers[k].value += least->x[static_cast<Eigen::Index>(k)] * unit_of(preload_.numbers[k], statics);
    try {
      preload_.model = preload_.model.with(preload_.numbers);
    } catch (const FieldError& error) {
      preload_.balanced = false;
      preload_.message = std::string("this configuration cannot be held: ") + error.message();
      return false;
    }
    return true;
  }

  double residual_;
  Preload& preload_;
};

}  // namespace

Preload find_preload(const Model& model, const State& guess, const PreloadOptions& options) {
  Preload preload{.model = model, .state = guess, .numbers = numbers_to_find(model, options)};
  Statics statics(model, guess);
  const AssemblyResult assembled = assemble_constraints(statics, guess);
  if (assembled.constraint_residual() > std::max(options.precision, statics.constraint_noise(assembled.state))) {
    preload.message =
        fmt::format("the constraint residual is {:.3g} of the typical length here", assembled.constraint_residual());
    return preload;
  }
  FreeStates(model, assembled, preload).run();
  return preload;
}

}  // namespace stillpoint
