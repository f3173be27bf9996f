#include "modes/following/assignment.h"

#include <algorithm>
#include <limits>

#include "base/at.h"

namespace stillpoint {

namespace {

// Rows are added one by one. u and v are the prices of rows and columns, and the path with the least reduced cost from
// the new row to a free column is found by Dijkstra's algorithm.
std::vector<Eigen::Index> assign_square(const Eigen::MatrixXd& costs) {
  constexpr Eigen::Index none = -1;
  const Eigen::Index n = costs.rows();
  Eigen::VectorXd u = Eigen::VectorXd::Zero(n), v = Eigen::VectorXd::Zero(n);
  std::vector<Eigen::Index> row_of(at(n), none), column_of(at(n), none);
  for (Eigen::Index added = 0; added < n; ++added) {
    Eigen::VectorXd distance = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::infinity());
    std::vector<Eigen::Index> from(at(n), none);
    std::vector<char> is_done(at(n), 0);
    Eigen::Index row = added, end = none;
    double length = 0;
    while (end == none) {
      Eigen::Index nearest = none;
      for (Eigen::Index j = 0; j < n; ++j) {
        if (is_done[at(j)]) continue;
        const double through = length + costs(row, j) - u[row] - v[j];
        if (through < distance[j]) {
          distance[j] = through;
          from[at(j)] = row;
        }
        if (nearest == none || distance[j] < distance[nearest]) nearest = j;
      }
      length = distance[nearest];
      is_done[at(nearest)] = 1;
      if (row_of[at(nearest)] == none) end = nearest;
      else row = row_of[at(nearest)];
    }
    for (Eigen::Index j = 0; j < n; ++j) {
      if (!is_done[at(j)] || j == end) continue;
      u[row_of[at(j)]] += length - distance[j];
      v[j] -= length - distance[j];
    }
    u[added] += length;
    for (Eigen::Index j = end;;) {
      const Eigen::Index of = from[at(j)], before = column_of[at(of)];
      row_of[at(j)] = of;
      column_of[at(of)] = j;
      if (of == added) break;
      j = before;
    }
  }
  return column_of;
}

}  // namespace

// Rows and columns that are added cost the same everywhere, so that the others are assigned as if they were not there.
std::vector<Eigen::Index> assign(const Eigen::MatrixXd& costs) {
  const Eigen::Index rows = costs.rows(), columns = costs.cols(), n = std::max(rows, columns);
  if (rows == columns) return assign_square(costs);
  Eigen::MatrixXd square = Eigen::MatrixXd::Constant(n, n, costs.size() > 0 ? costs.maxCoeff() : 0);
  square.topLeftCorner(rows, columns) = costs;
  std::vector<Eigen::Index> column_of = assign_square(square);
  column_of.resize(at(rows));
  for (Eigen::Index& column : column_of) {
    if (column >= columns) column = nowhere;
  }
  return column_of;
}

}  // namespace stillpoint
