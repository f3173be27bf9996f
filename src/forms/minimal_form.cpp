// Minimal form: the choice of the basis R of null(J), and the projection of the equations of motion onto it, theory
// (3.1), (3.2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/at.h"
#include "base/name_list.h"
#include "forms/congruence.h"
#include "forms/minimal_form_nearby.h"
#include "forms/orthonormal.h"
#include "forms/partition.h"
#include "forms/prescribed_motion.h"
#include "forms/projective.h"
#include "forms/relative_motions.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

// The projective criterion improves the choice by elimination up to this n k², about a second of work.
constexpr double largest_projection_effort = 1e9;

constexpr Index most_names = 10'000;

void require_dense_size(const LinearSystem& system, const MinimalOptions& options, const char* what) {
  if (system.coordinates() <= options.largest_dense) return;
  throw Error(fmt::format("{} needs dense matrices of size {}; allowed are {} (largest_dense): choose a partition",
                          what, system.coordinates(), options.largest_dense));
}

/// The criterion needs a dense n × k matrix, and M_r.
void require_few_dof(const LinearSystem& system, Index largest) {
  const double entries = static_cast<double>(system.coordinates()) * system.dof();
  if (system.dof() <= largest && entries <= static_cast<double>(largest) * largest) return;
  throw Error(
      fmt::format("the projective criterion needs a dense matrix of {} coordinates by {} degrees of freedom; allowed "
                  "are {} degrees of freedom and {} entries: choose a partition",
                  system.coordinates(), system.dof(), largest, static_cast<std::int64_t>(largest) * largest));
}

std::string names_of(const std::vector<Index>& coordinates, const NameOf& name) {
  std::vector<std::string> names;
  for (const Index i : coordinates) {
    if (names.size() == 8) break;
    names.push_back("'" + name(i) + "'");
  }
  return name_list(names, static_cast<Index>(coordinates.size()));
}

/// Returns the given coordinates, ascending.
std::vector<Index> valid_choice(const LinearSystem& system, std::vector<Index> independent) {
  const Index n = system.coordinates();
  if (static_cast<Index>(independent.size()) != system.dof()) {
    throw Error(
        fmt::format("{} independent coordinates were given; there are {} degrees of freedom ({} coordinates, {} "
                    "independent constraints)",
                    independent.size(), system.dof(), n, system.rank()));
  }
  for (const Index i : independent) {
    if (i < 0 || i >= n)
      throw Error(fmt::format("there is no coordinate {}: coordinates are numbered from 0 to {}", i, n - 1));
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
  if (misfits.dependent.empty()) {
    throw Undecided(
        fmt::format("the other coordinates cannot be computed from {}: the constraints are too badly conditioned",
                    names_of(independent, system.coordinate_name)));
  }
  throw Error(fmt::format(
      "the independent coordinates do not determine the others: here {} can move while they stand "
      "still, and {} cannot be chosen freely",
      names_of(misfits.undetermined, system.coordinate_name), names_of(misfits.dependent, system.coordinate_name)));
}

ConstraintNullSpace null_space_of(const LinearSystem& system, const ScaledConstraints& constraints,
                                  const std::vector<Index>& independent) {
  auto null_space = null_space_of_partition(constraints, independent, system.G);
  if (!null_space) refuse(system, constraints, independent);
  return *std::move(null_space);
}

struct Partition {
  std::vector<Index> independent;
  ConstraintNullSpace null_space;
};

double largest_entry_without_units(const SparseMatrix& R, const std::vector<Index>& independent,
                                   const ScaledConstraints& constraints) {
  double largest = 0;
  for (Index j = 0; j < R.outerSize(); ++j) {
    const int own = constraints.columns[at(independent[at(j)])];
    for (SparseMatrix::InnerIterator entry(R, j); entry; ++entry)
      largest = std::max(largest, std::ldexp(std::abs(entry.value()), own - constraints.columns[at(entry.row())]));
  }
  return largest;
}

std::optional<Partition> kept_partition(const LinearSystem& system, const ScaledConstraints& constraints,
                                        const ChosenPartition& chosen) {
  constexpr double most_growth = 2;
  if (static_cast<Index>(chosen.independent.size()) != system.dof()) return {};
  auto null_space = null_space_of_partition(constraints, chosen.independent, system.G);
  if (!null_space ||
      !(largest_entry_without_units(null_space->R, chosen.independent, constraints) <= most_growth * chosen.largest))
    return {};
  return Partition{chosen.independent, *std::move(null_space)};
}

Partition improved_by_projection(const LinearSystem& system, const ScaledConstraints& constraints, Partition first) {
  std::vector<Index> better = independent_by_projection(system.M, first.null_space.R, constraints.columns);
  if (better == first.independent || better.size() != first.independent.size()) return first;
  auto null_space = null_space_of_partition(constraints, better, system.G);
  if (!null_space) return first;
  return {std::move(better), *std::move(null_space)};
}

Partition by_elimination(const LinearSystem& system, const ScaledConstraints& constraints) {
  Partition partition;
  partition.independent = independent_by_mass(constraints, system.M);
  partition.null_space = null_space_of(system, constraints, partition.independent);
  return partition;
}

Partition find_partition(const LinearSystem& system, const ScaledConstraints& constraints,
                         const MinimalOptions& options) {
  if (!options.independent.empty()) {
    Partition partition{valid_choice(system, options.independent), {}};
    partition.null_space = null_space_of(system, constraints, partition.independent);
    return partition;
  }
  switch (options.basis) {
    case NullSpaceBasis::lu: {
      require_dense_size(system, options, "LU with complete pivoting");
      Partition partition{independent_by_complete_pivoting(constraints), {}};
      partition.null_space = null_space_of(system, constraints, partition.independent);
      return partition;
    }
    case NullSpaceBasis::projective:
      require_few_dof(system, options.largest_dense);
      return improved_by_projection(system, constraints, by_elimination(system, constraints));
    default: {
      Partition partition = by_elimination(system, constraints);
      const double effort = static_cast<double>(system.coordinates()) * system.dof() * system.dof();
      if (effort > largest_projection_effort) return partition;
      return improved_by_projection(system, constraints, std::move(partition));
    }
  }
}

std::vector<std::string> first_names(const MinimalForm& form, const NameOf& name) {
  std::vector<std::string> names;
  for (Index j = 0; j < std::min(static_cast<Index>(form.R.cols()), most_names); ++j) names.push_back(name(j));
  return names;
}

ConstraintNullSpace orthonormal(const LinearSystem& system, const ScaledConstraints& constraints,
                                NullSpaceBasis basis) {
  // The columns keep the units of q.
  Eigen::MatrixXd J = constraints.S.toDense();
  for (Index j = 0; j < system.coordinates(); ++j) J.col(j) *= std::ldexp(1.0, -constraints.columns[at(j)]);
  ConstraintNullSpace null_space;
  null_space.R = orthonormal_basis(J, basis).sparseView();
  null_space.S = SparseMatrix(system.coordinates(), system.inputs());
  if (system.G.nonZeros() > 0) null_space.S = shortest_solution(J, constraints.scaled(system.G).toDense()).sparseView();
  return null_space;
}

bool is_partition(NullSpaceBasis basis) {
  return basis == NullSpaceBasis::partition || basis == NullSpaceBasis::projective || basis == NullSpaceBasis::lu;
}

/// Returns the system that is left for the relative motions along a tree: only the constraints that close loops remain.
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

/// Returns R, S and the names of z, which are relative motions along a tree of joints.
MinimalForm in_relative_motions(const LinearSystem& system, const ScaledConstraints& constraints,
                                const MinimalOptions& options) {
  if (!system.joint_tree) {
    throw Error(
        "a basis along a tree of joints needs a model: matrices do not show which coordinates belong to a body");
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
    form.R = motions.R * partition.null_space.R;
    form.S = motions.R * partition.null_space.S;
  }
  form.names = first_names(form, [&](Index j) { return name(independent[at(j)]); });
  return form;
}

void put_partition(const LinearSystem& system, Partition partition, MinimalForm& form) {
  form.independent = std::move(partition.independent);
  form.R = std::move(partition.null_space.R);
  form.S = std::move(partition.null_space.S);
  form.names = first_names(form, [&](Index j) { return system.coordinate_name(form.independent[at(j)]); });
}

/// Projects the equations of motion onto the columns of R, theory (3.2).
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
  if (!options.independent.empty() && options.basis != NullSpaceBasis::partition) {
    throw Error("independent coordinates were given, but the chosen basis is found in another way; choose a partition");
  }
  const ScaledConstraints constraints = scale_constraints(system);
  MinimalForm form;
  if (options.basis == NullSpaceBasis::topological) {
    form = in_relative_motions(system, constraints, options);
  } else if (is_partition(options.basis)) {
    put_partition(system, find_partition(system, constraints, options), form);
  } else {
    require_dense_size(system, options, "an orthonormal basis");
    ConstraintNullSpace null_space = orthonormal(system, constraints, options.basis);
    form.R = std::move(null_space.R);
    form.S = std::move(null_space.S);
    form.names = first_names(form, [](Index j) { return fmt::format("t[{}]", j + 1); });
  }
  project(system, form);
  project_inputs(system, form);
  return form;
}

MinimalFormNearby minimal_form_nearby(const LinearSystem& system, const std::optional<ChosenPartition>& nearby) {
  require_consistent_motion(system);
  const ScaledConstraints constraints = scale_constraints(system);
  MinimalFormNearby result;
  std::optional<Partition> partition = nearby ? kept_partition(system, constraints, *nearby) : std::nullopt;
  if (partition) {
    result.partition = *nearby;
  } else {
    partition = find_partition(system, constraints, {});
    result.partition = {partition->independent,
                        largest_entry_without_units(partition->null_space.R, partition->independent, constraints)};
  }
  put_partition(system, *std::move(partition), result.form);
  project(system, result.form);
  project_inputs(system, result.form);
  return result;
}

MinimalForm branch_form(const LinearSystem& system, const MotionBranch& branch) {
  MinimalForm form;
  form.R = branch.tangents.sparseView();
  project(system, form);
  return form;
}

Eigen::VectorXd projective_criterion(const LinearSystem& system) {
  require_few_dof(system, MinimalOptions{}.largest_dense);
  const ScaledConstraints constraints = scale_constraints(system);
  const Partition partition = by_elimination(system, constraints);
  return projected_parts(system.M, partition.null_space.R, constraints.columns);
}

}  // namespace stillpoint
