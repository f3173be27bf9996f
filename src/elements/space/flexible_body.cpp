#include "stillpoint/elements/space/flexible_body.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "stillpoint/authoring/element_array.h"
#include "stillpoint/detail/mass_moments.h"
#include "stillpoint/detail/observed.h"
#include "stillpoint/detail/sink.h"
#include "stillpoint/error.h"

namespace stillpoint {

using space::FlexibleBody;

namespace {

/// Elements of any number of places and coordinates. Their matrices are products of sparse matrices; only the
/// displacement of one node relative to the first is differentiated automatically.
class FlexibleBodyArray final : public ElementArrayBase {
 public:
  const ElementInfo& info() const override { return FlexibleBody::info(); }
  unsigned laws() const override { return FlexibleBody::laws; }
  Index size() const override { return static_cast<Index>(elements_.size()); }
  int rows() const override { return 0; }
  const char* row_name(int) const override { return ""; }
  const void* element(Index i) const override { return &elements_[static_cast<std::size_t>(i)]; }
  void append(const void* element) override { elements_.push_back(*static_cast<const FlexibleBody*>(element)); }
  std::shared_ptr<ElementArrayBase> part(std::span<const Index> elements) const override {
    auto some = std::make_shared<FlexibleBodyArray>();
    for (const Index i : elements) some->append(element(i));
    return some;
  }
  void set(Index element, const Field& field, const FieldValue& value) override {
    field.store(&elements_[static_cast<std::size_t>(element)], value);
  }
  void state_units(UnitBook&) const override {}
  std::string measure_unit(const UnitBook&, Index) const override { return {}; }
  std::string reaction_unit(const UnitBook&, Index, int) const override { return {}; }
  int places() const override;
  Index block(const Context& context, Index element, int place) const override;
  void add_coordinates(const Context& context, Index element, std::vector<Index>& to) const override;
  void prepare(const Context&) override {}
  bool has_pattern_of(const Context&, const ElementArrayBase&) const override { return false; }

  double potential(const Context& context) const override;
  void add_forces(const Context& context, double* f) const override;
  void add_inertia(const Context& context, double* r) const override;
  void residuals(const Context&, ElementRange, double*) const override {}
  void residual_derivatives(const Context&, ElementRange, const double*, double*, double*) const override {}
  void add_series(const Context&, ElementRange, const SeriesCoefficients&, SeriesTapes&) const override {
    throw Error("flexible bodies from matrices are known at rest only, not along a motion");
  }
  void add_mass_moments(const Context& context, const Vec3<double>& about, MassMoments& total) const override;

  std::span<const char* const> measure_names() const override { return {}; }
  Observed measured(const Context&, Index) const override { return {}; }
  WrenchKind wrench_kind(int) const override { return WrenchKind::wrench; }
  Observed reaction(const Context&, Index, int, const double*) const override { return {}; }

  void add_pattern(const Context& context, Index first_row, Sinks<PatternSink>& sinks) const override;
  void add_values(const Context& context, ElementRange range, const double* lambda, Index first_row,
                  Sinks<ValueSink>& sinks) const override;

 private:
  std::vector<FlexibleBody> elements_;
};

}  // namespace

const ElementInfo& FlexibleBody::info() {
  static const ElementInfo info{"flexible_body",
                                "A flexible body from matrices of mass and stiffness.",
                                "½ uᵀ K u, and inertia by M, in the axes of its first node",
                                {field<&FlexibleBody::nodes>("between", "", "its nodes")}};
  return info;
}

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Triplets = std::vector<Eigen::Triplet<double, Index>>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

constexpr Index at_node = 6;  // degrees of freedom of a node

/// The poses of the first node and of another one depend on at most twelve variables; those of a place on the ground
/// are constant.
constexpr int pair_size = 12;

Vec3<double> vector_of(const VectorXd& v, Eigen::Index i) { return {v[i], v[i + 1], v[i + 2]}; }

using detail::feels_gravity;

/// Adds the coordinates of the nodes, then the scalars.
void add_coordinates_of(const Context& context, const FlexibleBody& body, std::vector<Index>& to) {
  for (const space::FrameOf& node : body.nodes) {
    const Dependence on = dependence(context, node);
    to.insert(to.end(), on.coordinate.begin(), on.coordinate.begin() + on.count);
  }
  const Index others = body.matrices->size() - at_node * static_cast<Index>(body.nodes.size());
  for (Index k = 0; k < others; ++k) to.push_back(body.first_scalar + k);
}

/// The state of one body: its displacements and velocities as functions of the coordinates.
class BodyState {
 public:
  BodyState(const Context& context, const FlexibleBody& body)
      : context_(context), body_(body), matrices_(*body.matrices), nodes_(static_cast<Index>(body.nodes.size())) {
    add_coordinates_of(context, body, coordinates_);
    for (const space::FrameOf& node : body.nodes)
      first_local_.push_back(first_local_.back() + static_cast<Index>(dependence(context, node).count));
    find_displacements();
    if (feels_gravity(context, body)) weigh();
  }

  const std::vector<Index>& coordinates() const { return coordinates_; }
  Index local() const { return static_cast<Index>(coordinates_.size()); }

  double potential() const {
    double V = 0.5 * u_.dot(matrices_.K * u_);
    return feels_gravity(context_, body_) ? V + weight_of_first<double>() : V;
  }

  /// The map of displacements, J = ∂u/∂q.
  SparseMatrix displacement_map() const {
    Triplets entries;
    for (Index k = 1; k < nodes_; ++k) {
      const auto d = displacement<Dual<pair_size>>(k);
      for (Index i = 0; i < at_node; ++i) {
        for_pair(k, [&](Index column, int variable) {
          entries.emplace_back(at_node * k + i, column, d[static_cast<std::size_t>(i)].gradient[index(variable)]);
        });
      }
    }
    for (Index k = 0; k < others(); ++k) entries.emplace_back(at_node * nodes_ + k, first_local_.back() + k, 1);
    return gathered(entries);
  }

  /// The map of velocities B: w = B q̇.
  SparseMatrix velocity_map() const {
    Triplets entries;
    const Rotation<double> axes = first().R;
    Matrix6 of_first = Matrix6::Zero();
    for (Index k = 0; k < nodes_; ++k) {
      const Matrix6 map = velocities_of(k, axes);
      if (k == 0) of_first = map;
      for (Index j = first_local_[index(k)]; j < first_local_[index(k) + 1]; ++j) {
        for (Index i = 0; i < at_node; ++i)
          entries.emplace_back(at_node * k + i, j, map(i, j - first_local_[index(k)]));
      }
    }
    // The other degrees of freedom are carried by the rigid motion of the first node.
    const Vec3<double> x = place_of_node(matrices_, 0);
    const Matrix6 to_origin = rigid_motions_of_node(-x);  // from motions about the first node to those about the origin
    const MatrixXd carried = matrices_.R.bottomRows(others()) * to_origin * of_first;
    for (Index k = 0; k < others(); ++k) {
      for (Index j = 0; j < first_local_[1]; ++j) entries.emplace_back(at_node * nodes_ + k, j, carried(k, j));
      entries.emplace_back(at_node * nodes_ + k, first_local_.back() + k, 1);
    }
    return gathered(entries);
  }

  /// The elastic forces −∂V/∂q.
  VectorXd elastic_forces(const SparseMatrix& J) const {
    VectorXd f = -(J.transpose() * loads());
    if (!feels_gravity(context_, body_)) return f;
    const Dual<pair_size> heavy = weight_of_first<Dual<pair_size>>();
    for_pair(0, [&](Index column, int variable) { f[column] -= heavy.gradient[index(variable)]; });
    return f;
  }

  /// The stiffness ∂²V/∂q².
  SparseMatrix stiffness(const SparseMatrix& J) const {
    SparseMatrix K = J.transpose() * matrices_.K * J;
    Triplets entries;
    const VectorXd h = loads();
    for (Index k = 1; k < nodes_; ++k) {
      const auto d = displacement<Dual2<pair_size>>(k);
      Dual2<pair_size> work(0);
      for (Index i = 0; i < at_node; ++i) work += h[at_node * k + i] * d[static_cast<std::size_t>(i)];
      add_hessian(k, work, entries);
    }
    if (feels_gravity(context_, body_)) {
      add_hessian(0, weight_of_first<Dual2<pair_size>>(), entries);
      const MatrixXd moved = carried_mass_ * J;  // P J
      const auto g = gravity_in_axes<Dual<pair_size>>();
      for (Index j = 0; j < local(); ++j) {
        for_pair(0, [&](Index row, int variable) {
          const double value = g.x.gradient[index(variable)] * moved(0, j) +
                               g.y.gradient[index(variable)] * moved(1, j) +
                               g.z.gradient[index(variable)] * moved(2, j);
          entries.emplace_back(row, j, -value);
          entries.emplace_back(j, row, -value);
        });
      }
    }
    return K + square(entries);
  }

  SparseMatrix damping(const SparseMatrix& J, const SparseMatrix& B) const {
    SparseMatrix C(local(), local());
    if (body_.damping.mass != 0) C = body_.damping.mass * mass_matrix(B);
    SparseMatrix strain(matrices_.size(), matrices_.size());
    if (body_.damping.stiffness != 0) strain = body_.damping.stiffness * matrices_.K;
    if (matrices_.D.size() > 0) strain = SparseMatrix(strain + matrices_.D);
    if (strain.nonZeros() > 0) C = SparseMatrix(C + SparseMatrix(J.transpose() * strain * J));
    return C;
  }
  bool is_damped() const { return body_.damping != Rayleigh{} || matrices_.D.nonZeros() > 0; }

  SparseMatrix mass_matrix(const SparseMatrix& B) const { return B.transpose() * matrices_.M * B; }

  void add_mass_moments(const Vec3<double>& about, MassMoments& total);

 private:
  static std::size_t index(Index i) { return static_cast<std::size_t>(i); }
  Index others() const { return matrices_.size() - at_node * nodes_; }
  space::Frame<double> first() const { return lift<double>(context_, body_.nodes[0], {}); }

  /// Calls f(column, variable) for the coordinates of the first node and of node k, if that is another one.
  template <class F>
  void for_pair(Index k, const F& f) const {
    for (Index j = 0; j < first_local_[1]; ++j) f(j, j);
    if (k == 0) return;
    for (Index j = first_local_[index(k)]; j < first_local_[index(k) + 1]; ++j) f(j, 6 + j - first_local_[index(k)]);
  }

  /// The displacement of node k as a function of the coordinates of both nodes.
  template <class T>
  std::array<T, 6> displacement(Index k) const {
    const auto frame = lift<T>(context_, body_.nodes[0], Seeds{.q = 0});
    const auto node = lift<T>(context_, body_.nodes[index(k)], Seeds{.q = 6});
    const Vec3<double> rest = place_of_node(matrices_, at_node * k) - place_of_node(matrices_, 0);
    const Vec3<T> d = turned_back(frame.R, node.p - frame.p), turn = rotation_vector_of(inverse(frame.R) * node.R);
    return {d.x - rest.x, d.y - rest.y, d.z - rest.z, turn.x, turn.y, turn.z};
  }

  void find_displacements() {
    u_ = VectorXd::Zero(matrices_.size());
    for (Index k = 1; k < nodes_; ++k) {
      const auto d = displacement<double>(k);
      for (Index i = 0; i < at_node; ++i) u_[at_node * k + i] = d[index(i)];
    }
    for (Index k = 0; k < others(); ++k) u_[at_node * nodes_ + k] = context_.q[body_.first_scalar + k];
  }

  /// The velocity and angular velocity of node k, in the axes of the first node, as a map of its own rates.
  Matrix6 velocities_of(Index k, const Rotation<double>& axes) const {
    const auto moving = lift_motion<Dual<6>>(context_, body_.nodes[index(k)], Seeds{.v = 0});
    Matrix6 map;
    for (int j = 0; j < 6; ++j) {
      const auto column = [&](const Vec3<Dual<6>>& v) {
        return turned_back(axes, Vec3<double>{v.x.gradient[index(j)], v.y.gradient[index(j)], v.z.gradient[index(j)]});
      };
      const Vec3<double> v = column(moving.v), omega = column(moving.omega);
      map.col(j) << v.x, v.y, v.z, omega.x, omega.y, omega.z;
    }
    return map;
  }

  // --- weight

  void weigh() {
    carried_mass_ = (matrices_.M * matrices_.R.leftCols<3>()).transpose();
    mass_ = carried_mass_.row(0) * matrices_.R.col(0);
    const Eigen::Matrix3d skew = carried_mass_ * matrices_.R.rightCols<3>();
    about_origin_ = {skew(1, 2), skew(2, 0), skew(0, 1)};
  }
  /// s + P u, about the first node.
  Vec3<double> first_moment() const {
    return about_origin_ - mass_ * place_of_node(matrices_, 0) + vector_of(carried_mass_ * u_, 0);
  }
  template <class T>
  Vec3<T> gravity_in_axes() const {
    const auto frame = lift<T>(context_, body_.nodes[0], Seeds{.q = 0});
    return turned_back(frame.R, Vec3<T>{T(context_.gravity.x), T(context_.gravity.y), T(context_.gravity.z)});
  }
  /// The part of the potential that depends on the first node alone, for given displacements.
  template <class T>
  T weight_of_first() const {
    const auto frame = lift<T>(context_, body_.nodes[0], Seeds{.q = 0});
    return -mass_ * dot(context_.gravity, frame.p) - dot(first_moment(), gravity_in_axes<T>());
  }
  /// The generalised forces ∂V/∂u.
  VectorXd loads() const {
    VectorXd h = matrices_.K * u_;
    if (!feels_gravity(context_, body_)) return h;
    const Vec3<double> g = turned_back(first().R, context_.gravity);
    h -= carried_mass_.transpose() * Eigen::Vector3d(g.x, g.y, g.z);
    return h;
  }

  // --- matrices

  void add_hessian(Index k, const Dual2<pair_size>& value, Triplets& entries) const {
    for_pair(k, [&](Index row, int i) {
      for_pair(k, [&](Index column, int j) { entries.emplace_back(row, column, value.hessian(i, j)); });
    });
  }
  SparseMatrix gathered(const Triplets& entries) const {
    SparseMatrix A(matrices_.size(), local());
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }
  SparseMatrix square(const Triplets& entries) const {
    SparseMatrix A(local(), local());
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }

  const Context& context_;
  const FlexibleBody& body_;
  const FlexibleMatrices& matrices_;
  Index nodes_;
  std::vector<Index> coordinates_;
  std::vector<Index> first_local_{0};  // first local index of each node, and of the scalars
  VectorXd u_;

  // The following are set by weigh().
  Eigen::Matrix<double, 3, Eigen::Dynamic> carried_mass_;  // P
  double mass_ = 0;
  Vec3<double> about_origin_{};  // ∫ x dm
};

// Mass moments from the tensor Rᵀ M R, transferred from the first node to the given point.
void BodyState::add_mass_moments(const Vec3<double>& about, MassMoments& total) {
  weigh();
  const space::Frame<double> frame = first();
  const Vec3<double> x = place_of_node(matrices_, 0);
  const Vec3<double> origin = frame.p - turned(frame.R, x);  // origin of the matrices
  const Vec3<double> about_origin = turned(frame.R, about_origin_);
  const Eigen::Matrix3d I = matrices_.R.rightCols<3>().transpose() * (matrices_.M * matrices_.R.rightCols<3>());
  const Vec3<double> r = origin - about;
  total.mass += mass_;
  total.first += about_origin + mass_ * r;
  const std::array<Vec3<double>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3<double>& e = axes[k];
    const Vec3<double> in_body = turned_back(frame.R, e);
    const Eigen::Vector3d Ie = I * Eigen::Vector3d(in_body.x, in_body.y, in_body.z);
    total.second[k] += turned(frame.R, vector_of(Ie, 0)) + cross(r, cross(e, about_origin)) +
                       cross(about_origin, cross(e, r)) + mass_ * cross(r, cross(e, r));
  }
}

void require_rest(const Context& context, const BodyState& state) {
  if (!context.v) return;
  for (const Index i : state.coordinates()) {
    if (context.v[i] != 0) throw std::invalid_argument("flexible bodies from matrices are linearized at rest only");
  }
}

template <class Sink>
void add(Sink& sink, const SparseMatrix& A, const std::vector<Index>& coordinates) {
  const auto at = [&](Eigen::Index i) { return coordinates[static_cast<std::size_t>(i)]; };
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) sink.add(at(entry.row()), at(j), entry.value());
  }
}

template <class Sink>
void visit(const Context& context, const FlexibleBody& body, Sinks<Sink>& sinks) {
  const BodyState state(context, body);
  require_rest(context, state);
  const SparseMatrix J = state.displacement_map(), B = state.velocity_map();
  add(sinks.M, state.mass_matrix(B), state.coordinates());
  add(sinks.K, state.stiffness(J), state.coordinates());
  if (state.is_damped()) add(sinks.C, state.damping(J, B), state.coordinates());
}

VectorXd gathered(const double* values, const std::vector<Index>& coordinates) {
  VectorXd x(static_cast<Eigen::Index>(coordinates.size()));
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = values[coordinates[static_cast<std::size_t>(i)]];
  return x;
}

void scatter(const VectorXd& x, const std::vector<Index>& coordinates, double* to) {
  for (Eigen::Index i = 0; i < x.size(); ++i) to[coordinates[static_cast<std::size_t>(i)]] += x[i];
}

}  // namespace

int FlexibleBodyArray::places() const {
  std::size_t most = 0;
  for (const FlexibleBody& body : elements_) most = std::max(most, body.nodes.size());
  return static_cast<int>(most);
}

// A body with fewer nodes than the largest repeats its first node.
Index FlexibleBodyArray::block(const Context& context, Index element, int place) const {
  const FlexibleBody& body = elements_[static_cast<std::size_t>(element)];
  const auto k = static_cast<std::size_t>(place);
  return block_of(context, body.nodes[k < body.nodes.size() ? k : 0]);
}

void FlexibleBodyArray::add_coordinates(const Context& context, Index element, std::vector<Index>& to) const {
  add_coordinates_of(context, elements_[static_cast<std::size_t>(element)], to);
}

double FlexibleBodyArray::potential(const Context& context) const {
  double total = 0;
  for (const FlexibleBody& body : elements_) total += BodyState(context, body).potential();
  return total;
}

void FlexibleBodyArray::add_forces(const Context& context, double* f) const {
  for (const FlexibleBody& body : elements_) {
    const BodyState state(context, body);
    const SparseMatrix J = state.displacement_map();
    VectorXd forces = state.elastic_forces(J);
    if (context.v && state.is_damped()) {
      forces -= state.damping(J, state.velocity_map()) * gathered(context.v, state.coordinates());
    }
    scatter(forces, state.coordinates(), f);
  }
}

void FlexibleBodyArray::add_inertia(const Context& context, double* r) const {
  for (const FlexibleBody& body : elements_) {
    const BodyState state(context, body);
    require_rest(context, state);
    if (!context.a) continue;
    scatter(state.mass_matrix(state.velocity_map()) * gathered(context.a, state.coordinates()), state.coordinates(), r);
  }
}

void FlexibleBodyArray::add_mass_moments(const Context& context, const Vec3<double>& about, MassMoments& total) const {
  for (const FlexibleBody& body : elements_) BodyState(context, body).add_mass_moments(about, total);
}

void FlexibleBodyArray::add_pattern(const Context& context, Index, Sinks<PatternSink>& sinks) const {
  for (const FlexibleBody& body : elements_) visit(context, body, sinks);
}

void FlexibleBodyArray::add_values(const Context& context, ElementRange range, const double*, Index,
                                   Sinks<ValueSink>& sinks) const {
  for (Index i = range.first; i < range.last; ++i) visit(context, elements_[static_cast<std::size_t>(i)], sinks);
}

template <>
std::shared_ptr<ElementArrayBase> new_element_array<FlexibleBody>() {
  return std::make_shared<FlexibleBodyArray>();
}

}  // namespace stillpoint
