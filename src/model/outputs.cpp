#include "stillpoint/outputs.h"

#include <Eigen/Geometry>

#include "stillpoint/detail/observed.h"

namespace stillpoint {

namespace {

using Triplets = std::vector<Eigen::Triplet<double, Index>>;

struct OutputTriplets {
  Triplets q, v, a, lambda, u;
};

/// The rotation matrix into the axes of a marker, and its derivatives with respect to the coordinates of the marker.
struct Axes {
  Eigen::MatrixXd turn;
  std::vector<Index> coordinates;
  std::vector<Eigen::MatrixXd> derivative;
};

Axes plane_axes(const Context& context, Index marker) {
  const AngleOf place{marker};
  const double angle = lift<double>(context, place, {});
  const double c = std::cos(angle), s = std::sin(angle);
  Axes axes;
  axes.turn = Eigen::Matrix2d{{c, s}, {-s, c}};
  const Dependence on = dependence(context, place);
  if (on.count > 0) {
    axes.coordinates = {on.coordinate[0]};
    axes.derivative = {Eigen::Matrix2d{{-s, c}, {-c, -s}}};
  }
  return axes;
}

Axes space_axes(const Context& context, Index marker) {
  const space::OrientationOf place{marker};
  const auto R = lift<Dual<3>>(context, place, {.q = 0});
  const Vec3<Dual<3>> rows[] = {x_axis(R), y_axis(R), z_axis(R)};
  Axes axes;
  axes.turn.resize(3, 3);
  const Dependence on = dependence(context, place);
  axes.coordinates.assign(on.coordinate.begin(), on.coordinate.begin() + on.count);
  axes.derivative.assign(static_cast<std::size_t>(on.count), Eigen::Matrix3d());
  for (int i = 0; i < 3; ++i) {
    const Dual<3>* const row[] = {&rows[i].x, &rows[i].y, &rows[i].z};
    for (int j = 0; j < 3; ++j) {
      axes.turn(i, j) = row[j]->value;
      for (std::size_t k = 0; k < axes.derivative.size(); ++k) axes.derivative[k](i, j) = row[j]->gradient[k];
    }
  }
  return axes;
}

// Rotates every vector among the components: the force in the plane, or the force and the moment of a wrench in space.
void turn_into(const Axes& axes, Observed& seen) {
  const Eigen::Index size = axes.turn.rows();
  const Eigen::VectorXd before = seen.value;
  const Eigen::Index own = seen.by_q.cols();
  seen.by_q.conservativeResize(Eigen::NoChange, own + static_cast<Eigen::Index>(axes.coordinates.size()));
  seen.by_q.rightCols(static_cast<Eigen::Index>(axes.coordinates.size())).setZero();
  for (Eigen::Index first = 0; first + size <= before.size(); first += size) {
    seen.value.segment(first, size) = axes.turn * before.segment(first, size);
    seen.by_q.middleRows(first, size) = (axes.turn * seen.by_q.middleRows(first, size)).eval();
    seen.by_lambda.middleRows(first, size) = (axes.turn * seen.by_lambda.middleRows(first, size)).eval();
    for (std::size_t k = 0; k < axes.derivative.size(); ++k) {
      seen.by_q.col(own + static_cast<Eigen::Index>(k)).segment(first, size) =
          axes.derivative[k] * before.segment(first, size);
    }
  }
  seen.coordinates.insert(seen.coordinates.end(), axes.coordinates.begin(), axes.coordinates.end());
}

Observed look_at(const Output& output, const ModelArray& array, const Context& context, const double* lambda) {
  const ElementArrayBase& elements = *array.elements;
  if (output.place == nothing) return elements.measured(context, output.element);
  const Index first = array.first_row + output.element * elements.rows();
  Observed seen = elements.reaction(context, output.element, output.place, lambda + first);
  const WrenchKind kind = elements.wrench_kind(output.place);
  if (output.axes == ground_marker || kind == WrenchKind::single) return seen;
  turn_into(kind >= WrenchKind::force ? space_axes(context, output.axes) : plane_axes(context, output.axes), seen);
  return seen;
}

template <class Column>
void scatter(const Eigen::MatrixXd& block, Index first, Column column, Triplets& triplets) {
  for (Eigen::Index i = 0; i < block.rows(); ++i) {
    for (Eigen::Index j = 0; j < block.cols(); ++j) {
      if (block(i, j) != 0) triplets.emplace_back(first + static_cast<Index>(i), column(j), block(i, j));
    }
  }
}

SparseMatrix matrix(Index rows, Index columns, const Triplets& triplets) {
  SparseMatrix made(rows, columns);
  made.setFromTriplets(triplets.begin(), triplets.end());
  return made;
}

}  // namespace

OutputValues observe(const Model& model, const State& state) {
  const Context context = model.context(state);
  const Eigen::VectorXd lambda =
      state.lambda.size() > 0 ? state.lambda : Eigen::VectorXd::Zero(model.constraints()).eval();
  Eigen::VectorXd y(model.outputs());
  OutputTriplets H;
  for (const Output& output : model.output_list()) {
    const ModelArray& array = model.arrays()[output.array];
    const Observed seen = look_at(output, array, context, lambda.data());
    y.segment(output.first, seen.value.size()) = seen.value;
    const auto coordinate = [&](Eigen::Index j) { return seen.coordinates[static_cast<std::size_t>(j)]; };
    scatter(seen.by_q, output.first, coordinate, H.q);
    scatter(seen.by_v, output.first, coordinate, H.v);
    scatter(seen.by_a, output.first, coordinate, H.a);
    const Index first_row = array.first_row + output.element * array.elements->rows();
    scatter(
        seen.by_lambda, output.first, [&](Eigen::Index j) { return first_row + static_cast<Index>(j); }, H.lambda);
    if (seen.input != nothing)
      scatter(
          seen.by_input, output.first, [&](Eigen::Index) { return seen.input; }, H.u);
  }
  const Index rows = model.outputs(), n = model.coordinates();
  return {.y = std::move(y),
          .Hq = matrix(rows, n, H.q),
          .Hv = matrix(rows, n, H.v),
          .Ha = matrix(rows, n, H.a),
          .Hl = matrix(rows, model.constraints(), H.lambda),
          .Hu = matrix(rows, model.inputs(), H.u)};
}

}  // namespace stillpoint
