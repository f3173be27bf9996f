// Motions of modes that keep the constraints, as polynomials in the two amplitudes of a mode.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "scene/frames.h"
#include "scene/projection.h"

namespace stillpoint {

namespace {

using std::numbers::pi;

constexpr double is_real_below = 1e-3;  // ‖Im x‖ / ‖Re x‖: an ellipse as thin as this is drawn as a line
constexpr double still = 1e-9;          // displacement relative to the largest one that counts as none
constexpr int whole = 32767;            // the largest stored number

/// Amplitudes (a, b), and the points on the way to them from rest in order; rest itself is left out.
struct Ray {
  double cosine = 1, sine = 0;
  std::vector<double> radii;
};

std::vector<Ray> rays(int count, double first_angle, const std::vector<double>& radii) {
  std::vector<Ray> all;
  for (int k = 0; k < count; ++k) {
    const double angle = first_angle + 2 * pi * k / count;
    all.push_back({std::cos(angle), std::sin(angle), radii});
  }
  return all;
}

std::vector<Ray> both_sides(const std::vector<double>& radii) { return {{1, 0, radii}, {-1, 0, radii}}; }

/// Where the displacements are fitted: the radii are those of Chebyshev's points, dense at the edge.
std::vector<Ray> fitted_rays(bool is_line) {
  const auto radii = [](int count) {
    std::vector<double> r;
    for (int k = 1; k <= count; ++k) r.push_back(std::sin(0.5 * pi * k / count));
    return r;
  };
  return is_line ? both_sides(radii(7)) : rays(16, 0, radii(5));
}

/// Where the fit is checked: at angles and radii between these, and on the edge.
std::vector<Ray> checked_rays(bool is_line) {
  return is_line ? both_sides({0.11, 0.36, 0.58, 0.74, 0.94, 1.0}) : rays(11, 0.1, {0.3, 0.7, 1.0});
}

struct Sample {
  double a = 0, b = 0;
  SceneFrames::Poses poses;
};

/// Everything that is the same for all modes.
class Mover {
 public:
  Mover(const Scene& scene, const Model& model, const Equilibrium& rest, const ModeMotionOptions& options)
      : scene_(scene),
        model_(model),
        rest_(rest.state),
        frames_(model),
        at_rest_(frames_.poses(rest_)),
        options_(options),
        projection_(model, rest, scene.size) {
    rest_.v.resize(0);
    rest_.a.resize(0);
    collect_places();
  }

  ModeMotion motion_in(const ShapeToDraw& drawn) {
    ModeMotion motion;
    motion.mode = drawn.mode;
    motion.s = drawn.s;
    motion.branch = drawn.branch;
    motion.kind = drawn.kind;
    if (drawn.shape.size() != model_.coordinates() || !drawn.shape.allFinite()) {
      motion.why_not = "the mode has no shape";
      return motion;
    }
    Eigen::VectorXcd shape = as_real_as_possible(drawn.shape);
    const bool is_line = scaled(shape.imag()).norm() <= is_real_below * scaled(shape.real()).norm();
    if (is_line) shape = shape.real().cast<std::complex<double>>();
    const Amplitude first = first_amplitude(shape);
    if (first.factor <= 0) {
      motion.why_not = "nothing that is drawn moves in this mode";
      return motion;
    }
    fit_with_halvings(shape, first, is_line, motion);
    return motion;
  }

 private:
  struct Amplitude {
    double factor = 0;  ///< of the shape
    double length = 0;  ///< m
  };

  void collect_places() {
    places_.resize(scene_.frames.size());
    for (const SceneElement& element : scene_.elements)
      for (const ScenePlace& place : element.places) add_place(place.frame, place.at);
    for (const ScenePrimitive& shape : scene_.primitives)
      for (const Vec3<double>& point : shape.points) add_place(shape.frame, point);
    for (std::size_t f = 0; f < scene_.frames.size(); ++f) {
      if (scene_.frames[f].mass > 0) add_place(static_cast<Index>(f), scene_.frames[f].centre);
      if (places_[f].empty()) add_place(static_cast<Index>(f), {});
    }
  }

  void add_place(Index frame, const Vec3<double>& place) {
    if (frame < 0) return;
    std::vector<Vec3<double>>& of_frame = places_[at(frame)];
    const auto is_here = [&](const Vec3<double>& other) { return length(other - place) == 0; };
    if (std::none_of(of_frame.begin(), of_frame.end(), is_here)) of_frame.push_back(place);
  }

  Eigen::VectorXd scaled(const Eigen::VectorXd& x) const { return x.cwiseQuotient(projection_.scales()); }

  /// Turns the phase so that the real part is as large as it can be.
  Eigen::VectorXcd as_real_as_possible(const Eigen::VectorXcd& shape) const {
    const Eigen::VectorXcd x = shape.cwiseQuotient(projection_.scales().cast<std::complex<double>>());
    const std::complex<double> square = (x.array() * x.array()).sum();
    return shape * std::polar(1.0, -0.5 * std::arg(square));
  }

  /// The size of the shape with which the place that moves most is displaced as far as the options say, and no frame
  /// turns further; both to first order, by a small difference of poses.
  Amplitude first_amplitude(const Eigen::VectorXcd& shape) const {
    double farthest = 0, most_turned = 0;
    for (const Eigen::VectorXd& part : {Eigen::VectorXd(shape.real()), Eigen::VectorXd(shape.imag())}) {
      const double small = 1e-6 / std::max(scaled(part).lpNorm<Eigen::Infinity>(), 1e-300);
      if (!std::isfinite(small) || part.isZero(0)) continue;
      const SceneFrames::Poses moved = frames_.poses(model_.displaced(rest_, small * part));
      farthest = std::max(farthest, largest_distance(moved.poses, at_rest_.poses) / small);
      for (std::size_t f = 0; f < moved.poses.size(); ++f) {
        const Vec3<double> turn = rotation_vector(inverse(at_rest_.poses[f].rotation) * moved.poses[f].rotation);
        most_turned = std::max(most_turned, length(turn) / small);
      }
    }
    const double by_distance = options_.amplitude * scene_.size / farthest, by_turn = options_.turn / most_turned;
    const double factor = std::min(by_distance, by_turn);
    if (!std::isfinite(factor)) return {};
    return {factor, factor * farthest};
  }

  double largest_distance(const std::vector<ScenePose>& a, const std::vector<ScenePose>& b) const {
    double largest = 0;
    for (std::size_t f = 0; f < a.size(); ++f) {
      for (const Vec3<double>& place : places_[f]) {
        const Vec3<double> d =
            (a[f].position + turned(a[f].rotation, place)) - (b[f].position + turned(b[f].rotation, place));
        largest = std::max(largest, dot(d, d));
      }
    }
    return std::sqrt(largest);
  }

  void fit_with_halvings(const Eigen::VectorXcd& shape, const Amplitude& first, bool is_line, ModeMotion& motion) {
    double share = 1;
    bool was_lost = false;
    for (int halvings = 0; halvings <= options_.most_halvings; ++halvings, share /= 2) {
      motion.amplitude = share * first.length;
      motion.first_order = shape * (share * first.factor);
      motion.residual = 0;
      const auto fitted = sampled(fitted_rays(is_line), motion);
      const auto checked = fitted ? sampled(checked_rays(is_line), motion) : std::optional<std::vector<Sample>>();
      was_lost = was_lost || !checked;
      if (!checked || !fit(*fitted, *checked, is_line, motion)) continue;
      if (halvings > 0) motion.note = note_on(halvings, was_lost);
      return;
    }
    motion = {motion.mode, motion.s, motion.kind, motion.branch};
    motion.why_not = was_lost ? "Newton's method finds no positions along this mode that satisfy the constraints"
                              : "the motion along this mode is no smooth function of its amplitude";
  }

  static std::string note_on(int halvings, bool was_lost) {
    const std::string times = halvings == 1 ? "once" : std::to_string(halvings) + " times";
    return "the amplitude is halved " + times + ": " +
           (was_lost ? "further away no positions were found that satisfy the constraints"
                     : "further away the motion is no polynomial of a low degree");
  }

  /// The poses along the rays, each found from those before it; nothing where Newton's method fails.
  std::optional<std::vector<Sample>> sampled(const std::vector<Ray>& along, ModeMotion& motion) {
    const Eigen::VectorXd real = motion.first_order.real(), imaginary = motion.first_order.imag();
    std::vector<Sample> samples;
    for (const Ray& ray : along) {
      std::vector<double> radii;
      std::vector<Eigen::VectorXd> corrections;
      for (const double radius : ray.radii) {
        const double a = radius * ray.cosine, b = radius * ray.sine;
        const Eigen::VectorXd wanted = a * real - b * imaginary;
        const auto found = projection_.project(wanted, wanted + extrapolated(radii, corrections, radius));
        if (!found) return std::nullopt;
        motion.residual = std::max(motion.residual, found->residual);
        radii.push_back(radius);
        corrections.push_back(found->increments - wanted);
        samples.push_back({a, b, frames_.poses(found->state)});
      }
    }
    return samples;
  }

  /// The correction at the next radius by the polynomial through the last ones, which is r² times another polynomial
  /// [Neville's scheme].
  Eigen::VectorXd extrapolated(const std::vector<double>& radii, const std::vector<Eigen::VectorXd>& corrections,
                               double radius) const {
    if (radii.empty()) return Eigen::VectorXd::Zero(model_.coordinates());
    constexpr std::size_t most = 4;
    const std::size_t first = radii.size() > most ? radii.size() - most : 0;
    std::vector<Eigen::VectorXd> p;
    for (std::size_t k = first; k < radii.size(); ++k) p.push_back(corrections[k] / (radii[k] * radii[k]));
    for (std::size_t level = 1; level < p.size(); ++level) {
      for (std::size_t k = 0; k + level < p.size(); ++k) {
        const double left = radii[first + k], right = radii[first + k + level];
        p[k] = ((radius - right) * p[k] + (left - radius) * p[k + 1]) / (left - right);
      }
    }
    return radius * radius * p[0];
  }

  static std::vector<std::array<int, 2>> powers_of(int degree, bool is_line) {
    std::vector<std::array<int, 2>> powers;
    for (int d = 1; d <= degree; ++d)
      for (int i = d; i >= (is_line ? d : 0); --i) powers.push_back({i, d - i});
    return powers;
  }

  static Eigen::MatrixXd monomials(const std::vector<Sample>& samples, const std::vector<std::array<int, 2>>& powers) {
    Eigen::MatrixXd V(static_cast<Eigen::Index>(samples.size()), static_cast<Eigen::Index>(powers.size()));
    for (Eigen::Index r = 0; r < V.rows(); ++r)
      for (Eigen::Index t = 0; t < V.cols(); ++t)
        V(r, t) = std::pow(samples[at(r)].a, powers[at(t)][0]) * std::pow(samples[at(r)].b, powers[at(t)][1]);
    return V;
  }

  /// Takes the least degree with which all that is drawn is near enough; false if there is none.
  bool fit(const std::vector<Sample>& fitted, const std::vector<Sample>& checked, bool is_line,
           ModeMotion& motion) const {
    Eigen::MatrixXd d(static_cast<Eigen::Index>(fitted.size()),
                      static_cast<Eigen::Index>(scene_.frames.size()) * scene_.components());
    for (std::size_t k = 0; k < fitted.size(); ++k)
      d.row(static_cast<Eigen::Index>(k)) = frames_.displacements(at_rest_, fitted[k].poses);
    for (int degree = 1; degree <= options_.highest_degree; ++degree) {
      motion.degree = degree;
      motion.powers = powers_of(degree, is_line);
      const Eigen::MatrixXd V = monomials(fitted, motion.powers);
      const Eigen::MatrixXd solver = V.completeOrthogonalDecomposition().pseudoInverse();
      store(solver * d, motion);
      check(checked, motion);
      if (motion.error <= options_.tolerance && motion.gap <= options_.tolerance) return true;
    }
    return false;
  }

  /// Rounds the coefficients to whole numbers, of which each term and component has its unit.
  void store(const Eigen::MatrixXd& coefficients, ModeMotion& motion) const {
    const auto frames = static_cast<Eigen::Index>(scene_.frames.size());
    motion.values.assign(at(coefficients.size()), 0);
    motion.scale.clear();
    std::size_t to = 0;
    for (Eigen::Index t = 0; t < coefficients.rows(); ++t) {
      for (int c = 0; c < scene_.components(); ++c) {
        const auto block = coefficients.row(t).segment(c * frames, frames);
        const double largest = frames > 0 ? block.lpNorm<Eigen::Infinity>() : 0;
        const double least = still * (c < scene_.dimension ? scene_.size : 1.0);
        const double unit = largest > least ? largest / whole : 0;
        motion.scale.push_back(unit);
        for (Eigen::Index f = 0; f < frames; ++f, ++to)
          motion.values[to] = unit > 0 ? static_cast<std::int16_t>(std::lround(block[f] / unit)) : std::int16_t{0};
      }
    }
  }

  void check(const std::vector<Sample>& checked, ModeMotion& motion) const {
    motion.error = motion.gap = 0;
    for (const Sample& sample : checked) {
      const std::vector<ScenePose> drawn = poses_at(scene_, motion, sample.a, sample.b);
      motion.error = std::max(motion.error, largest_distance(drawn, sample.poses.poses) / scene_.size);
      if (motion.error > options_.tolerance) return;
      motion.gap = std::max(motion.gap, largest_gap(scene_, drawn));
    }
  }

  const Scene& scene_;
  Model model_;
  State rest_;
  SceneFrames frames_;
  SceneFrames::Poses at_rest_;
  ModeMotionOptions options_;
  ConstraintProjection projection_;
  std::vector<std::vector<Vec3<double>>> places_;  // of each frame: all that is drawn there
};

}  // namespace

std::vector<ShapeToDraw> shapes_to_draw(const std::vector<Mode>& modes, Index most, const std::string& branch) {
  std::vector<ShapeToDraw> shapes;
  Index number = 0;
  for (const Mode& mode : modes) {
    if (mode.kind == ModeClass::spurious || mode.is_infinite() || mode.s.imag() < 0) continue;
    ++number;
    if (number > most) break;
    const auto kind = mode.s == 0.0          ? ModeMotion::Kind::neutral
                      : mode.s.imag() == 0.0 ? ModeMotion::Kind::real
                                             : ModeMotion::Kind::oscillating;
    shapes.push_back({number, mode.s, mode.shape, kind, branch});
  }
  return shapes;
}

std::vector<ModeMotion> mode_motions(const Scene& scene, const Model& model, const Equilibrium& rest,
                                     const std::vector<ShapeToDraw>& shapes, const ModeMotionOptions& options) {
  Mover mover(scene, model, rest, options);
  std::vector<ModeMotion> motions;
  for (const ShapeToDraw& shape : shapes) motions.push_back(mover.motion_in(shape));
  return motions;
}

}  // namespace stillpoint
