// Modes along a parameter: families whose branches are known by small steps or in closed form.
#include "stillpoint/follow_modes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "algebra/dense/lapack.h"
#include "base/at.h"
#include "support/equilibrium/campaign.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Kind = FollowedEvent::Kind;

namespace {

enum class Coupling { full, weak, none };

/// All eigenvalues of the companion form, with its right vectors and their inverse, whose rows are the left ones.
struct Companion {
  Eigen::VectorXcd s;
  Eigen::MatrixXcd right, left;
};

/// A gyroscopic system with light damping, p = speed: two halves that know of each other fully, hardly or not at all,
/// hidden by a rotation of the coordinates.
class Family {
 public:
  Family(Random& random, Eigen::Index n, Coupling coupling) {
    const double between = coupling == Coupling::full ? 1 : coupling == Coupling::weak ? 0.02 : 0;
    MatrixXd G = MatrixXd::Zero(n, n), Q(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index k = 0; k < n; ++k) Q(i, k) = random.between(-1, 1);
      for (Eigen::Index k = 0; k < i; ++k) {
        const bool is_across = (i < n / 2) != (k < n / 2);
        G(i, k) = 1.2 * random.between(-1, 1) * (is_across ? between : 1);
        G(k, i) = -G(i, k);
      }
    }
    const MatrixXd turn = Eigen::HouseholderQR<MatrixXd>(Q).householderQ();
    const auto turned = [&](const MatrixXd& A) -> MatrixXd { return turn * A * turn.transpose(); };
    const VectorXd w = random.vector(n, 1, static_cast<double>(n)), d = random.vector(n, 0.01, 0.05),
                   k = random.vector(n, 0.2, 1.5);
    K0_ = turned(w.cwiseAbs2().asDiagonal());
    K1_ = turned(k.asDiagonal());  // so stiff that no pair reaches the real axis
    D_ = turned(d.asDiagonal());
    G_ = turned(G);
  }

  FollowedSpectrum operator()(double p) const {
    const MatrixXd I = MatrixXd::Identity(D_.rows(), D_.rows()), none = 0 * I;
    return spectrum_with_rates(p, {I, D_ + p * G_, K0_ + p * p * K1_}, {none, G_, 2 * p * K1_});
  }

  Companion companion(double p) const {
    const Eigen::Index n = D_.rows();
    MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
    A.topRightCorner(n, n).setIdentity();
    A.bottomLeftCorner(n, n) = -(K0_ + p * p * K1_);
    A.bottomRightCorner(n, n) = -(D_ + p * G_);
    const GeneralEigen found = solve_unsymmetric(A);
    return {found.values, found.vectors, found.vectors.inverse()};
  }

 private:
  MatrixXd K0_, K1_, D_, G_;
};

std::vector<double> points(double from, double to, int count) {
  std::vector<double> result;
  for (int k = 0; k < count; ++k) result.push_back(from + (to - from) * k / (count - 1));
  return result;
}

/// Where the branches go in a step; nothing if one of them changes, or comes half as near to another value as it goes.
std::optional<std::vector<Eigen::Index>> in_a_small_step(const Companion& here, const Companion& next,
                                                         const std::vector<Eigen::Index>& place, bool is_shortest) {
  constexpr double hardly_changed = 0.9;
  const MatrixXd alike =
      (here.left * next.right).cwiseAbs().cwiseProduct((next.left * here.right).transpose().cwiseAbs());
  const auto room = [](const Eigen::VectorXcd& s, Eigen::Index i) {
    VectorXd distances = (s.array() - s[i]).abs();
    distances[i] = std::numeric_limits<double>::infinity();
    return distances.minCoeff();
  };
  std::vector<Eigen::Index> result;
  for (const Eigen::Index from : place) {
    Eigen::Index to = 0;
    if (!(alike.row(from).maxCoeff(&to) >= hardly_changed)) return {};
    const double way = std::abs(next.s[to] - here.s[from]);
    if (!is_shortest && !(2 * way < std::min(room(here.s, from), room(next.s, to)))) return {};
    result.push_back(to);
  }
  return result;
}

/// The truth by small steps, which become as short as they must; nothing where even the shortest are too long.
std::optional<Eigen::MatrixXcd> by_small_steps(const Family& family, const std::vector<double>& at,
                                               const Eigen::VectorXcd& start, int steps) {
  constexpr double shortest = 1e-9;
  Companion here = family.companion(at.front());
  std::vector<Eigen::Index> place;  // of each branch
  for (const Complex s : start) {
    Eigen::Index nearest = 0;
    (here.s.array() - s).abs().minCoeff(&nearest);
    place.push_back(nearest);
  }
  Eigen::MatrixXcd result(start.size(), static_cast<Eigen::Index>(at.size()));
  result.col(0) = start;
  for (std::size_t k = 1; k < at.size(); ++k) {
    const double longest = (at[k] - at[k - 1]) / steps;
    double step = longest;
    for (double p = at[k - 1]; p < at[k];) {
      const double next_p = p + step < at[k] ? p + step : at[k];
      Companion next = family.companion(next_p);
      const auto to = in_a_small_step(here, next, place, step <= shortest);
      if (!to && step <= shortest) return {};
      if (!to) {
        step /= 2;
        continue;
      }
      place = *to;
      here = std::move(next);
      p = next_p;
      step = std::min(2 * step, longest);
    }
    for (std::size_t b = 0; b < place.size(); ++b)
      result(static_cast<Eigen::Index>(b), static_cast<Eigen::Index>(k)) = here.s[place[b]];
  }
  return result;
}

/// What is usual: each oscillation goes on as the one whose shape is most alike (modal assurance criterion), among
/// those that none before it has taken.
Eigen::MatrixXcd by_modal_assurance(const Family& family, const std::vector<double>& at,
                                    const Eigen::VectorXcd& start) {
  Eigen::MatrixXcd result(start.size(), static_cast<Eigen::Index>(at.size()));
  result.col(0) = start;
  FollowedSpectrum here = family(at.front());
  std::vector<Eigen::Index> place;
  for (const Complex s : start) {
    Eigen::Index nearest = 0;
    (here.s.array() - s).abs().minCoeff(&nearest);
    place.push_back(nearest);
  }
  for (std::size_t k = 1; k < at.size(); ++k) {
    const FollowedSpectrum next = family(at[k]);
    std::vector<char> is_taken(stillpoint::at(next.s.size()), 0);
    for (std::size_t b = 0; b < place.size(); ++b) {
      double best = -1;
      Eigen::Index to = 0;
      for (Eigen::Index j = 0; j < next.s.size(); ++j) {
        const bool is_other_side = (next.s[j].imag() < 0) != (here.s[place[b]].imag() < 0);
        const double alike = std::norm(here.x.col(place[b]).dot(next.x.col(j))) /
                             (here.x.col(place[b]).squaredNorm() * next.x.col(j).squaredNorm());
        if (is_taken[stillpoint::at(j)] || is_other_side || alike <= best) continue;
        best = alike;
        to = j;
      }
      is_taken[stillpoint::at(to)] = 1;
      place[b] = to;
      result(static_cast<Eigen::Index>(b), static_cast<Eigen::Index>(k)) = next.s[to];
    }
    here = next;
  }
  return result;
}

QuadraticMatrices matrices(double m, double c, double k) {
  return {MatrixXd::Constant(1, 1, m), MatrixXd::Constant(1, 1, c), MatrixXd::Constant(1, 1, k)};
}

FollowedSpectrum ziegler_column(double P) {
  MatrixXd M(2, 2), K(2, 2), rate(2, 2);
  M << 3, 1, 1, 1;
  K << 2 - P, P - 1, -1, 1;
  rate << -1, 1, 0, 0;
  const MatrixXd none = MatrixXd::Zero(2, 2);
  return spectrum_with_rates(P, {M, none, K}, {none, none, rate});
}

std::vector<FollowedEvent> of_kind(const FollowedModes& followed, Kind kind) {
  std::vector<FollowedEvent> result;
  for (const FollowedEvent& event : followed.events) {
    if (event.kind == kind) result.push_back(event);
  }
  return result;
}

}  // namespace

TEST_CASE("following: no branch is swapped where it is certain") {
  constexpr int asked = 11, small_steps = 20;  // between two points, at least
  const int largest = campaign_size(6, 20);
  const CampaignSeeds seeds = campaign_seeds(4, 3334);
  const int families = seeds.count;
  for (const Coupling coupling : {Coupling::full, Coupling::weak, Coupling::none}) {
    int compared = 0, wrong = 0, uncertain = 0, solves = 0, unclear = 0, wrong_by_assurance = 0;
    for (int seed = seeds.first; seed < seeds.end(); ++seed) {
      CAPTURE(seed);
      Random random(static_cast<std::uint64_t>(seed));
      const Family family(random, random.whole(2, largest), coupling);
      const std::vector<double> at = points(0.05, 3, asked);
      const FollowedModes followed = follow_modes(family, at);
      solves += static_cast<int>(followed.solves);
      uncertain += !followed.uncertain.empty();
      const auto truth = by_small_steps(family, at, followed.s.col(0), small_steps);
      if (!truth) {
        ++unclear;
        continue;
      }
      ++compared;
      wrong_by_assurance +=
          !((by_modal_assurance(family, at, followed.s.col(0)) - *truth).cwiseAbs().maxCoeff() < 1e-8);
      const bool is_right = (followed.s - *truth).cwiseAbs().maxCoeff() < 1e-8;
      if (!is_right && followed.uncertain.empty()) {
        ++wrong;
        note(fmt::format("seed {} is wrong", seed));
      }
      CHECK((is_right || !followed.uncertain.empty()));
    }
    const double each = static_cast<double>(solves) / (asked * families);
    note(fmt::format(
        "coupling {}: {} families, {} compared, {} wrong, {} uncertain, {} unclear truth, {:.2f} solves a point; by "
        "modal "
        "assurance alone {} wrong\n",
        static_cast<int>(coupling), families, compared, wrong, uncertain, unclear, each, wrong_by_assurance));
    CHECK(2 * compared > families);
    CHECK(each < 3);
  }
}

// Two modes turn about each other next to a place where they would meet, and cubics do not show which way.
TEST_CASE("following: two modes that pass a coalescence closely are not mistaken for each other") {
  Random random(1518);
  const Family family(random, random.whole(2, 20), Coupling::weak);
  const std::vector<double> at = points(0.05, 3, 11);
  const FollowedModes followed = follow_modes(family, at);
  const auto truth = by_small_steps(family, at, followed.s.col(0), 20);
  REQUIRE(truth);
  CHECK(followed.uncertain.empty());
  CHECK((followed.s - *truth).cwiseAbs().maxCoeff() < 1e-8);
}

TEST_CASE("following: a pair that becomes critically damped is located") {
  const double m = 2, k = 3, critical = 2 * std::sqrt(m * k);
  const auto at = [&](double c) { return spectrum_with_rates(c, matrices(m, c, k), matrices(0, 1, 0)); };
  const FollowedModes followed = follow_modes(at, points(0.5, 9, 6));
  CHECK(followed.uncertain.empty());
  REQUIRE(followed.events.size() == 1);
  CHECK(followed.events[0].kind == Kind::coalescence);
  CHECK(std::abs(followed.events[0].parameter - critical) < 1e-10 * critical);
  CHECK(std::abs(followed.events[0].s + critical / (2 * m)) < 1e-8);
}

// Masses 2m and m, lengths and springs one; the follower load P.
TEST_CASE("following: two undamped pairs that meet are located, at the flutter load of Ziegler's column") {
  const auto& at = ziegler_column;
  const double flutter = 3.5 - std::numbers::sqrt2;
  const FollowedModes followed = follow_modes(at, points(0.1, 3, 7));
  CHECK(followed.uncertain.empty());
  const auto meetings = of_kind(followed, Kind::coalescence);
  REQUIRE(meetings.size() == 1);
  CHECK(std::abs(meetings[0].parameter - flutter) < 1e-10);
  CHECK(meetings[0].s.imag() == doctest::Approx(std::sqrt(1 / std::numbers::sqrt2)));
}

// They leave at right angles: which of them goes where is a convention, and not what rounding makes of it.
TEST_CASE(
    "following: of two that meet on the imaginary axis the slower one goes to the left, however they are listed") {
  for (int seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const auto in_any_order = [&](double P) {
      FollowedSpectrum spectrum = ziegler_column(P);
      std::vector<Eigen::Index> order{0, 1, 2, 3};
      for (int k = 3; k > 0; --k) std::swap(order[at(k)], order[at(random.whole(0, k))]);
      spectrum.s = spectrum.s(order).eval();
      spectrum.rates = spectrum.rates(order).eval();
      spectrum.x = spectrum.x(Eigen::all, order).eval();
      spectrum.y = spectrum.y(Eigen::all, order).eval();
      return spectrum;
    };
    const FollowedModes followed = follow_modes(in_any_order, points(0.1, 3, 7));
    REQUIRE(followed.s.rows() == 4);
    for (Eigen::Index i = 0; i < 4; ++i) {
      const Complex start = followed.s(i, 0), end = followed.s(i, followed.s.cols() - 1);
      const bool is_slower = std::abs(start) < followed.s.col(0).cwiseAbs().mean();
      CHECK((end.real() < 0) == is_slower);
      CHECK((end.imag() < 0) == (start.imag() < 0));
    }
  }
}

TEST_CASE("following: pendulums cross without a spring, and veer with one") {
  const auto pendulums = [](double coupling) {
    return [coupling](double p) {
      MatrixXd K(2, 2), rate = MatrixXd::Zero(2, 2);
      K << 1 + coupling, -coupling, -coupling, 1 / (1 + p) + coupling;
      rate(1, 1) = -1 / ((1 + p) * (1 + p));
      const MatrixXd none = MatrixXd::Zero(2, 2);
      return spectrum_with_rates(p, {MatrixXd::Identity(2, 2), none, K}, {none, none, rate});
    };
  };
  const FollowedModes crossing = follow_modes(pendulums(0), points(-0.31, 0.4, 4));
  CHECK(crossing.uncertain.empty());
  REQUIRE(crossing.events.size() == 1);
  CHECK(crossing.events[0].kind == Kind::crossing);
  CHECK(std::abs(crossing.events[0].parameter) < 1e-6);
  CHECK((crossing.s.array() - Complex(0, 1)).abs().rowwise().maxCoeff().minCoeff() < 1e-12);  // one stays as it is
  constexpr double spring = 1e-3;
  const FollowedModes veering = follow_modes(pendulums(spring), points(-0.31, 0.4, 4));
  CHECK(veering.uncertain.empty());
  REQUIRE(veering.events.size() == 1);
  CHECK(veering.events[0].kind == Kind::veering);
  // The gap in ω² is twice the stiffness.
  CHECK(veering.events[0].gap == doctest::Approx(spring).epsilon(0.1));
}

TEST_CASE("following: copies stay together, and nothing happens to them") {
  const auto copies = [](double p) {
    MatrixXd K = MatrixXd::Zero(4, 4), rate = MatrixXd::Identity(4, 4);
    K.diagonal() << 1 + p, 1 + p, 1 + p, 5 + p;
    const MatrixXd none = MatrixXd::Zero(4, 4);
    return spectrum_with_rates(p, {MatrixXd::Identity(4, 4), none, K}, {none, none, rate});
  };
  const FollowedModes followed = follow_modes(copies, points(0, 2, 5));
  CHECK(followed.uncertain.empty());
  CHECK(followed.events.empty());
  CHECK(followed.solves == 5);
}
