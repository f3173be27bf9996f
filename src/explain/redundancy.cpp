// Redundant constraints: the groups in which they depend on each other, the loops they close, and what may be released.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/at.h"
#include "base/disjoint_sets.h"
#include "explain/releases.h"
#include "explain/topics.h"
#include "stillpoint/topology.h"

namespace stillpoint::explanations {

namespace {

constexpr Index most_groups = 3;
constexpr std::size_t most_choices = 3;
constexpr std::size_t most_joints = 60;      // of a group whose joints are candidates
constexpr Eigen::Index most_to_search = 50;  // redundant equations of a group; beyond, rows are taken as they depend

/// Columns of the null vectors that share joints belong to one group.
std::vector<std::vector<Index>> groups_of(const SparseMatrix& null_vectors, const RowOwners& owners) {
  const auto k = static_cast<Index>(null_vectors.cols());
  DisjointSets<Index> sets(at(k));
  std::map<Index, Index> column_of_joint;
  for (Index j = 0; j < k; ++j) {
    for (SparseMatrix::InnerIterator entry(null_vectors, j); entry; ++entry) {
      const Index joint = owners.owner_of(static_cast<Index>(entry.row())).first_row;
      const auto [place, is_new] = column_of_joint.emplace(joint, j);
      if (!is_new) sets.tie(place->second, j);
    }
  }
  std::map<Index, std::vector<Index>> members;
  for (Index j = 0; j < k; ++j) members[sets.find(j)].push_back(j);
  std::vector<std::vector<Index>> groups;
  for (auto& [first, columns] : members) groups.push_back(std::move(columns));
  return groups;
}

SparseMatrix columns_of(const SparseMatrix& A, const std::vector<Index>& columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (SparseMatrix::InnerIterator entry(A, columns[k]); entry; ++entry)
      entries.emplace_back(static_cast<Index>(entry.row()), static_cast<Index>(k), entry.value());
  }
  SparseMatrix result(A.rows(), static_cast<Eigen::Index>(columns.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

std::set<Index> rows_in(const SparseMatrix& null_vectors) {
  std::set<Index> rows;
  for (Index j = 0; j < null_vectors.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(null_vectors, j); entry; ++entry)
      rows.insert(static_cast<Index>(entry.row()));
  }
  return rows;
}

// ----- Loops

using ElementKey = std::pair<Index, Index>;  // array and element

struct LoopsOfModel {
  explicit LoopsOfModel(const AnalysisCase& analysis) : model(analysis.model ? &*analysis.model : nullptr) {
    if (!model) return;
    topology = find_topology(*model);
    for (std::size_t k = 0; k < topology.cut_joints.size(); ++k) {
      const Topology::Joint& joint = topology.joints[at(topology.cut_joints[k])];
      cut.emplace(ElementKey{joint.array, joint.element}, static_cast<Index>(k));
    }
  }

  bool is_cut(const ConstraintOwner& owner) const { return cut.contains({owner.array, owner.element}); }

  std::vector<ClosedLoop> closed_by(const std::vector<ConstraintOwner>& owners) const {
    constexpr std::size_t most_loops = 20;
    std::vector<ClosedLoop> loops;
    for (const ConstraintOwner& owner : owners) {
      const auto [first, last] = cut.equal_range({owner.array, owner.element});
      for (auto each = first; each != last && loops.size() < most_loops; ++each) loops.push_back(loop(each->second));
    }
    return loops;
  }

  ClosedLoop loop(Index k) const {
    ClosedLoop loop{joint_name(*model, topology.joints[at(topology.cut_joints[at(k)])]), {}};
    for (const Index joint : loop_joints(topology, k))
      loop.joints.push_back(joint_name(*model, topology.joints[at(joint)]));
    return loop;
  }

  const Model* model;
  Topology topology;
  std::multimap<ElementKey, Index> cut;
};

/// The owners of the rows; joints that close loops come first, since they are what was added last.
std::vector<ConstraintOwner> owners_of(const std::set<Index>& rows, const RowOwners& all, const LoopsOfModel& loops) {
  std::vector<ConstraintOwner> owners;
  for (const Index row : rows) {
    const ConstraintOwner owner = all.owner_of(row);
    if (owners.empty() || owners.back().first_row != owner.first_row) owners.push_back(owner);
  }
  std::stable_partition(owners.begin(), owners.end(),
                        [&](const ConstraintOwner& owner) { return loops.is_cut(owner); });
  return owners;
}

// ----- Trials

/// Computes rank and degrees of freedom again without what is released.
ReleaseChoice tried(const LinearSystem& system, const std::vector<ReleaseOption>& chosen) {
  const SparseMatrix J = released_jacobian(system.J, chosen);
  ReleaseChoice result;
  RankDecision rank = full_rank_by_blocks(J);
  if (rank.outcome != RankOutcome::full) rank = find_dependent_rows(J).rank;
  result.constraints = static_cast<Index>(J.rows());
  result.equations = system.constraints() - result.constraints;
  result.rank = rank.value;
  result.dof = system.coordinates() - rank.value;
  result.redundant = result.constraints - rank.value;
  result.gap = rank.gap;
  for (const ReleaseOption& option : chosen) result.joints.push_back(option.words);
  return result;
}

bool holds_what_was_predicted(const LinearSystem& system, const ReleaseChoice& choice) {
  return choice.dof == system.dof() && choice.redundant == system.constraints() - system.rank() - choice.equations;
}

/// The rows that the rank decision found to depend on others, released one by one.
std::vector<ReleaseOption> dependent_rows_of(const AnalysisCase& analysis, const std::set<Index>& rows,
                                             const RowOwners& owners) {
  std::vector<ReleaseOption> options;
  for (const Index row : analysis.system.rows.dependent) {
    if (!rows.contains(row)) continue;
    const ConstraintOwner owner = owners.owner_of(row);
    ReleaseOption option{owner, {analysis.system.constraint_name(row), "", "", false, {}}, {}, 1};
    if (analysis.model) {
      option.words.joint = analysis.model->element_name(at(owner.array), owner.element);
      option.words.keyword = analysis.model->arrays()[at(owner.array)].elements->info().keyword;
    }
    option.words.released = {analysis.system.constraint_name(row)};
    option.words.is_removed = owner.rows == 1;
    option.released = Eigen::MatrixXd::Zero(owner.rows, 1);
    option.released(row - owner.first_row, 0) = 1;
    options.push_back(std::move(option));
  }
  return options;
}

struct GroupSearch {
  RedundantGroup group;
  std::vector<std::vector<ReleaseOption>> candidates;
};

GroupSearch search_group(const AnalysisCase& analysis, const SparseMatrix& null_vectors, const RowOwners& all,
                         const LoopsOfModel& loops) {
  GroupSearch search;
  RedundantGroup& group = search.group;
  const std::set<Index> rows = rows_in(null_vectors);
  const std::vector<ConstraintOwner> owners = owners_of(rows, all, loops);
  group.redundant = static_cast<Index>(null_vectors.cols());
  group.constraint_count = static_cast<Index>(rows.size());
  group.joint_count = static_cast<Index>(owners.size());
  for (const Index row : rows) {
    if (static_cast<Index>(group.constraints.size()) == RedundantGroup::most_names) break;
    group.constraints.push_back(analysis.system.constraint_name(row));
  }
  std::vector<ReleaseOption> options;
  for (std::size_t k = 0; k < std::min(owners.size(), most_joints); ++k) {
    const std::vector<ReleaseOption> of_joint = release_options(analysis, owners[k]);
    group.joints.push_back(of_joint.front().words.joint);
    options.insert(options.end(), of_joint.begin(), of_joint.end());
  }
  group.loops = loops.closed_by(owners);
  if (null_vectors.cols() <= most_to_search) search.candidates = find_releases(options, null_vectors, most_choices);
  if (search.candidates.empty()) search.candidates.push_back(dependent_rows_of(analysis, rows, all));
  return search;
}

/// Keeps the candidates that leave what was predicted when rank and freedom are computed again.
void try_each(const LinearSystem& system, GroupSearch& search,
              const std::function<void(const std::string&)>& progress) {
  std::vector<std::vector<ReleaseOption>> good;
  std::size_t trial = 0;
  for (std::vector<ReleaseOption>& candidate : search.candidates) {
    if (progress) progress(fmt::format("trial of a release, {} of {}", ++trial, search.candidates.size()));
    ReleaseChoice choice = tried(system, candidate);
    if (!holds_what_was_predicted(system, choice)) continue;
    search.group.choices.push_back(std::move(choice));
    good.push_back(std::move(candidate));
  }
  search.candidates = std::move(good);
}

/// Adds what the rank decision left out of the groups that were not searched, all at once: of a large system a pass
/// over its rows for each group would take minutes.
void add_rest_as_decided(const AnalysisCase& analysis, const std::vector<std::vector<Index>>& groups,
                         std::size_t searched, const RowOwners& owners, std::vector<ReleaseOption>& chosen) {
  std::set<Index> rows;
  for (std::size_t k = searched; k < groups.size(); ++k) {
    for (const Index column : groups[k]) {
      for (SparseMatrix::InnerIterator entry(analysis.system.rows.null_vectors, column); entry; ++entry)
        rows.insert(static_cast<Index>(entry.row()));
    }
  }
  const std::vector<ReleaseOption> others = dependent_rows_of(analysis, rows, owners);
  chosen.insert(chosen.end(), others.begin(), others.end());
}

}  // namespace

RedundancyExplanation explain_redundancy(const AnalysisCase& analysis,
                                         const std::function<void(const std::string&)>& progress) {
  const LinearSystem& system = analysis.system;
  RedundancyExplanation found;
  found.coordinates = system.coordinates();
  found.constraints = system.constraints();
  found.rank = system.rank();
  found.dof = system.dof();
  found.redundant =
      system.singular ? (analysis.rest ? analysis.rest->redundant_equations : 0) : system.constraints() - system.rank();
  found.decision = system.rows.rank;
  if (system.singular) {
    if (found.redundant > 0)
      found.left_out.emplace_back(
          "which constraints to release: the configuration is singular, so that others depend on each other here only");
    return found;
  }
  if (found.redundant == 0) return found;

  const RowOwners owners(analysis);
  const LoopsOfModel loops(analysis);
  const std::vector<std::vector<Index>> groups = groups_of(system.rows.null_vectors, owners);
  found.group_count = static_cast<Index>(groups.size());
  const bool are_tried_alone = system.coordinates() <= most_for_trials;
  const std::size_t searched = are_tried_alone ? groups.size() : std::min(groups.size(), at(most_groups));
  std::vector<ReleaseOption> all_chosen;
  for (std::size_t k = 0; k < searched; ++k) {
    if (progress) progress(fmt::format("redundant constraints: {} of {} groups", k, groups.size()));
    GroupSearch search = search_group(analysis, columns_of(system.rows.null_vectors, groups[k]), owners, loops);
    const bool is_shown = static_cast<Index>(k) < most_groups;
    if (is_shown && are_tried_alone) try_each(system, search, progress);
    if (!search.candidates.empty())
      all_chosen.insert(all_chosen.end(), search.candidates.front().begin(), search.candidates.front().end());
    if (is_shown) found.groups.push_back(std::move(search.group));
  }
  add_rest_as_decided(analysis, groups, searched, owners, all_chosen);
  if (!are_tried_alone)
    found.left_out.push_back(fmt::format(
        "trying each release alone: the system has {} coordinates, more than {}; all were released together",
        system.coordinates(), most_for_trials));
  if (progress) progress("trial of all releases together");
  found.all = tried(system, all_chosen);
  return found;
}

}  // namespace stillpoint::explanations
