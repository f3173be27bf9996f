#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/at.h"
#include "base/name_list.h"
#include "forms/congruence.h"
#include "forms/orthonormal.h"
#include "forms/partition.h"
#include "forms/prescribed_motion.h"
#include "forms/projective.h"
#include "forms/relative_motions.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

// The choice by elimination is improved by the projective criterion while that takes no more than about a second: n k²
// below this.
constexpr double cheap = 1e9;

constexpr Index most_names = 10'000;

void require_small(const LinearSystem& system, const MinimalOptions& options, const char* what) {
  if (system.coordinates() <= options.largest_dense) return;
  throw Error(fmt::format("{} needs dense matrices of size {}; allowed are {} (largest_dense): choose a partition",
                          what, system.coordinates(), options.largest_dense));
}

/// The criterion needs a dense n × k matrix, and M_r.
void require_few_freedoms(const LinearSystem& system, Index largest) {
  const double entries = static_cast<double>(system.coordinates()) * system.freedom();
  if (system.freedom() <= largest && entries <= static_cast<double>(largest) * largest) return;
  throw Error(fmt::format(
      "the projective criterion needs a dense matrix of {} coordinates by {} freedoms; allowed are {} freedoms and {} "
      "entries: choose a partition",
      system.coordinates(), system.freedom(), largest, static_cast<std::int64_t>(largest) * largest));
}

std::string names_of(const std::vector<Index>& coordinates, const NameOf& name) {
  std::vector<std::string> names;
  for (const Index i : coordinates) {
    if (names.size() == 8) break;
    names.push_back("'" + name(i) + "'");
  }
  return name_list(names, static_cast<Index>(coordinates.size()));
}

/// The user's coordinates, ascending.
std::vector<Index> valid_choice(const LinearSystem& system, std::vector<Index> independent) {
  const Index n = system.coordinates();
  if (static_cast<Index>(independent.size()) != system.freedom()) {
    throw Error(
        fmt::format("{} independent coordinates were given; there are {} degrees of freedom ({} coordinates, {} "
                    "independent constraints)",
                    independent.size(), system.freedom(), n, system.rank()));
  }
  for (const Index i : independent) {
    if (i < 0 || i >= n) throw Error(fmt::format("there is no coordinate {}: they count from 0 to {}", i, n - 1));
  }
  std::sort(independent.begin(), independent.end());
  const auto twice = std::adjacent_find(independent.begin(), independent.end());
  if (twice != independent.end()) {
    throw Error(fmt::format("the independent coordinate '{}' was given twice", system.coordinate_name(*twice)));
  }
  return independent;
}

[[noreturn]] void refuse(const LinearSystem& system, const ScaledConstraints& constraints,
                         const std::vector<Index>& independent) {
  const Misfits misfits = find_misfits(constraints, independent);
  if (misfits.following.empty()) {
    throw Undecided(
        fmt::format("the other coordinates hardly follow from {}: the constraints are too badly conditioned",
                    names_of(independent, system.coordinate_name)));
  }
  throw Error(fmt::format(
      "the independent coordinates do not determine the others: here {} can move while they stand "
      "still, and {} cannot be chosen freely",
      names_of(misfits.undetermined, system.coordinate_name), names_of(misfits.following, system.coordinate_name)));
}

Tangents tangents_of(const LinearSystem& system, const ScaledConstraints& constraints,
                     const std::vector<Index>& independent) {
  auto tangents = tangents_of_partition(constraints, independent, system.G);
  if (!tangents) refuse(system, constraints, independent);
  return *std::move(tangents);
}

struct Partition {
  std::vector<Index> independent;
  Tangents tangents;
};

Partition improved_by_projection(const LinearSystem& system, const ScaledConstraints& constraints, Partition first) {
  std::vector<Index> better = independent_by_projection(system.M, first.tangents.R, constraints.columns);
  if (better == first.independent || better.size() != first.independent.size()) return first;
  auto tangents = tangents_of_partition(constraints, better, system.G);
  if (!tangents) return first;
  return {std::move(better), *std::move(tangents)};
}

Partition by_elimination(const LinearSystem& system, const ScaledConstraints& constraints) {
  Partition partition;
  partition.independent = independent_by_mass(constraints, system.M);
  partition.tangents = tangents_of(system, constraints, partition.independent);
  return partition;
}

Partition find_partition(const LinearSystem& system, const ScaledConstraints& constraints,
                         const MinimalOptions& options) {
  if (!options.independent.empty()) {
    Partition partition{valid_choice(system, options.independent), {}};
    partition.tangents = tangents_of(system, constraints, partition.independent);
    return partition;
  }
  switch (options.tangent) {
    case Tangent::lu: {
      require_small(system, options, "LU with complete pivoting");
      Partition partition{independent_by_complete_pivoting(constraints), {}};
      partition.tangents = tangents_of(system, constraints, partition.independent);
      return partition;
    }
    case Tangent::projective:
      require_few_freedoms(system, options.largest_dense);
      return improved_by_projection(system, constraints, by_elimination(system, constraints));
    default: {
      Partition partition = by_elimination(system, constraints);
      const double effort = static_cast<double>(system.coordinates()) * system.freedom() * system.freedom();
      if (effort > cheap) return partition;
      return improved_by_projection(system, constraints, std::move(partition));
    }
  }
}

std::vector<std::string> first_names(const MinimalForm& form, const NameOf& name) {
  std::vector<std::string> names;
  for (Index j = 0; j < std::min(static_cast<Index>(form.R.cols()), most_names); ++j) names.push_back(name(j));
  return names;
}

Tangents orthonormal(const LinearSystem& system, const ScaledConstraints& constraints, Tangent tangent) {
  // Columns keep the units of q.
  Eigen::MatrixXd J = constraints.S.toDense();
  for (Index j = 0; j < system.coordinates(); ++j) J.col(j) *= std::ldexp(1.0, -constraints.columns[at(j)]);
  Tangents tangents;
  tangents.R = orthonormal_tangents(J, tangent).sparseView();
  tangents.S = SparseMatrix(system.coordinates(), system.inputs());
  if (system.G.nonZeros() > 0) tangents.S = shortest_solution(J, constraints.scaled(system.G).toDense()).sparseView();
  return tangents;
}

bool is_partition(Tangent tangent) {
  return tangent == Tangent::partition || tangent == Tangent::projective || tangent == Tangent::lu;
}

/// The system that is left for the motions along a tree: of its constraints only those that close loops count.
LinearSystem left_to_close(const LinearSystem& system, const RelativeMotions& tree, const NameOf& name) {
  LinearSystem left;
  left.M = congruence(tree.R, system.M);
  left.J = system.J * tree.R;
  left.G = system.G;
  left.F = SparseMatrix(tree.R.cols(), system.inputs());
  left.coordinate_name = name;
  left.rows.independent = tree.closing;
  left.rows.rank.value = static_cast<Index>(tree.closing.size());
  return left;
}

/// R, S and the names of z, which are motions along a tree of joints.
MinimalForm in_relative_motions(const LinearSystem& system, const ScaledConstraints& constraints,
                                const MinimalOptions& options) {
  if (!system.joint_tree) {
    throw Error(
        "tangents along a tree of joints need a model: matrices do not tell which coordinates belong to a body");
  }
  const JointTree tree = system.joint_tree();
  const std::int64_t most_entries = std::int64_t{options.largest_dense} * options.largest_dense;
  RelativeMotions motions = relative_motions(tree, constraints, system.G, most_entries);
  const auto name = [&](Index j) {
    const auto [coordinate, block] = motions.motions[at(j)];
    const Index parent = tree.blocks[at(block)].parent;
    return system.coordinate_name(coordinate) + (parent >= 0 ? "/" + tree.block_name(parent) : "");
  };
  MinimalForm form;
  std::vector<Index> independent(motions.motions.size());
  if (motions.closing.empty()) {
    std::iota(independent.begin(), independent.end(), 0);
    form.R = std::move(motions.R);
    form.S = SparseMatrix(system.coordinates(), system.inputs());
  } else {
    const LinearSystem left = left_to_close(system, motions, name);
    const Partition partition = find_partition(left, scale_constraints(left), {});
    independent = partition.independent;
    form.R = motions.R * partition.tangents.R;
    form.S = motions.R * partition.tangents.S;
  }
  form.names = first_names(form, [&](Index j) { return name(independent[at(j)]); });
  return form;
}

/// The equations of motion along the tangents (T8).
void project(const LinearSystem& system, MinimalForm& form) {
  form.M = congruence(form.R, system.M);
  form.C = congruence(form.R, system.C);
  form.K = congruence(form.R, system.K);
}

void project_inputs(const LinearSystem& system, MinimalForm& form) {
  const SparseMatrix Rt = form.R.transpose();
  form.F = Rt * SparseMatrix(system.F - SparseMatrix(system.K * form.S));
  form.Fv = -(Rt * SparseMatrix(system.C * form.S));
  form.Fa = -(Rt * SparseMatrix(system.M * form.S));
}

}  // namespace

MinimalForm minimal_form(const LinearSystem& system, const MinimalOptions& options) {
  require_consistent_motion(system);
  if (!options.independent.empty() && options.tangent != Tangent::partition) {
    throw Error("independent coordinates were given for tangents that are found in another way; choose a partition");
  }
  const ScaledConstraints constraints = scale_constraints(system);
  MinimalForm form;
  if (options.tangent == Tangent::topological) {
    form = in_relative_motions(system, constraints, options);
  } else if (is_partition(options.tangent)) {
    Partition partition = find_partition(system, constraints, options);
    form.independent = std::move(partition.independent);
    form.R = std::move(partition.tangents.R);
    form.S = std::move(partition.tangents.S);
    form.names = first_names(form, [&](Index j) { return system.coordinate_name(form.independent[at(j)]); });
  } else {
    require_small(system, options, "an orthonormal basis");
    Tangents tangents = orthonormal(system, constraints, options.tangent);
    form.R = std::move(tangents.R);
    form.S = std::move(tangents.S);
    form.names = first_names(form, [](Index j) { return fmt::format("t[{}]", j + 1); });
  }
  project(system, form);
  project_inputs(system, form);
  return form;
}

MinimalForm branch_form(const LinearSystem& system, const MotionBranch& branch) {
  MinimalForm form;
  form.R = branch.tangents.sparseView();
  project(system, form);
  return form;
}

Eigen::VectorXd projective_criterion(const LinearSystem& system) {
  require_few_freedoms(system, MinimalOptions{}.largest_dense);
  const ScaledConstraints constraints = scale_constraints(system);
  const Partition partition = by_elimination(system, constraints);
  return projected_parts(system.M, partition.tangents.R, constraints.columns);
}

}  // namespace stillpoint
