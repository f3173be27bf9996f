// The plan: which step comes next, and what may follow from it.

#include "equilibrium/closing/construction.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "base/median.h"
#include "equilibrium/closing/fitting.h"

namespace stillpoint {

namespace {

constexpr Index plane_turn = 2;  // the component of a body in the plane that is its angle

double typical_length_of(const Figure& figure) {
  std::vector<double> lengths;
  for (const FigureBody& body : figure.bodies) {
    for (const OnBody& point : body.points) {
      if (const double r = length(point.r); r > 0) lengths.push_back(r);
    }
  }
  for (const Length& rod : figure.lengths) lengths.push_back(rod.length);
  return lengths.empty() ? 1 : median(std::move(lengths));
}

}  // namespace

Construction::Construction(const Model& model, const Figure& figure, const State& guess,
                           const std::vector<Index>& given)
    : model_(model),
      figure_(figure),
      guess_(guess),
      placement_(model, figure, guess),
      size_(typical_length_of(figure)),
      sums_of_(at(model.coordinates())),
      headings_of_(at(model.coordinates())),
      twists_of_(at(model.coordinates())),
      travels_of_(at(model.coordinates())) {
  const auto list = [](std::vector<std::vector<Index>>& of, Index coordinate, std::size_t i) {
    if (coordinate != nothing) of[at(coordinate)].push_back(static_cast<Index>(i));
  };
  for (std::size_t i = 0; i < figure.sums.size(); ++i) {
    for (const Index coordinate : figure.sums[i].coordinates) list(sums_of_, coordinate, i);
    tasks_.push_back({Kind::sum, static_cast<Index>(i)});
  }
  for (std::size_t i = 0; i < figure.headings.size(); ++i) list(headings_of_, figure.headings[i].scalar, i);
  for (std::size_t i = 0; i < figure.twists.size(); ++i) list(twists_of_, figure.twists[i].scalar, i);
  for (std::size_t i = 0; i < figure.incidences.size(); ++i) list(travels_of_, figure.incidences[i].travel, i);
  add(Act::start, 0);
  give(given);
}

bool Construction::run() {
  while (settle()) {
    if (!plan_next() && !choose()) return true;
  }
  return false;
}

// An orientation in space is given by all of its three coordinates.
void Construction::give(const std::vector<Index>& given) {
  for (const Index coordinate : given) {
    const Index block = owner_of(model_.blocks(), coordinate);
    const Block& owner = model_.blocks()[at(block)];
    const Index component = coordinate - owner.first;
    if (owner.kind == BlockKind::node || !is_free(coordinate)) continue;
    if (owner.kind != BlockKind::space_body || component < 3) {
      add(Act::give, coordinate);
    } else if (component == 3) {
      const auto is_given = [&](Index i) { return std::find(given.begin(), given.end(), i) != given.end(); };
      if (is_given(coordinate + 1) && is_given(coordinate + 2)) add(Act::keep_orientation, block + 1);
    }
  }
}

bool Construction::is_free(Index coordinate) {
  placement_.now = static_cast<int>(steps_.size());
  return !placement_.coordinate(coordinate);
}

void Construction::add(Act act, Index which, bool is_chosen) {
  const int step = static_cast<int>(steps_.size());
  steps_.push_back({.act = act, .which = which, .is_chosen = is_chosen});
  claim(act, which, step);
}

// Marks what a step makes, and asks what may follow from it.
void Construction::claim(Act act, Index which, int step) {
  Placement& made = placement_;
  const auto claim_coordinate = [&](Index coordinate) {
    made.coordinate_step[at(coordinate)] = step;
    const Index block = owner_of(model_.blocks(), coordinate);
    const Block& owner = model_.blocks()[at(block)];
    if (owner.kind == BlockKind::body && coordinate == owner.first + plane_turn) claim_body(block + 1, step, true);
    wake_coordinate(coordinate);
  };
  switch (act) {
    case Act::start:
      for (std::size_t b = 0; b < figure_.bodies.size(); ++b) {
        if (b == 0 || (figure_.bodies[b].exists && !figure_.bodies[b].rotates)) {
          made.poses[b].R = {};
          claim_body(static_cast<Index>(b), step, true);
        }
      }
      return claim_body(FigureBody::ground, step, false);
    case Act::give:
      return claim_coordinate(which);
    case Act::add_up: {
      made.now = step;
      for (const Index coordinate : figure_.sums[at(which)].coordinates) {
        if (!made.coordinate(coordinate)) return claim_coordinate(coordinate);
      }
      return;
    }
    case Act::read_heading:
      return claim_coordinate(figure_.headings[at(which)].scalar);
    case Act::read_twist:
      return claim_coordinate(figure_.twists[at(which)].scalar);
    case Act::read_travel:
      return claim_coordinate(figure_.incidences[at(which)].travel);
    case Act::meet_direction:
      made.direction_step[at(which)] = step;
      return wake_around_direction(which);
    case Act::meet_point:
      made.point_step[at(which)] = step;
      return wake_around_point(which);
    case Act::keep_place:
      made.point_step[at(figure_.bodies[at(which)].origin)] = step;
      return wake_around_point(figure_.bodies[at(which)].origin);
    case Act::turn:
    case Act::keep_orientation:
      return claim_body(which, step, true);
    case Act::place:
      return claim_body(which, step, false);
  }
}

void Construction::claim_body(Index index, int step, bool turns) {
  const FigureBody& body = figure_.bodies[at(index)];
  (turns ? placement_.turn_step : placement_.place_step)[at(index)] = step;
  std::vector<int>& steps = turns ? placement_.direction_step : placement_.point_step;
  for (const OnBody& part : turns ? body.directions : body.points) {
    if (steps[at(part.body)] != Placement::unmade) continue;
    steps[at(part.body)] = step;
    if (index == FigureBody::ground)  // its parts are found only once
      (turns ? placement_.directions : placement_.points)[at(part.body)] = part.r;
    if (turns) wake_around_direction(part.body);
    else wake_around_point(part.body);
  }
  wake_conditions_of(index);
}

bool Construction::plan_next() {
  while (!tasks_.empty()) {
    const Task task = tasks_.front();
    tasks_.pop_front();
    placement_.now = static_cast<int>(steps_.size());
    if (plan_from(task)) return true;
  }
  return false;
}

bool Construction::plan_from(const Task& task) {
  const auto read = [&](Act act, Index scalar, bool is_known) {
    if (scalar == nothing || !is_known || !is_free(scalar)) return false;
    add(act, task.which);
    return true;
  };
  const auto is_determined = [&](const std::vector<Locus>& loci, const Vec3<double>& guess, double size) {
    return loci.size() >= 3 && meet(loci, guess, size).determined;
  };
  Placement& known = placement_;
  switch (task.kind) {
    case Kind::body:
      return plan_body(task.which);
    case Kind::sum:
      return plan_sum(task.which);
    case Kind::point:
      if (known.point_step[at(task.which)] != Placement::unmade) return false;
      if (!is_determined(known.loci_of_point(task.which), known.drawn_point(task.which), size_)) return false;
      add(Act::meet_point, task.which);
      return true;
    case Kind::direction:
      if (known.direction_step[at(task.which)] != Placement::unmade) return false;
      if (!is_determined(known.loci_of_direction(task.which), known.drawn_direction(task.which), 1)) return false;
      add(Act::meet_direction, task.which);
      return true;
    case Kind::heading: {
      const Heading& heading = figure_.headings[at(task.which)];
      return read(Act::read_heading, heading.scalar, known.knows_point(heading.from) && known.knows_point(heading.to));
    }
    case Kind::twist: {
      const Twist& twist = figure_.twists[at(task.which)];
      return read(Act::read_twist, twist.scalar, known.is_turned(twist.a) && known.is_turned(twist.b));
    }
    case Kind::travel: {
      const Incidence& incidence = figure_.incidences[at(task.which)];
      return read(Act::read_travel, incidence.travel,
                  known.knows_direction(incidence.normal) && known.knows_point(incidence.from) &&
                      known.knows_point(incidence.to));
    }
  }
  return false;
}

bool Construction::plan_body(Index index) {
  const FigureBody& body = figure_.bodies[at(index)];
  if (!body.exists || index == FigureBody::ground) return false;
  if (placement_.turn_step[at(index)] == Placement::unmade) {
    if (!find_two_independent(placement_.vectors_of(index), size_)) return false;
    add(Act::turn, index);
    return true;
  }
  if (placement_.place_step[at(index)] != Placement::unmade) return false;
  const bool is_known = std::any_of(body.points.begin(), body.points.end(),
                                    [&](const OnBody& point) { return placement_.knows_point(point.body); });
  if (is_known) add(Act::place, index);
  return is_known;
}

bool Construction::plan_sum(Index index) {
  const CoordinateSum& sum = figure_.sums[at(index)];
  std::size_t unknown = 0, last = 0;
  for (std::size_t i = 0; i < sum.coordinates.size(); ++i) {
    if (placement_.coordinate(sum.coordinates[i])) continue;
    ++unknown;
    last = i;
  }
  if (unknown != 1 || sum.factors[last] == 0) return false;
  const Block& owner = model_.blocks()[at(owner_of(model_.blocks(), sum.coordinates[last]))];
  const bool is_increment = owner.kind == BlockKind::space_body && sum.coordinates[last] - owner.first >= 3;
  if (owner.kind == BlockKind::node || is_increment) return false;
  add(Act::add_up, index);
  return true;
}

// A body keeps its orientation first, for a hinge then leaves nothing open; of what remains it keeps its place.
bool Construction::choose() {
  const auto is_placed = [&](Index body) { return placement_.place_step[at(body)] != Placement::unmade; };
  while (!touched_.empty() && is_placed(*touched_.begin())) touched_.erase(touched_.begin());
  Index body = touched_.empty() ? nothing : *touched_.begin();
  while (body == nothing && next_untouched_ < figure_.bodies.size()) {
    const Index next = static_cast<Index>(next_untouched_);
    if (figure_.bodies[at(next)].exists && !is_placed(next)) body = next;
    else ++next_untouched_;
  }
  if (body != nothing) {
    const bool is_turned = placement_.turn_step[at(body)] != Placement::unmade;
    add(is_turned ? Act::keep_place : Act::keep_orientation, body, true);
    return true;
  }
  for (Index i = 0; i < model_.coordinates(); ++i) {
    const bool is_scalar = model_.blocks()[at(owner_of(model_.blocks(), i))].kind == BlockKind::scalar;
    if (!is_scalar || sums_of_[at(i)].empty() || !is_free(i)) continue;
    add(Act::give, i, true);
    return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------------------------------------------
// What may follow from something new

// Bodies come first: their points and directions then need no conditions of their own.
void Construction::wake(Kind kind, Index which) {
  if (kind == Kind::body) tasks_.push_front({kind, which});
  else tasks_.push_back({kind, which});
}

void Construction::wake_point(Index point) {
  placement_.now = static_cast<int>(steps_.size());
  for (const Placement::Carried& carried : placement_.carried_with(point)) {
    if (placement_.point_step[at(carried.point)] == Placement::unmade) wake(Kind::point, carried.point);
  }
  for (const OnBody& on : figure_.points[at(point)].on) {
    if (placement_.place_step[at(on.body)] == Placement::unmade) touched_.insert(on.body);
  }
}

void Construction::wake_body(Index index) {
  const FigureBody& body = figure_.bodies[at(index)];
  if (placement_.place_step[at(index)] != Placement::unmade) return;
  wake(Kind::body, index);
  for (const OnBody& point : body.points) {
    if (placement_.point_step[at(point.body)] == Placement::unmade) wake(Kind::point, point.body);
  }
  for (const OnBody& axis : body.directions) {
    if (placement_.direction_step[at(axis.body)] == Placement::unmade) wake(Kind::direction, axis.body);
  }
}

void Construction::wake_around_point(Index index) {
  const FigurePoint& point = figure_.points[at(index)];
  for (const OnBody& on : point.on) {
    if (placement_.place_step[at(on.body)] == Placement::unmade) touched_.insert(on.body);
    wake_body(on.body);
  }
  const auto wake_other = [&](Index a, Index b) { wake_point(a == index ? b : a); };
  for (const Index k : point.lengths) wake_other(figure_.lengths[at(k)].a, figure_.lengths[at(k)].b);
  for (const Index k : point.incidences) {
    const Incidence& incidence = figure_.incidences[at(k)];
    wake_other(incidence.from, incidence.to);
    wake(Kind::direction, incidence.normal);
    wake(Kind::travel, k);
  }
  for (const Index k : point.headings) {
    const Heading& heading = figure_.headings[at(k)];
    wake_other(heading.from, heading.to);
    wake(Kind::heading, k);
    if (heading.body != nothing) wake(Kind::body, heading.body);
  }
}

void Construction::wake_around_direction(Index index) {
  const FigureDirection& direction = figure_.directions[at(index)];
  for (const OnBody& on : direction.on) wake_body(on.body);
  for (const Index k : direction.cosines) {
    wake(Kind::direction, figure_.cosines[at(k)].a == index ? figure_.cosines[at(k)].b : figure_.cosines[at(k)].a);
  }
  for (const Index k : direction.incidences) {
    wake_point(figure_.incidences[at(k)].from);
    wake_point(figure_.incidences[at(k)].to);
    wake(Kind::travel, k);
  }
}

void Construction::wake_conditions_of(Index index) {
  const FigureBody& body = figure_.bodies[at(index)];
  wake_body(index);
  for (const Index k : body.twists) {
    wake(Kind::twist, k);
    wake(Kind::body, figure_.twists[at(k)].a);
    wake(Kind::body, figure_.twists[at(k)].b);
  }
  for (const Index k : body.headings) {
    wake_point(figure_.headings[at(k)].from);
    wake_point(figure_.headings[at(k)].to);
  }
  if (index == FigureBody::ground) return;
  const Block& block = model_.blocks()[at(index - 1)];
  for (Index i = 0; i < coordinates_of(block.kind); ++i) {
    for (const Index k : sums_of_[at(block.first + i)]) wake(Kind::sum, k);
  }
}

void Construction::wake_coordinate(Index coordinate) {
  for (const Index k : sums_of_[at(coordinate)]) wake(Kind::sum, k);
  for (const Index k : headings_of_[at(coordinate)]) {
    wake_point(figure_.headings[at(k)].from);
    wake_point(figure_.headings[at(k)].to);
  }
  for (const Index k : twists_of_[at(coordinate)]) {
    wake(Kind::body, figure_.twists[at(k)].a);
    wake(Kind::body, figure_.twists[at(k)].b);
  }
  for (const Index k : travels_of_[at(coordinate)]) {
    wake_point(figure_.incidences[at(k)].from);
    wake_point(figure_.incidences[at(k)].to);
    wake(Kind::direction, figure_.incidences[at(k)].normal);
  }
  const Index block = owner_of(model_.blocks(), coordinate);
  if (figure_.bodies[at(block + 1)].exists) wake_point(figure_.bodies[at(block + 1)].origin);
}

}  // namespace stillpoint
