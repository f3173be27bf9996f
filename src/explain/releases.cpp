// Which joints may have fewer equations so that no constraint is redundant.
//
// Let the columns of N be the solutions ν of Jᵀν = 0, and let the orthonormal columns of Q span what is released of
// some joints. The constraint forces that the rest can still have against each other are the ν with Qᵀν = 0. So the
// rest is independent, and motions are the same, if and only if QᵀN is square and regular.
//
// A joint becomes another one if the equations of that one are combinations of its own: x_a·d and y_a·d of a point on a
// line are combinations of the three components of d = 0, since derivatives of x_a are multiplied by d.

#include "explain/releases.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/at.h"
#include "stillpoint/elements/all.h"

namespace stillpoint::explanations {

namespace {

constexpr int as_another_joint = 0, without_a_row = 1, removed = 2;

// ----- What a joint can become

struct Becoming {
  const char* type;
  std::vector<int> rows;  // that are released
};

/// Types whose equations are some of those of a joint.
std::vector<Becoming> types_within(const ElementInfo& info) {
  static const std::map<const ElementInfo*, std::vector<Becoming>> table{
      {&Revolute::info(), {{"slider", {0}}, {"slider", {1}}}},
      {&Prismatic::info(), {{"slider", {1}}}},
      {&Weld::info(), {{"revolute", {2}}}},
      {&space::Revolute::info(), {{"spherical", {3, 4}}, {"universal", {3}}, {"universal", {4}}}},
      {&space::Universal::info(), {{"spherical", {3}}}},
      {&space::ConstantVelocity::info(), {{"spherical", {3}}}},
      {&space::Cylindrical::info(), {{"point_on_line", {2, 3}}}},
      {&space::Planar::info(), {{"point_on_plane", {1, 2}}}},
      {&space::Spherical::info(), {{"point_on_line", {0}}, {"point_on_line", {1}}, {"point_on_line", {2}}}},
      {&space::Weld::info(), {{"spherical", {3, 4, 5}}}}};
  const auto found = table.find(&info);
  return found == table.end() ? std::vector<Becoming>{} : found->second;
}

Eigen::MatrixXd unit_columns(Index size, const std::vector<int>& rows) {
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) columns(rows[k], static_cast<Eigen::Index>(k)) = 1;
  return columns;
}

struct JointContext {
  const AnalysisCase& analysis;
  ConstraintOwner owner;
  std::string joint, keyword;

  std::string row_called(Index row) const { return analysis.system.constraint_name(owner.first_row + row); }

  ReleaseOption dropping(const std::vector<int>& rows, const std::string& becomes, int rank) const {
    ReleaseOption option{owner, {joint, keyword, becomes, rank == removed, {}}, unit_columns(owner.rows, rows), rank};
    for (const int row : rows) option.words.released.push_back(row_called(row));
    return option;
  }

  /// A hinge in space has its position equations along the axes of the ground; its axis is another direction.
  ReleaseOption dropping_along(const Vec3<double>& axis, const std::vector<int>& rows,
                               const std::string& becomes) const {
    ReleaseOption option = dropping(rows, becomes, as_another_joint);
    Eigen::MatrixXd with_axis = Eigen::MatrixXd::Zero(owner.rows, option.released.cols() + 1);
    with_axis.block(0, 0, 3, 1) = Eigen::Vector3d(axis.x, axis.y, axis.z);
    with_axis.rightCols(option.released.cols()) = option.released;
    option.released = with_axis;
    option.words.released.insert(option.words.released.begin(), joint + " along its axis");
    return option;
  }
};

void add_slidings_of_hinge(const JointContext& joint, const ElementArrayBase& elements,
                           std::vector<ReleaseOption>& options) {
  if (&elements.info() != &space::Revolute::info()) return;
  const Model& model = *joint.analysis.model;
  const State& state = joint.analysis.rest->state;
  const Context context = model.context(state);
  const auto& hinge = *static_cast<const space::Revolute*>(elements.element(joint.owner.element));
  const Vec3<double> axis = z_axis(lift<double>(context, space::FrameOf{hinge.a.marker}, {}).R);
  options.push_back(joint.dropping_along(axis, {3, 4}, "point_on_line"));
  options.push_back(joint.dropping_along(axis, {}, "cylindrical"));
}

/// Each equation that is not already dropped alone by one of the options.
void add_single_rows(const JointContext& joint, std::vector<ReleaseOption>& options) {
  if (joint.owner.rows == 1) return;
  const std::size_t named = options.size();
  for (int row = 0; row < joint.owner.rows; ++row) {
    const bool is_there = std::any_of(
        options.begin(), options.begin() + static_cast<std::ptrdiff_t>(named),
        [&](const auto& option) { return option.released.cols() == 1 && std::abs(option.released(row, 0)) == 1; });
    if (!is_there) options.push_back(joint.dropping({row}, "", without_a_row));
  }
}

std::vector<int> all_rows(Index count) {
  std::vector<int> rows;
  for (int row = 0; row < count; ++row) rows.push_back(row);
  return rows;
}

// ----- The search

Eigen::MatrixXd null_rows_of(const ConstraintOwner& owner,
                             const Eigen::SparseMatrix<double, Eigen::RowMajor>& null_vectors) {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(owner.rows, null_vectors.cols());
  for (Index i = 0; i < owner.rows; ++i) {
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator entry(null_vectors, owner.first_row + i); entry;
         ++entry)
      rows(i, entry.col()) = entry.value();
  }
  return rows;
}

bool has_full_column_rank(const Eigen::MatrixXd& A) {
  constexpr double negligible = 1e-6;  // a smaller pivot would leave a mechanism that is redundant but for rounding
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  qr.setThreshold(negligible);
  return qr.rank() == A.cols();
}

class ReleaseSearch {
 public:
  ReleaseSearch(const std::vector<ReleaseOption>& options, const SparseMatrix& null_vectors, std::size_t most)
      : options_(options), redundancy_(null_vectors.cols()), most_(most) {
    const Eigen::SparseMatrix<double, Eigen::RowMajor> by_rows(null_vectors);
    for (const ReleaseOption& option : options)
      effects_.push_back(null_rows_of(option.owner, by_rows).transpose() * option.released);
  }

  std::vector<std::vector<ReleaseOption>> found() {
    add_single(as_another_joint);
    add_pairs();
    add_single(without_a_row);
    if (choices_.empty()) add_greedily();
    add_single(removed);
    if (choices_.size() > most_) choices_.resize(most_);
    return choices_;
  }

 private:
  Eigen::Index size(std::size_t k) const { return effects_[k].cols(); }

  /// Whether these are all that has to be released: a square, regular matrix.
  bool fit(const std::vector<std::size_t>& chosen) const {
    const Eigen::MatrixXd all = together(chosen);
    return all.cols() == redundancy_ && has_full_column_rank(all);
  }

  Eigen::MatrixXd together(const std::vector<std::size_t>& chosen) const {
    Eigen::Index columns = 0;
    for (const std::size_t k : chosen) columns += size(k);
    Eigen::MatrixXd all(redundancy_, columns);
    Eigen::Index first = 0;
    for (const std::size_t k : chosen) {
      all.middleCols(first, size(k)) = effects_[k];
      first += size(k);
    }
    return all;
  }

  std::string kind_of(const std::vector<std::size_t>& chosen) const {
    std::multiset<std::string> kinds;
    for (const std::size_t k : chosen) {
      const JointRelease& words = options_[k].words;
      kinds.insert(words.keyword + (words.is_removed ? "-" : words.becomes));
    }
    return fmt::format("{}", fmt::join(kinds, " "));
  }

  void add(const std::vector<std::size_t>& chosen) {
    if (!kinds_.insert(kind_of(chosen)).second) return;
    std::vector<ReleaseOption> choice;
    for (const std::size_t k : chosen) choice.push_back(options_[k]);
    choices_.push_back(std::move(choice));
  }

  void add_single(int rank) {
    for (std::size_t k = 0; k < options_.size() && choices_.size() < most_; ++k) {
      if (options_[k].rank == rank && size(k) == redundancy_ && !kinds_.contains(kind_of({k})) && fit({k})) add({k});
    }
  }

  void add_pairs() {
    constexpr std::size_t most_options = 120;  // pairs of more would take longer than all the rest
    const std::size_t count = std::min(options_.size(), most_options);
    for (std::size_t a = 0; a < count; ++a) {
      for (std::size_t b = a + 1; b < count && choices_.size() < most_; ++b) {
        if (options_[a].rank != as_another_joint || options_[b].rank != as_another_joint) continue;
        if (options_[a].owner.first_row == options_[b].owner.first_row || size(a) + size(b) != redundancy_) continue;
        if (!kinds_.contains(kind_of({a, b})) && fit({a, b})) add({a, b});
      }
    }
  }

  /// One joint after the other, each by the option that releases most; equations remain possible to the end.
  void add_greedily() {
    std::vector<std::size_t> chosen;
    std::set<Index> used;
    for (const int rank : {as_another_joint, without_a_row}) {
      for (std::size_t k = 0; k < options_.size(); ++k) {
        const Index joint = options_[k].owner.first_row;
        if (options_[k].rank != rank || (rank == as_another_joint && used.contains(joint))) continue;
        std::vector<std::size_t> more = chosen;
        more.push_back(k);
        const Eigen::MatrixXd all = together(more);
        if (all.cols() > redundancy_ || !has_full_column_rank(all)) continue;
        chosen = std::move(more);
        used.insert(joint);
      }
    }
    if (!chosen.empty() && fit(chosen)) add(chosen);
  }

  const std::vector<ReleaseOption>& options_;
  Eigen::Index redundancy_;
  std::size_t most_;
  std::vector<Eigen::MatrixXd> effects_;  // NᵀQ of each option
  std::set<std::string> kinds_;
  std::vector<std::vector<ReleaseOption>> choices_;
};

}  // namespace

// ----- Owners

RowOwners::RowOwners(const AnalysisCase& analysis) {
  if (!analysis.model) return;
  const auto& arrays = analysis.model->arrays();
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const ElementArrayBase& elements = *arrays[k].elements;
    if (elements.rows() > 0 && elements.size() > 0)
      arrays_.push_back({arrays[k].first_row, elements.size() * elements.rows(), static_cast<Index>(k),
                         static_cast<Index>(elements.rows())});
  }
  std::sort(arrays_.begin(), arrays_.end(), [](const auto& a, const auto& b) { return a.first_row < b.first_row; });
}

ConstraintOwner RowOwners::owner_of(Index row) const {
  if (arrays_.empty()) return {row, 1, -1, 0};
  const auto after = std::upper_bound(arrays_.begin(), arrays_.end(), row,
                                      [](Index value, const ConstraintOwner& one) { return value < one.first_row; });
  const ConstraintOwner& all = *std::prev(after);
  const Index rows = all.element, element = (row - all.first_row) / rows;
  return {all.first_row + element * rows, rows, all.array, element};
}

// ----- Options and choices

std::vector<ReleaseOption> release_options(const AnalysisCase& analysis, const ConstraintOwner& owner) {
  std::vector<ReleaseOption> options;
  JointContext joint{analysis, owner, analysis.system.constraint_name(owner.first_row), ""};
  if (owner.array < 0) return {joint.dropping({0}, "", without_a_row)};

  const ElementArrayBase& elements = *analysis.model->arrays()[at(owner.array)].elements;
  joint.joint = analysis.model->element_name(at(owner.array), owner.element);
  joint.keyword = elements.info().keyword;
  if (analysis.rest) add_slidings_of_hinge(joint, elements, options);
  for (const Becoming& other : types_within(elements.info()))
    options.push_back(joint.dropping(other.rows, other.type, as_another_joint));
  add_single_rows(joint, options);
  options.push_back(joint.dropping(all_rows(owner.rows), "", removed));
  return options;
}

std::vector<std::vector<ReleaseOption>> find_releases(const std::vector<ReleaseOption>& options,
                                                      const SparseMatrix& null_vectors, std::size_t most) {
  return ReleaseSearch(options, null_vectors, most).found();
}

// ----- J without what is released

namespace {

/// An orthonormal basis of what is left of the equations of a joint.
Eigen::MatrixXd kept_directions(const Eigen::MatrixXd& released) {
  const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(released).householderQ();
  Eigen::MatrixXd kept = Q.rightCols(released.rows() - released.cols());
  constexpr double rounding =
      1e-15;  // an entry that is only rounding would tie coordinates that have nothing in common
  return (kept.array().abs() < rounding).select(0, kept);
}

}  // namespace

SparseMatrix released_jacobian(const SparseMatrix& J, const std::vector<ReleaseOption>& chosen) {
  // Several options of one joint, such as two of its equations, act together.
  std::map<Index, Eigen::MatrixXd> released;
  std::map<Index, Index> rows_of;
  for (const ReleaseOption& option : chosen) {
    Eigen::MatrixXd& all = released[option.owner.first_row];
    Eigen::MatrixXd joined(option.owner.rows, all.cols() + option.released.cols());
    if (all.cols() > 0) joined.leftCols(all.cols()) = all;
    joined.rightCols(option.released.cols()) = option.released;
    all = joined;
    rows_of[option.owner.first_row] = option.owner.rows;
  }
  const auto m = static_cast<Index>(J.rows());
  std::vector<Eigen::Triplet<double>> combination;
  Index row = 0;
  for (Index i = 0; i < m;) {
    const auto found = released.find(i);
    if (found == released.end()) {
      combination.emplace_back(row++, i++, 1.0);
      continue;
    }
    const Eigen::MatrixXd kept = kept_directions(found->second);
    for (Eigen::Index k = 0; k < kept.cols(); ++k, ++row) {
      for (Eigen::Index j = 0; j < kept.rows(); ++j) {
        if (kept(j, k) != 0) combination.emplace_back(row, i + static_cast<Index>(j), kept(j, k));
      }
    }
    i += rows_of[i];
  }
  SparseMatrix P(row, m);
  P.setFromTriplets(combination.begin(), combination.end());
  return P * J;
}

}  // namespace stillpoint::explanations
