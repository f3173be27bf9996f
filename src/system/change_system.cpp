#include "stillpoint/change_system.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Triplet = Eigen::Triplet<double, Index>;

bool has_entries(const SparseMatrix& A) { return A.nonZeros() > 0 && A.norm() > 0; }

// ---------------------------------------------------------------------------------------------------------------------
// Names

std::optional<Index> place_of_name(const NameOf& name, Index count, const std::string& wanted) {
  for (Index i = 0; i < count; ++i) {
    if (name(i) == wanted) return i;
  }
  return {};
}

[[noreturn]] void refuse_unknown(const std::string& kind, const std::string& wanted,
                                 std::initializer_list<std::pair<const NameOf*, Index>> books) {
  constexpr std::size_t nearest_among = 10'000;  // names that are compared
  std::vector<std::string> known;
  for (const auto& [name, count] : books) {
    for (Index i = 0; i < count && known.size() < nearest_among; ++i) known.push_back((*name)(i));
  }
  throw Error(fmt::format("there is no {} '{}'{}", kind, wanted, did_you_mean(wanted, known)));
}

Index coordinate_named(const LinearSystem& system, const std::string& wanted) {
  if (const auto found = place_of_name(system.coordinate_name, system.coordinates(), wanted)) return *found;
  refuse_unknown("coordinate", wanted, {{&system.coordinate_name, system.coordinates()}});
}

/// The row c of a combination.
SparseMatrix row_of(const LinearSystem& system, const LinearCombination& combination) {
  if (combination.empty()) throw Error("a combination of coordinates names at least one of them");
  SparseMatrix row(1, system.coordinates());
  for (const auto& [name, factor] : combination) {
    if (!std::isfinite(factor) || factor == 0)
      throw Error(fmt::format("the factor of '{}' is {}: it must be a finite number, and not 0", name, factor));
    row.coeffRef(0, coordinate_named(system, name)) += factor;
  }
  row.makeCompressed();
  return row;
}

// ---------------------------------------------------------------------------------------------------------------------
// Blocks of matrices

void put_block(std::vector<Triplet>& into, const SparseMatrix& block, Index row, Index column) {
  for (Index j = 0; j < block.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(block, j); entry; ++entry)
      into.emplace_back(row + static_cast<Index>(entry.row()), column + static_cast<Index>(entry.col()), entry.value());
  }
}

/// [a, b; c, d]; the sizes of a and d give those of the others, which may be left empty.
SparseMatrix four_blocks(const SparseMatrix& a, const SparseMatrix& b, const SparseMatrix& c, const SparseMatrix& d) {
  std::vector<Triplet> entries;
  put_block(entries, a, 0, 0);
  put_block(entries, b, 0, static_cast<Index>(a.cols()));
  put_block(entries, c, static_cast<Index>(a.rows()), 0);
  put_block(entries, d, static_cast<Index>(a.rows()), static_cast<Index>(a.cols()));
  SparseMatrix whole(a.rows() + d.rows(), a.cols() + d.cols());
  whole.setFromTriplets(entries.begin(), entries.end());
  return whole;
}

SparseMatrix block_diagonal(const SparseMatrix& a, const SparseMatrix& d) { return four_blocks(a, {}, {}, d); }

SparseMatrix sparse_zero(Index rows, Index columns) { return SparseMatrix(rows, columns); }

SparseMatrix as_sparse(const Eigen::MatrixXd& dense) { return dense.sparseView(); }

/// Both parts, or nothing where one of them is not known.
Eigen::VectorXd joined_values(const Eigen::VectorXd& a, Index a_size, const Eigen::VectorXd& b, Index b_size) {
  if (a.size() != a_size || b.size() != b_size) return {};
  Eigen::VectorXd both(a_size + b_size);
  both << a, b;
  return both;
}

NameOf joined_names(const NameOf& a, Index a_size, const NameOf& b, const std::string& a_prefix = "",
                    const std::string& b_prefix = "") {
  if (!a && !b) return {};
  return [=](Index i) {
    const NameOf& name = i < a_size ? a : b;
    if (!name) return std::string();
    const std::string word = name(i < a_size ? i : i - a_size);
    return (i < a_size ? a_prefix : b_prefix) + word;
  };
}

// ---------------------------------------------------------------------------------------------------------------------
// What follows from a change

void require_regular(const LinearSystem& system, const char* what) {
  if (system.singular)
    throw Error(
        fmt::format("{}: the configuration of '{}' is singular, and its branches of motions would be others afterwards",
                    what, system.name));
}

/// K + added, with the cancellation that is in the sums.
void add_stiffness(LinearSystem& system, const SparseMatrix& added) {
  const SparseMatrix magnitudes = stiffness_magnitudes(system) + SparseMatrix(added.cwiseAbs());
  system.K = system.K + added;
  system.strains = {};
  SparseMatrix lost = magnitudes - SparseMatrix(system.K.cwiseAbs());
  const SparseMatrix& K = system.K;
  lost.prune([&K](Eigen::Index i, Eigen::Index j, double value) { return value > std::abs(K.coeff(i, j)); });
  system.cancellation = lost.nonZeros() > 0 ? lost : SparseMatrix();
}

/// The system with further coordinates that nothing moves yet, behind the others.
LinearSystem with_coordinates(const LinearSystem& system, Index more, const NameOf& names) {
  LinearSystem wider = system;
  const Index n = system.coordinates();
  const SparseMatrix square = sparse_zero(more, more), below = sparse_zero(0, more);
  for (SparseMatrix* const A : {&wider.M, &wider.C, &wider.K}) *A = block_diagonal(*A, square);
  for (SparseMatrix* const A : {&wider.J, &wider.Hq, &wider.Hv, &wider.Ha}) *A = block_diagonal(*A, below);
  wider.F = block_diagonal(system.F, sparse_zero(more, 0));
  if (system.cancellation.size() > 0) wider.cancellation = block_diagonal(system.cancellation, square);
  for (LinearSystem::Difference& one : wider.perturbed) {
    for (SparseMatrix* const A : {&one.M, &one.C, &one.K}) *A = block_diagonal(*A, square);
    one.J = block_diagonal(one.J, below);
  }
  wider.strains = {};
  wider.joint_tree = {};
  wider.coordinate_name = joined_names(system.coordinate_name, n, names);
  wider.coordinate_unit = joined_names(system.coordinate_unit, n, {});
  wider.q = joined_values(system.q, n, Eigen::VectorXd::Zero(more), more);
  return wider;
}

// ---------------------------------------------------------------------------------------------------------------------
// A controller

/// What the controller measures: y = Yq q + Yv q̇ + Ya q̈ + Yu u.
struct MeasuredRows {
  SparseMatrix q, v, a, u;
};

MeasuredRows measured_rows(const LinearSystem& system, const std::vector<std::string>& names) {
  const Index count = static_cast<Index>(names.size()), n = system.coordinates();
  std::vector<Triplet> coordinates, rates, chosen;
  for (Index k = 0; k < count; ++k) {
    const std::string& name = names[static_cast<std::size_t>(k)];
    if (const auto output = place_of_name(system.output_name, system.outputs(), name)) {
      chosen.emplace_back(k, *output, 1.0);
      continue;
    }
    const bool is_rate = name.ends_with("'");
    const std::string plain = is_rate ? name.substr(0, name.size() - 1) : name;
    const auto coordinate = place_of_name(system.coordinate_name, n, plain);
    if (!coordinate)
      refuse_unknown("output or coordinate", name,
                     {{&system.output_name, system.outputs()}, {&system.coordinate_name, n}});
    (is_rate ? rates : coordinates).emplace_back(k, *coordinate, 1.0);
  }
  SparseMatrix select(count, system.outputs()), q(count, n), v(count, n);
  select.setFromTriplets(chosen.begin(), chosen.end());
  q.setFromTriplets(coordinates.begin(), coordinates.end());
  v.setFromTriplets(rates.begin(), rates.end());
  if (has_entries(select * system.Hl))
    throw Error("a controller cannot measure an output that contains multipliers, such as a reaction");
  return {SparseMatrix(select * system.Hq) + q, SparseMatrix(select * system.Hv) + v, select * system.Ha,
          select * system.Hu};
}

/// Where it acts: the forces Fd, and what its values show in the outputs directly, Hd.
struct DrivenColumns {
  SparseMatrix F, H;
  SparseMatrix select;  ///< inputs × driven
};

DrivenColumns driven_columns(const LinearSystem& system, const std::vector<std::string>& names) {
  const Index count = static_cast<Index>(names.size()), n = system.coordinates();
  std::vector<Triplet> chosen, forces;
  for (Index k = 0; k < count; ++k) {
    const std::string& name = names[static_cast<std::size_t>(k)];
    if (const auto input = place_of_name(system.input_name, system.inputs(), name)) chosen.emplace_back(*input, k, 1.0);
    else if (const auto coordinate = place_of_name(system.coordinate_name, n, name))
      forces.emplace_back(*coordinate, k, 1.0);
    else
      refuse_unknown("input or coordinate", name,
                     {{&system.input_name, system.inputs()}, {&system.coordinate_name, n}});
  }
  SparseMatrix select(system.inputs(), count), F(n, count);
  select.setFromTriplets(chosen.begin(), chosen.end());
  F.setFromTriplets(forces.begin(), forces.end());
  if (has_entries(system.G * select))
    throw Error("a controller cannot drive an input that prescribes a motion: its derivatives would be needed");
  return {F + SparseMatrix(system.F * select), system.Hu * select, select};
}

/// The controller with all its matrices, those of no states included.
LinearController completed(LinearController controller) {
  const auto states = controller.A.rows(), measured = std::ssize(controller.measured),
             driven = std::ssize(controller.driven);
  if (measured == 0 || driven == 0) throw Error("a controller measures something and drives something: name both");
  const auto complete = [&](Eigen::MatrixXd& matrix, const char* name, Eigen::Index rows, Eigen::Index columns) {
    if (matrix.size() == 0) matrix = Eigen::MatrixXd::Zero(rows, columns);
    if (matrix.rows() != rows || matrix.cols() != columns)
      throw Error(
          fmt::format("{} of the controller is {} x {}, but it has {} states, measures {} and drives {}: {} x "
                      "{} is meant",
                      name, matrix.rows(), matrix.cols(), states, measured, driven, rows, columns));
    if (!matrix.allFinite()) throw Error(fmt::format("{} of the controller has an entry that is not finite", name));
  };
  complete(controller.A, "A", states, states);
  complete(controller.B, "B", states, measured);
  complete(controller.C, "C", driven, states);
  complete(controller.D, "D", driven, measured);
  return controller;
}

/// (I − D Y)⁻¹, where Y is what the controller sees of its own values at once.
Eigen::MatrixXd loop_gain(const Eigen::MatrixXd& D, const SparseMatrix& Y) {
  const Eigen::MatrixXd loop = Eigen::MatrixXd::Identity(D.rows(), D.rows()) - D * Y;
  const Eigen::FullPivLU<Eigen::MatrixXd> factors(loop);
  if (!factors.isInvertible())
    throw Error("the controller closes an algebraic loop without a solution: I - D Hu is singular");
  return factors.inverse();
}

}  // namespace

LinearSystem with_member(const LinearSystem& system, const LinearMember& member) {
  for (const auto& [name, value] : {std::pair{"mass", member.mass}, std::pair{"damping", member.damping},
                                    std::pair{"stiffness", member.stiffness}}) {
    if (!std::isfinite(value)) throw Error(fmt::format("the {} of a member is {}: it must be finite", name, value));
  }
  const SparseMatrix c = row_of(system, member.motion), square = c.transpose() * c;
  LinearSystem changed = system;
  if (member.mass != 0) changed.M = changed.M + member.mass * square;
  if (member.damping != 0) changed.C = changed.C + member.damping * square;
  if (member.stiffness != 0) add_stiffness(changed, member.stiffness * square);
  return checked(std::move(changed));
}

LinearSystem with_constraints(const LinearSystem& system, const std::vector<LinearCombination>& combinations) {
  require_regular(system, "constraints");
  const Index m = system.constraints(), more = static_cast<Index>(combinations.size());
  std::vector<Triplet> entries;
  std::vector<std::string> names;
  for (Index k = 0; k < more; ++k) {
    const LinearCombination& combination = combinations[static_cast<std::size_t>(k)];
    put_block(entries, row_of(system, combination), k, 0);
    names.push_back(fmt::format("coupling[{}]", k + 1));
  }
  SparseMatrix rows(more, system.coordinates());
  rows.setFromTriplets(entries.begin(), entries.end());
  const SparseMatrix none = sparse_zero(more, 0);
  LinearSystem changed = system;
  changed.J = four_blocks(system.J, {}, rows, none);
  changed.G = block_diagonal(system.G, none);
  changed.Hl = block_diagonal(system.Hl, sparse_zero(0, more));
  for (LinearSystem::Difference& one : changed.perturbed) one.J = block_diagonal(one.J, none);
  changed.constraint_name =
      joined_names(system.constraint_name, m, [names](Index i) { return names[static_cast<std::size_t>(i)]; });
  changed.lambda = {};
  changed.joint_tree = {};
  changed.rows = {};
  return checked(std::move(changed));
}

LinearSystem close_loop(const LinearSystem& system, const LinearController& asked) {
  require_regular(system, "a controller");
  const LinearController controller = completed(asked);
  const Index n = system.coordinates(), states = static_cast<Index>(controller.A.rows());
  const MeasuredRows Y = measured_rows(system, controller.measured);
  const DrivenColumns driven = driven_columns(system, controller.driven);
  const SparseMatrix Yd = Y.u * driven.select;
  const Eigen::MatrixXd E = loop_gain(controller.D, Yd);
  // u_d = ED (Yq q + Yv q̇ + Ya q̈ + Yu u) + EC ξ, and y = P (Yq q + ...) + Yd EC ξ
  const SparseMatrix ED = as_sparse(E * controller.D), EC = as_sparse(E * controller.C), B = as_sparse(controller.B);
  const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(Yd.rows(), Yd.rows());
  const SparseMatrix BP = as_sparse(controller.B * (I + Yd * E * controller.D));

  LinearSystem closed = with_coordinates(
      system, states, [name = controller.name](Index i) { return fmt::format("{}.x[{}]", name, i + 1); });
  const auto added = [&](const SparseMatrix& rows, const SparseMatrix& right, const SparseMatrix& corner) {
    return four_blocks(SparseMatrix(-(driven.F * ED * rows)), right, SparseMatrix(-(BP * rows)), corner);
  };
  const SparseMatrix none = sparse_zero(n, states), square = sparse_zero(states, states);
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(states, states);
  closed.M = closed.M + added(Y.a, none, square);
  closed.C = closed.C + added(Y.v, none, as_sparse(identity));
  add_stiffness(closed, added(Y.q, SparseMatrix(-(driven.F * EC)),
                              as_sparse(-(controller.A + controller.B * Yd * E * controller.C))));
  closed.F =
      four_blocks(system.F + SparseMatrix(driven.F * ED * Y.u), {}, SparseMatrix(BP * Y.u), sparse_zero(states, 0));
  const SparseMatrix no_rows = sparse_zero(0, states), HED = driven.H * ED;
  closed.Hq = four_blocks(system.Hq + SparseMatrix(HED * Y.q), SparseMatrix(driven.H * EC), {}, no_rows);
  closed.Hv = block_diagonal(system.Hv + SparseMatrix(HED * Y.v), no_rows);
  closed.Ha = block_diagonal(system.Ha + SparseMatrix(HED * Y.a), no_rows);
  closed.Hu = system.Hu + SparseMatrix(HED * Y.u);
  return checked(std::move(closed));
}

LinearSystem side_by_side(const LinearSystem& first, const LinearSystem& second, const std::string& first_prefix,
                          const std::string& second_prefix) {
  require_regular(first, "coupling");
  require_regular(second, "coupling");
  LinearSystem both;
  both.name = first.name + " + " + second.name;
  for (SparseMatrix LinearSystem::*const A :
       {&LinearSystem::M, &LinearSystem::C, &LinearSystem::K, &LinearSystem::J, &LinearSystem::F, &LinearSystem::G,
        &LinearSystem::Hq, &LinearSystem::Hv, &LinearSystem::Ha, &LinearSystem::Hl, &LinearSystem::Hu})
    both.*A = block_diagonal(first.*A, second.*A);
  const auto of_first = [&](const SparseMatrix& A, const SparseMatrix& like) {
    return block_diagonal(A, sparse_zero(static_cast<Index>(like.rows()), static_cast<Index>(like.cols())));
  };
  const auto of_second = [&](const SparseMatrix& like, const SparseMatrix& A) {
    return block_diagonal(sparse_zero(static_cast<Index>(like.rows()), static_cast<Index>(like.cols())), A);
  };
  const auto known = [](const LinearSystem& one) {
    return one.cancellation.size() > 0 ? one.cancellation : sparse_zero(one.coordinates(), one.coordinates());
  };
  both.cancellation = block_diagonal(known(first), known(second));
  if (both.cancellation.nonZeros() == 0) both.cancellation = {};
  for (const LinearSystem::Difference& one : first.perturbed)
    both.perturbed.push_back(
        {of_first(one.M, second.M), of_first(one.C, second.C), of_first(one.K, second.K), of_first(one.J, second.J)});
  for (const LinearSystem::Difference& one : second.perturbed)
    both.perturbed.push_back(
        {of_second(first.M, one.M), of_second(first.C, one.C), of_second(first.K, one.K), of_second(first.J, one.J)});
  const auto names = [&](NameOf LinearSystem::*which, Index count) {
    return joined_names(first.*which, count, second.*which, first_prefix, second_prefix);
  };
  const auto units = [&](NameOf LinearSystem::*which, Index count) {
    return joined_names(first.*which, count, second.*which);
  };
  both.coordinate_name = names(&LinearSystem::coordinate_name, first.coordinates());
  both.constraint_name = names(&LinearSystem::constraint_name, first.constraints());
  both.input_name = names(&LinearSystem::input_name, first.inputs());
  both.output_name = names(&LinearSystem::output_name, first.outputs());
  both.coordinate_unit = units(&LinearSystem::coordinate_unit, first.coordinates());
  both.input_unit = units(&LinearSystem::input_unit, first.inputs());
  both.output_unit = units(&LinearSystem::output_unit, first.outputs());
  both.q = joined_values(first.q, first.coordinates(), second.q, second.coordinates());
  both.lambda = joined_values(first.lambda, first.constraints(), second.lambda, second.constraints());
  both.u = joined_values(first.u, first.inputs(), second.u, second.inputs());
  both.y = joined_values(first.y, first.outputs(), second.y, second.outputs());
  std::unordered_set<std::string> taken;
  for (Index i = 0; i < both.coordinates(); ++i) {
    if (!taken.insert(both.coordinate_name(i)).second)
      throw Error(
          fmt::format("both systems have a coordinate '{}': give their names a prefix", both.coordinate_name(i)));
  }
  return checked(std::move(both));
}

}  // namespace stillpoint
