#include "linearize/energy_shares.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/at.h"
#include "base/in_parallel.h"
#include "linearize/element_stiffness.h"

namespace stillpoint {

namespace {

using Motion = Eigen::Ref<const Eigen::VectorXcd>;
using Share = EnergyShares::Share;

constexpr double least_share = 1e-6;  // relative to the largest
constexpr std::size_t most_shares = 10'000;

/// Energies in J, before they are divided by their sum.
struct Account {
  std::vector<double> by_block;                 // kinetic
  std::vector<std::vector<double>> by_element;  // potential, for each array
};

// The energy xᴴ M x by rows: the coupling of two blocks is divided equally between them. The nodes of a flexible body
// count for the body.
std::vector<double> kinetic(const Model& model, const SparseMatrix& M, const Motion& motion) {
  std::vector<double> by_block(model.blocks().size(), 0);
  const Eigen::VectorXcd momentum = M * motion;
  for (std::size_t b = 0; b < by_block.size(); ++b) {
    const Block& block = model.blocks()[b];
    const std::size_t owner = block.kind == BlockKind::node ? at(block.carrier) : b;
    for (Index i = block.first; i < block.first + coordinates_of(block.kind); ++i) {
      by_block[owner] += (std::conj(motion[i]) * momentum[i]).real();
    }
  }
  return by_block;
}

double total(const std::vector<double>& energies) {
  double sum = 0;
  for (const double energy : energies) sum += std::abs(energy);
  return sum;
}

/// An energy with its owner. Names are made only for the entries that are kept.
struct Part {
  double energy = 0;
  std::size_t array = 0;  // array of the element; `of_block` for a body
  Index index = 0;

  static constexpr std::size_t of_block = static_cast<std::size_t>(-1);
};

// Keeps the large energies, in descending order of magnitude.
void keep_large(std::vector<Part>& parts) {
  double largest = 0;
  for (const Part& part : parts) largest = std::max(largest, std::abs(part.energy));
  std::erase_if(parts, [&](const Part& part) { return !(std::abs(part.energy) > least_share * largest); });
  const auto comes_first = [](const Part& a, const Part& b) {
    const double of_a = std::abs(a.energy), of_b = std::abs(b.energy);
    return of_a != of_b ? of_a > of_b : std::pair(a.array, a.index) < std::pair(b.array, b.index);
  };
  if (parts.size() > most_shares) {
    std::nth_element(parts.begin(), parts.begin() + most_shares, parts.end(), comes_first);
    parts.resize(most_shares);
  }
  std::sort(parts.begin(), parts.end(), comes_first);
}

std::string kind_of(const Model& model, const Part& part) {
  return part.array == Part::of_block ? "body" : std::string(model.arrays()[part.array].elements->info().keyword);
}

// A spring may have the name of a joint or of a body: then the type is added to the name.
std::vector<Share> named(const Model& model, const std::vector<Part>& parts, double sum) {
  std::vector<Share> shares;
  std::map<std::string, int> times;
  for (const Part& part : parts) {
    const bool is_block = part.array == Part::of_block;
    const std::string name = is_block ? model.block_name(part.index) : model.element_name(part.array, part.index);
    shares.push_back({name, part.energy / sum});
    ++times[name];
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (times[shares[i].name] > 1) shares[i].name += " (" + kind_of(model, parts[i]) + ")";
  }
  return shares;
}

std::vector<Share> kinetic_shares(const Model& model, const std::vector<double>& by_block) {
  std::vector<Part> parts;
  for (std::size_t b = 0; b < by_block.size(); ++b) {
    parts.push_back({by_block[b], Part::of_block, static_cast<Index>(b)});
  }
  keep_large(parts);
  return named(model, parts, total(by_block));
}

// Weight counts for the body; an element with elastic energy has its own entry.
bool is_mass(const ElementArrayBase& elements) {
  return (elements.laws() & Law::inertia) != 0 && (elements.laws() & (Law::residual | Law::energy)) == 0;
}

std::vector<Share> potential_shares(const Model& model, const Context& context,
                                    const std::vector<std::vector<double>>& by_element) {
  std::vector<Part> parts;
  std::map<Index, double> by_block;
  for (std::size_t array = 0; array < by_element.size(); ++array) {
    const ElementArrayBase& elements = *model.arrays()[array].elements;
    for (std::size_t e = 0; e < by_element[array].size(); ++e) {
      const double energy = by_element[array][e];
      const auto element = static_cast<Index>(e);
      if (energy == 0) continue;
      if (is_mass(elements)) by_block[elements.block(context, element, 0)] += energy;
      else parts.push_back({energy, array, element});
    }
  }
  for (const auto& [block, energy] : by_block) parts.push_back({energy, Part::of_block, block});
  double sum = 0;
  for (const Part& part : parts) sum += std::abs(part.energy);
  keep_large(parts);
  return named(model, parts, sum);
}

// An element without forces and constraints has no stiffness.
bool is_idle(const ElementArrayBase& elements) { return elements.laws() == 0 || elements.laws() == Law::inertia; }

// One chunk of elements per scratch matrix, whose size is that of the model.
Index elements_at_once(const Model& model) { return std::max<Index>(4096, model.coordinates() / 16); }

/// Adds the potential energy of each element of an array in each of the motions.
void add_potential(const Model& model, const State& state, const double* lambda, std::size_t array,
                   const Eigen::MatrixXcd& motions, std::vector<Account>& accounts) {
  const ModelArray& of_type = model.arrays()[array];
  const ElementArrayBase& elements = *of_type.elements;
  if (is_idle(elements)) return;
  for (Account& account : accounts) account.by_element[array].resize(at(elements.size()));
  in_parallel_chunks(elements.size(), elements_at_once(model), [&](Index begin, Index end) {
    ElementStiffnesses stiffness(model, state);
    for (Index e = begin; e < end; ++e) {
      const ElementStiffness K = stiffness.of(array, e, lambda + of_type.first_row + e * elements.rows());
      for (std::size_t k = 0; k < accounts.size(); ++k) {
        const auto motion = motions.col(static_cast<Eigen::Index>(k));
        accounts[k].by_element[array][at(e)] = K.product(motion, motion);
      }
    }
  });
}

}  // namespace

std::vector<EnergyShares> energy_shares_of_each(const Model& model, const State& state, const SparseMatrix& M,
                                                const Eigen::MatrixXcd& motions) {
  if (motions.rows() != model.coordinates()) throw std::invalid_argument("motions have another size than the model");
  const Context context = model.context(state);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(state.lambda.size() == 0 ? model.constraints() : 0);
  const double* const lambda = state.lambda.size() == 0 ? none.data() : state.lambda.data();

  std::vector<Account> accounts(at(motions.cols()));
  for (std::size_t k = 0; k < accounts.size(); ++k) {
    accounts[k].by_block = kinetic(model, M, motions.col(static_cast<Eigen::Index>(k)));
    accounts[k].by_element.resize(model.arrays().size());
  }
  for (std::size_t array = 0; array < model.arrays().size(); ++array) {
    add_potential(model, state, lambda, array, motions, accounts);
  }

  std::vector<EnergyShares> found;
  for (const Account& account : accounts) {
    found.push_back({kinetic_shares(model, account.by_block), potential_shares(model, context, account.by_element)});
  }
  return found;
}

std::vector<EnergyShares> energy_shares_of_each(const Model& model, const State& state,
                                                const Eigen::MatrixXcd& motions) {
  return energy_shares_of_each(model, state, Assembly(model).at(state).M, motions);
}

EnergyShares energy_shares(const Model& model, const State& state, const Eigen::VectorXcd& motion) {
  return energy_shares_of_each(model, state, motion).front();
}

}  // namespace stillpoint
