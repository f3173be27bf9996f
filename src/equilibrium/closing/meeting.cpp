#include "equilibrium/closing/meeting.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>

namespace stillpoint {

namespace {

constexpr double parallel = 1e-9;  // sine of the angle below which normals count as parallel
// A third plane that comes from redundant spheres is used only at this angle to the others; otherwise it would spoil
// digits that the sphere itself keeps.
constexpr double well_inclined = 1e-3;
constexpr double touching = 1e-14;       // circles that miss each other by this share of their squares touch
constexpr double contradiction = 1e-6;   // a solution that misses another locus by more, relative to lengths, is none
constexpr double no_orientation = 1e-9;  // the guess has no assembly mode if its triple product is less

/// A plane n·x = d with |n| = 1, relative to the centre of the first sphere.
struct PlaneRow {
  Vec3<double> n;
  double d = 0;
  Vec3<double> drawn;  ///< its normal at the guess
  std::size_t locus = 0;
};

/// The planes of some loci, those of differences of spheres included, and the independent ones among them.
struct Reduced {
  const Locus* sphere = nullptr;  ///< the first one
  std::size_t sphere_at = 0;
  Vec3<double> origin{};
  std::vector<PlaneRow> rows;
  std::vector<PlaneRow> independent;  ///< at most three, in the order of the loci
};

void add_row(Reduced& reduced, const Vec3<double>& normal, double d, const Vec3<double>& drawn, std::size_t locus,
             double least) {
  const double size = length(normal);
  if (!(size > least)) return;
  reduced.rows.push_back({(1 / size) * normal, d / size, drawn, locus});
}

// From |x|² = r₀² and |x − e|² = r² follows −e·x = ½ (r² − r₀² − |e|²).
void add_difference(Reduced& reduced, const Locus& other, std::size_t locus) {
  const Vec3<double> e = other.vector - reduced.origin;
  const double r = other.value, r0 = reduced.sphere->value;
  add_row(reduced, -e, 0.5 * ((r - r0) * (r + r0) - dot(e, e)), other.drawn - reduced.sphere->drawn, locus,
          parallel * (r + r0));
}

Vec3<double> without_parts_along(const std::vector<Vec3<double>>& basis, Vec3<double> v) {
  for (const Vec3<double>& e : basis) v += -dot(e, v) * e;
  return v;
}

// Pivoted Gram–Schmidt: the row that differs most from those chosen comes next.
void choose_independent(Reduced& reduced) {
  std::vector<Vec3<double>> basis;
  while (basis.size() < 3) {
    const PlaneRow* best = nullptr;
    Vec3<double> rest{};
    for (const PlaneRow& row : reduced.rows) {
      const Vec3<double> its_rest = without_parts_along(basis, row.n);
      if (length(its_rest) > length(rest)) best = &row, rest = its_rest;
    }
    const double least = basis.size() == 2 && reduced.sphere ? well_inclined : parallel;
    if (!best || length(rest) <= least) break;
    basis.push_back((1 / length(rest)) * rest);
    reduced.independent.push_back(*best);
  }
  std::sort(reduced.independent.begin(), reduced.independent.end(),
            [](const PlaneRow& a, const PlaneRow& b) { return a.locus < b.locus; });
}

Reduced reduced_to_planes(const std::vector<Locus>& loci) {
  Reduced reduced;
  for (std::size_t i = 0; i < loci.size() && !reduced.sphere; ++i) {
    if (loci[i].shape == Locus::Shape::sphere) reduced.sphere = &loci[i], reduced.sphere_at = i;
  }
  if (reduced.sphere) reduced.origin = reduced.sphere->vector;
  for (std::size_t i = 0; i < loci.size(); ++i) {
    const Locus& locus = loci[i];
    if (locus.shape == Locus::Shape::plane) {
      add_row(reduced, locus.vector, locus.value - dot(locus.vector, reduced.origin), locus.drawn, i, 0);
    } else if (&locus != reduced.sphere) {
      add_difference(reduced, locus, i);
    }
  }
  choose_independent(reduced);
  return reduced;
}

/// Solves a·x = α, b·x = β, c·x = γ.
Vec3<double> solved(const PlaneRow& a, const PlaneRow& b, const PlaneRow& c) {
  Eigen::Matrix3d A;
  A << a.n.x, a.n.y, a.n.z, b.n.x, b.n.y, b.n.z, c.n.x, c.n.y, c.n.z;
  const Eigen::Vector3d x = A.colPivHouseholderQr().solve(Eigen::Vector3d(a.d, b.d, c.d));
  return {x[0], x[1], x[2]};
}

bool satisfies(const Locus& locus, const Vec3<double>& x, double size) {
  if (locus.is_ray && !(dot(locus.ahead, x - locus.start) > 0)) return false;
  const double miss = locus.shape == Locus::Shape::sphere
                          ? length(x - locus.vector) - locus.value
                          : (dot(locus.vector, x) - locus.value) / std::max(length(locus.vector), parallel * size);
  return std::abs(miss) <= contradiction * size;
}

/// The length by which the loci of a sphere and of the row that decides do not meet.
double gap_between(const Reduced& reduced, const Locus& other, double foot) {
  const double r0 = reduced.sphere->value;
  if (other.shape == Locus::Shape::plane) return foot - r0;
  const double distance = length(other.vector - reduced.origin), r = other.value;
  return std::max(distance - (r + r0), std::abs(r - r0) - distance);
}

// The triple product of both normals and the arm of the sphere has opposite signs in the two assembly modes.
bool guess_prefers_plus(const Reduced& reduced, const Vec3<double>& foot, const Vec3<double>& along,
                        const Vec3<double>& guess) {
  const Vec3<double>&a = reduced.independent[0].drawn, &b = reduced.independent[1].drawn, &arm = reduced.sphere->drawn;
  const double volume = dot(cross(a, b), arm);
  if (std::abs(volume) > no_orientation * length(a) * length(b) * length(arm)) return volume > 0;
  return dot(guess - (reduced.origin + foot), along) >= 0;
}

void add_two_points(const std::vector<Locus>& loci, const Reduced& reduced, const Vec3<double>& guess,
                    Meeting& meeting) {
  const PlaneRow &a = reduced.independent[0], &b = reduced.independent[1];
  const Vec3<double> normal = cross(a.n, b.n), along = (1 / length(normal)) * normal;
  const Vec3<double> foot = solved(a, b, {along, 0, {}, 0});
  const double r = reduced.sphere->value, square = (r - length(foot)) * (r + length(foot));
  if (square < -touching * (r * r + dot(foot, foot))) {
    const std::size_t other = loci[b.locus].shape == Locus::Shape::sphere || b.d != 0 ? b.locus : a.locus;
    meeting.apart = {reduced.sphere_at, other};
    meeting.gap = gap_between(reduced, loci[other], length(foot));
    return;
  }
  const double h = std::sqrt(std::max(square, 0.0));
  const Vec3<double> base = reduced.origin + foot;
  meeting.solutions = {{base + h * along, 1}, {base + (-h) * along, -1}};
  if (!guess_prefers_plus(reduced, foot, along, guess)) std::swap(meeting.solutions[0], meeting.solutions[1]);
}

}  // namespace

Meeting meet(const std::vector<Locus>& loci, const Vec3<double>& guess, double size) {
  Meeting meeting;
  const Reduced reduced = reduced_to_planes(loci);
  const std::vector<PlaneRow>& rows = reduced.independent;
  if (rows.size() == 3) {
    meeting.solutions = {{reduced.origin + solved(rows[0], rows[1], rows[2]), 0}};
  } else if (rows.size() == 2 && reduced.sphere) {
    add_two_points(loci, reduced, guess, meeting);
  } else {
    return meeting;
  }
  meeting.determined = true;
  std::erase_if(meeting.solutions, [&](const MeetingPoint& point) {
    return std::any_of(loci.begin(), loci.end(), [&](const Locus& locus) { return !satisfies(locus, point.at, size); });
  });
  return meeting;
}

// The guess is projected onto the planes and then, along them, onto the sphere.
Vec3<double> nearest_point(const std::vector<Locus>& loci, const Vec3<double>& guess) {
  const Reduced reduced = reduced_to_planes(loci);
  std::vector<Vec3<double>> basis;
  Vec3<double> foot = reduced.sphere ? Vec3<double>{} : guess - reduced.origin;
  for (const PlaneRow& row : reduced.independent) {
    const Vec3<double> rest = without_parts_along(basis, row.n), e = (1 / length(rest)) * rest;
    foot += ((row.d - dot(row.n, foot)) / dot(row.n, e)) * e;
    basis.push_back(e);
  }
  if (!reduced.sphere) return foot + reduced.origin;
  Vec3<double> along = without_parts_along(basis, guess - reduced.origin - foot);
  for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
    if (length(along) == 0) along = without_parts_along(basis, axis);
  }
  const double r = reduced.sphere->value;
  const double h = std::sqrt(std::max((r - length(foot)) * (r + length(foot)), 0.0));
  return reduced.origin + foot + (h / length(along)) * along;
}

}  // namespace stillpoint
