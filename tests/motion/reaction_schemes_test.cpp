// Three schemes for joint reactions [Blajer 1994], eqs. 35, 37 and 38, against the multipliers of `accelerations`, on
// random four-bar linkages and on parallel links with redundant hinges. Everything that the schemes need is written out
// here: masses, forces, Jacobian and curvature of planar bodies on hinges, and accelerations in independent
// coordinates. With M v̇ = h + Bᵀφ, B v̇ = ξ, and B D = 0:
//
//   (B M⁻¹ Bᵀ) φ = ξ − B M⁻¹ h,        [Bᵀ, M D] [φ; 0] = M v̇ − h,        Bᵀφ = M v̇ − h by least squares
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "stillpoint/elements/all.h"
#include "stillpoint/motion.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd, Eigen::Vector2d, Eigen::VectorXd;

namespace {

constexpr double g = 9.81;
constexpr int ground_body = -1;

Vector2d turned(double angle, const Vector2d& r) { return Eigen::Rotation2Dd(angle) * r; }

/// Bodies in the plane, with their origins in their centres of mass, and hinges at places in the axes of two of them.
struct HingedBodies {
  struct Part {
    double mass = 1, inertia = 1;
    Vector2d at{0, 0};
    double angle = 0;
  };
  struct Hinge {
    int a = ground_body, b = 0;
    Vector2d on_a{0, 0}, on_b{0, 0};
  };
  std::vector<Part> parts{};
  std::vector<Hinge> hinges{};

  void hinge_at(const Vector2d& place, int a, int b) {
    const auto local = [&](int body) {
      if (body == ground_body) return place;
      const Part& part = parts[static_cast<std::size_t>(body)];
      return turned(-part.angle, place - part.at);
    };
    hinges.push_back({a, b, local(a), local(b)});
  }

  Model model() const {
    ModelBuilder build("hinged bodies");
    build.gravity({0, -g, 0});
    std::vector<Place> bodies;
    for (const Part& part : parts) {
      const auto number = static_cast<std::int64_t>(bodies.size());
      bodies.push_back(build.body(Name("body", {number}), {part.at.x(), part.at.y()},
                                  {.angle = part.angle, .mass = part.mass, .inertia = part.inertia}));
    }
    std::int64_t number = 0;
    for (const Hinge& hinge : hinges) {
      const auto place = [&](const char* side, int body, const Vector2d& at) {
        return body == ground_body
                   ? build.fixed(Name(side, {number}), {at.x(), at.y()})
                   : build.marker(Name(side, {number}), bodies[static_cast<std::size_t>(body)], {at.x(), at.y()});
      };
      const Place a = place("a", hinge.a, hinge.on_a), b = place("b", hinge.b, hinge.on_b);
      build.add(Name("hinge", {number++}), Revolute{.a = a, .b = b});
    }
    return build.model();
  }

  Eigen::Index coordinates() const { return 3 * static_cast<Eigen::Index>(parts.size()); }
  Eigen::Index rows() const { return 2 * static_cast<Eigen::Index>(hinges.size()); }

  MatrixXd masses() const {
    VectorXd diagonal(coordinates());
    for (std::size_t i = 0; i < parts.size(); ++i)
      diagonal.segment<3>(3 * static_cast<Eigen::Index>(i)) << parts[i].mass, parts[i].mass, parts[i].inertia;
    return diagonal.asDiagonal();
  }
  VectorXd forces() const {
    VectorXd h = VectorXd::Zero(coordinates());
    for (std::size_t i = 0; i < parts.size(); ++i) h[3 * static_cast<Eigen::Index>(i) + 1] = -g * parts[i].mass;
    return h;
  }
  /// Of p_b − p_a.
  MatrixXd jacobian() const {
    MatrixXd J = MatrixXd::Zero(rows(), coordinates());
    for (std::size_t k = 0; k < hinges.size(); ++k) {
      const Hinge& hinge = hinges[k];
      const auto put = [&](int body, const Vector2d& at, double sign) {
        if (body == ground_body) return;
        const Vector2d arm = turned(parts[static_cast<std::size_t>(body)].angle, at);
        auto block = J.block<2, 3>(2 * static_cast<Eigen::Index>(k), 3 * body);
        block << sign, 0, -sign * arm.y(), 0, sign, sign * arm.x();
      };
      put(hinge.a, hinge.on_a, -1);
      put(hinge.b, hinge.on_b, 1);
    }
    return J;
  }
  /// −J̇ v: the centripetal accelerations, on the other side.
  VectorXd right_side(const VectorXd& v) const {
    VectorXd xi = VectorXd::Zero(rows());
    for (std::size_t k = 0; k < hinges.size(); ++k) {
      const Hinge& hinge = hinges[k];
      const auto put = [&](int body, const Vector2d& at, double sign) {
        if (body == ground_body) return;
        const double omega = v[3 * body + 2];
        xi.segment<2>(2 * static_cast<Eigen::Index>(k)) +=
            sign * omega * omega * turned(parts[static_cast<std::size_t>(body)].angle, at);
      };
      put(hinge.a, hinge.on_a, -1);
      put(hinge.b, hinge.on_b, 1);
    }
    return xi;
  }
};

HingedBodies random_four_bar(Random& random) {
  HingedBodies bars;
  std::vector<Vector2d> corners;
  for (const Vector2d& corner : {Vector2d(0, 0), Vector2d(0, 1), Vector2d(1.5, 1), Vector2d(1.5, 0)})
    corners.emplace_back(corner + random.vector(2, -0.7, 0.7));
  for (int i = 0; i < 3; ++i) {
    const double mass = random.scaled(0.1, 10), inertia = random.scaled(0.01, 10), angle = random.between(-3, 3);
    bars.parts.push_back({mass, inertia, corners[static_cast<std::size_t>(i)] + random.vector(2, -1, 1), angle});
  }
  for (int i = 0; i < 4; ++i) bars.hinge_at(corners[static_cast<std::size_t>(i)], i - 1, i < 3 ? i : ground_body);
  return bars;
}

/// A coupler on parallel links, in motion without rotation: of each link beyond two one equation is redundant.
HingedBodies random_parallel_links(Random& random) {
  HingedBodies bars;
  const int links = random.whole(3, 4);
  const double angle = random.between(0.3, 2.8), length = random.between(0.5, 2);
  const Vector2d along = length * Vector2d(std::cos(angle), std::sin(angle));
  for (int i = 0; i <= links; ++i) {
    const Vector2d foot(i + random.between(-0.3, 0.3), i % 2 == 0 ? -0.4 : 0.4);
    const double mass = random.scaled(0.1, 10), inertia = random.scaled(0.01, 10), turn = random.between(-3, 3);
    bars.parts.push_back({mass, inertia, foot + random.vector(2, -1, 1), turn});
    if (i == 0) continue;  // that is the coupler
    bars.hinge_at(foot, ground_body, i);
    bars.hinge_at(foot + along, i, 0);
  }
  return bars;
}

/// φ by the three schemes at random rates, of independent rows B; the third of all rows, of least norm.
struct Schemes {
  MatrixXd B{};
  double condition = 0;  ///< of B
  VectorXd v{}, a{};     ///< rates, and the accelerations in independent coordinates
  VectorXd by_masses{}, by_both{}, by_least_squares{};
  double beside = 0;  ///< the forces that the second scheme finds beside Bᵀφ, which must vanish
};

std::vector<Eigen::Index> independent_rows(const MatrixXd& J) {
  Eigen::ColPivHouseholderQR<MatrixXd> pivoted(J.transpose());
  pivoted.setThreshold(1e-9);
  std::vector<Eigen::Index> rows;
  for (Eigen::Index k = 0; k < pivoted.rank(); ++k) rows.push_back(pivoted.colsPermutation().indices()[k]);
  std::sort(rows.begin(), rows.end());
  return rows;
}

Schemes solve_schemes(const HingedBodies& bars, Random& random) {
  Schemes found;
  const MatrixXd J = bars.jacobian(), M = bars.masses(), inverse = M.diagonal().cwiseInverse().asDiagonal();
  const VectorXd h = bars.forces();
  const std::vector<Eigen::Index> rows = independent_rows(J);
  found.B = J(rows, Eigen::all);
  const MatrixXd& B = found.B;
  const Eigen::JacobiSVD<MatrixXd> svd(B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  found.condition = svd.singularValues()[0] / svd.singularValues()[B.rows() - 1];
  const MatrixXd D = svd.matrixV().rightCols(J.cols() - B.rows());
  found.v = D * random.vector(D.cols(), -3, 3);
  const VectorXd xi = bars.right_side(found.v)(rows);

  const VectorXd particular = svd.solve(xi);
  found.a = particular + D * (D.transpose() * M * D).ldlt().solve(D.transpose() * (h - M * particular));
  const VectorXd transmitted = M * found.a - h;
  found.by_masses = (B * inverse * B.transpose()).partialPivLu().solve(xi - B * inverse * h);
  MatrixXd both(J.cols(), J.cols());
  both << B.transpose(), M * D;
  const VectorXd solution = both.partialPivLu().solve(transmitted);
  found.by_both = solution.head(B.rows());
  found.beside = (M * D * solution.tail(D.cols())).norm();
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> least;
  least.setThreshold(1e-9);
  found.by_least_squares = least.compute(J.transpose()).solve(transmitted);
  return found;
}

/// Beyond this condition the first scheme, which squares it, has too few digits for the comparison.
constexpr double largest_condition = 1e5;
constexpr double agreement = 1e-10;  // relative, times cond(B)

/// The largest difference of the constraint forces, relative and over cond(B); negative if B is too ill-conditioned.
double compare_schemes(const HingedBodies& bars, const Schemes& schemes) {
  if (schemes.condition > largest_condition) return -1;
  const Model model = bars.model();
  State state = model.initial_state();
  state.v = schemes.v;
  const Accelerations now = accelerations(model, state);
  const MatrixXd J = bars.jacobian();
  const VectorXd forces = -J.transpose() * now.lambda;
  const double bound = agreement * schemes.condition;
  CAPTURE(schemes.condition);
  CHECK((now.a - schemes.a).norm() < bound * schemes.a.norm());
  CHECK(schemes.beside < bound * forces.norm());
  double worst = 0;
  for (const VectorXd& found :
       {VectorXd(schemes.B.transpose() * schemes.by_masses), VectorXd(schemes.B.transpose() * schemes.by_both),
        VectorXd(J.transpose() * schemes.by_least_squares)}) {
    const double error = (found - forces).norm() / forces.norm();
    CHECK(error < bound);
    worst = std::max(worst, error / schemes.condition);
  }
  if (schemes.B.rows() < J.rows()) return worst;
  for (const VectorXd& phi : {schemes.by_masses, schemes.by_both, schemes.by_least_squares})
    CHECK((phi + now.lambda).norm() < bound * now.lambda.norm());
  return worst;
}

void compare_many(HingedBodies (*draw)(Random&), int count, bool are_redundant) {
  Random random(31);
  int compared = 0;
  double worst = 0;
  for (int k = 0; k < count; ++k) {
    CAPTURE(k);
    const HingedBodies bars = draw(random);
    const Schemes schemes = solve_schemes(bars, random);
    CHECK((schemes.B.rows() < bars.rows()) == are_redundant);
    CHECK(schemes.B.rows() == bars.coordinates() - 1);
    const double difference = compare_schemes(bars, schemes);
    compared += difference >= 0;
    worst = std::max(worst, difference);
  }
  MESSAGE(compared, " of ", count, " compared, the worst difference is ", worst, " of cond(B)");
  CHECK(compared > 0.98 * count);
}

}  // namespace

TEST_CASE("reaction schemes: three of them give the multipliers of random four-bar linkages") {
  compare_many(random_four_bar, draws(1000, 100), false);
}

TEST_CASE("reaction schemes: with redundant hinges they give the same forces, by independent rows or by least norm") {
  compare_many(random_parallel_links, draws(1000, 100), true);
}
