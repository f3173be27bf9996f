// The values of the steps, and the search for assembly modes with which every step has a solution.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "equilibrium/closing/construction.h"
#include "equilibrium/closing/fitting.h"

namespace stillpoint {

namespace {

constexpr double misfit = 1e-6;      // a body that misses its places by more, relative to lengths, does not fit
constexpr int most_changes = 20000;  // of assembly modes

}  // namespace

// Performs the steps that are to be done, in order.
bool Construction::settle() {
  std::size_t k = steps_.size();
  while (k > 0 && !steps_[k - 1].is_done) --k;
  while (k < steps_.size()) {
    if (!steps_[k].is_done && !evaluate(static_cast<int>(k))) {
      const int changed = change_a_choice(static_cast<int>(k));
      if (changed < 0) return false;
      k = at(changed);
    } else {
      ++k;
    }
  }
  return true;
}

bool Construction::evaluate(int k) {
  ConstructionStep& step = steps_[at(k)];
  placement_.now = k;
  placement_.used.clear();
  const bool is_done = perform(step);
  std::vector<int>& used = placement_.used;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  step.parents = used;
  step.is_done = is_done;
  return is_done;
}

bool Construction::perform(ConstructionStep& step) {
  switch (step.act) {
    case Act::start:
      break;
    case Act::give:
      set_coordinate(step.which, guess_.q[step.which]);
      break;
    case Act::add_up:
      set_sum(step.which);
      break;
    case Act::read_heading: {
      const Heading& heading = figure_.headings[at(step.which)];
      if (!placement_.knows_point(heading.from) || !placement_.knows_point(heading.to)) return false;
      const Vec3<double> arm = placement_.points[at(heading.to)] - placement_.points[at(heading.from)];
      set_scalar_angle(heading.scalar, std::atan2(arm.y, arm.x) - heading.offset);
      break;
    }
    case Act::read_twist: {
      const Twist& about = figure_.twists[at(step.which)];
      if (!placement_.is_turned(about.a) || !placement_.is_turned(about.b)) return false;
      const Rotation<double> R_a = placement_.poses[at(about.a)].R * about.in_a;
      set_scalar_angle(about.scalar, twist(inverse(R_a) * (placement_.poses[at(about.b)].R * about.in_b)));
      break;
    }
    case Act::read_travel: {
      const Incidence& along = figure_.incidences[at(step.which)];
      if (!placement_.knows_point(along.from) || !placement_.knows_point(along.to)) return false;
      if (!placement_.knows_direction(along.normal)) return false;
      const Vec3<double> arm = placement_.points[at(along.to)] - placement_.points[at(along.from)];
      set_coordinate(along.travel, dot(placement_.directions[at(along.normal)], arm));
      break;
    }
    case Act::meet_point:
      return meet_at(step, false);
    case Act::meet_direction:
      return meet_at(step, true);
    case Act::turn:
      return turn_body(step.which);
    case Act::place:
      return place_body(step.which);
    case Act::keep_orientation:
      keep_orientation(step.which);
      break;
    case Act::keep_place: {
      const Index origin = figure_.bodies[at(step.which)].origin;
      placement_.points[at(origin)] = nearest_point(placement_.loci_of_point(origin), placement_.drawn(step.which).p);
      break;
    }
  }
  return true;
}

bool Construction::meet_at(ConstructionStep& step, bool is_direction) {
  const std::vector<Locus> loci =
      is_direction ? placement_.loci_of_direction(step.which) : placement_.loci_of_point(step.which);
  const Meeting meeting = is_direction ? meet(loci, placement_.drawn_direction(step.which), 1)
                                       : meet(loci, placement_.drawn_point(step.which), size_);
  step.choices = static_cast<int>(meeting.solutions.size());
  if (step.choice >= step.choices) {
    explain(step, loci, meeting);
    return false;
  }
  const MeetingPoint& solution = meeting.solutions[at(step.choice)];
  step.branch = solution.branch;
  (is_direction ? placement_.directions : placement_.points)[at(step.which)] = solution.at;
  return true;
}

bool Construction::turn_body(Index index) {
  const std::vector<KnownVector> vectors = placement_.vectors_of(index);
  const auto pair = find_two_independent(vectors, size_);
  const auto misses = [&](const KnownVector& v) {
    return std::abs(length(v.in_body) - length(v.in_ground)) > misfit * size_;
  };
  if (!pair || std::any_of(vectors.begin(), vectors.end(), misses)) {
    if (failure_.empty())
      failure_ = fmt::format("'{}' does not fit between the places of its joints", model_.block_name(index - 1));
    return false;
  }
  const Rotation<double> R = fitted_rotation(pair->first, pair->second);
  const double drawn = placement_.drawn(index).angle;
  set_orientation(index, R, drawn + wrap_angle(twist(R) - drawn));
  return true;
}

// An angle is that of the guess, increased by less than half a turn.
void Construction::set_orientation(Index index, const Rotation<double>& R, double angle) {
  placement_.poses[at(index)].R = figure_.bodies[at(index)].in_plane ? rotation_about({0, 0, angle}) : R;
  placement_.poses[at(index)].angle = angle;
  for (const OnBody& axis : figure_.bodies[at(index)].directions) {
    if (placement_.direction_step[at(axis.body)] == placement_.now)
      placement_.directions[at(axis.body)] = turned(placement_.poses[at(index)].R, axis.r);
  }
}

bool Construction::place_body(Index index) {
  const FigureBody& body = figure_.bodies[at(index)];
  BodyPose& pose = placement_.poses[at(index)];
  if (!placement_.is_turned(index)) return false;
  bool is_first = true;
  for (const OnBody& point : body.points) {
    if (!placement_.knows_point(point.body)) continue;
    const Vec3<double> origin = placement_.points[at(point.body)] - turned(pose.R, point.r);
    if (is_first) pose.p = origin;
    else if (length(origin - pose.p) > misfit * size_) return false;
    is_first = false;
  }
  for (const OnBody& point : body.points) {
    if (placement_.point_step[at(point.body)] == placement_.now)
      placement_.points[at(point.body)] = pose.p + turned(pose.R, point.r);
  }
  return !is_first;
}

// The guess is turned by the least angle that satisfies one condition of the orientation, if there is one: then there
// is only one, for two would determine it or a direction.
void Construction::keep_orientation(Index index) {
  const BodyPose& drawn = placement_.drawn(index);
  const FigureBody& body = figure_.bodies[at(index)];
  if (body.in_plane) return set_orientation(index, drawn.R, drawn.angle);
  std::vector<KnownVector> vectors = placement_.vectors_of(index);
  for (const OnBody& axis : body.directions) {
    if (!vectors.empty() || figure_.directions[at(axis.body)].cosines.empty()) continue;
    const std::vector<Locus> loci = placement_.loci_of_direction(axis.body);
    if (loci.size() > 1) vectors.push_back({axis.r, nearest_point(loci, placement_.drawn_direction(axis.body))});
  }
  const auto longest = std::max_element(vectors.begin(), vectors.end(), [](const KnownVector& a, const KnownVector& b) {
    return length(a.in_body) < length(b.in_body);
  });
  set_orientation(index, longest != vectors.end() ? least_turned(drawn.R, *longest) : drawn.R, 0);
}

void Construction::set_coordinate(Index coordinate, double value) {
  placement_.coordinates[coordinate] = value;
  const Index block = owner_of(model_.blocks(), coordinate);
  const Block& owner = model_.blocks()[at(block)];
  if (owner.kind == BlockKind::body && coordinate == owner.first + 2) set_orientation(block + 1, {}, value);
}

void Construction::set_sum(Index index) {
  const CoordinateSum& sum = figure_.sums[at(index)];
  double rest = sum.value, factor = 1;
  Index last = nothing;
  for (std::size_t i = 0; i < sum.coordinates.size(); ++i) {
    const Index coordinate = sum.coordinates[i];
    if (placement_.coordinate_step[at(coordinate)] == placement_.now) last = coordinate, factor = sum.factors[i];
    else rest -= sum.factors[i] * placement_.coordinate(coordinate).value_or(0);
  }
  set_coordinate(last, rest / factor);
}

void Construction::set_scalar_angle(Index scalar, double angle) {
  set_coordinate(scalar, guess_.q[scalar] + wrap_angle(angle - guess_.q[scalar]));
}

// ---------------------------------------------------------------------------------------------------------------------
// Assembly modes

void Construction::add_choices_before(int step, std::set<int>& choices) const {
  std::set<int> seen;
  std::vector<int> open = steps_[at(step)].parents;
  while (!open.empty()) {
    const int k = open.back();
    open.pop_back();
    if (!seen.insert(k).second) continue;
    if (steps_[at(k)].choices > 1) choices.insert(k);
    open.insert(open.end(), steps_[at(k)].parents.begin(), steps_[at(k)].parents.end());
  }
}

// Returns the step whose choice was changed, or −1. Choices that have nothing to do with the failure stay.
int Construction::change_a_choice(int failed) {
  std::set<int> conflicts = steps_[at(failed)].conflicts;
  add_choices_before(failed, conflicts);
  steps_[at(failed)].choice = 0;
  while (!conflicts.empty() && ++changes_ <= most_changes) {
    const int latest = *conflicts.rbegin();
    conflicts.erase(latest);
    ConstructionStep& step = steps_[at(latest)];
    step.conflicts.insert(conflicts.begin(), conflicts.end());
    if (step.choice + 1 < step.choices) {
      ++step.choice;
      step.is_done = false;
      undo_after(latest);
      return latest;
    }
    add_choices_before(latest, step.conflicts);
    conflicts = step.conflicts;
  }
  return -1;
}

// What depends on a change is to be done again, from its first solution; so is a step whose other solutions were ruled
// out for what is changed now.
void Construction::undo_after(int changed) {
  std::vector<char> is_changed(steps_.size(), 0);
  const auto was_changed = [&](int k) { return is_changed[at(k)] != 0; };
  is_changed[at(changed)] = 1;
  for (std::size_t k = at(changed) + 1; k < steps_.size(); ++k) {
    ConstructionStep& step = steps_[k];
    if (std::none_of(step.parents.begin(), step.parents.end(), was_changed) &&
        std::none_of(step.conflicts.begin(), step.conflicts.end(), was_changed))
      continue;
    is_changed[k] = 1;
    step.is_done = false;
    step.choice = 0;
    step.conflicts.clear();
  }
}

std::vector<Locus> Construction::loci_of(int step) {
  placement_.now = step;
  const ConstructionStep& at_step = steps_[at(step)];
  return at_step.act == Act::meet_direction ? placement_.loci_of_direction(at_step.which)
                                            : placement_.loci_of_point(at_step.which);
}

std::string Construction::name_of(const Locus::Link& link) const {
  switch (link.kind) {
    case Locus::Link::Kind::body:
      return model_.block_name(link.index - 1);
    case Locus::Link::Kind::length:
      return figure_.lengths[at(link.index)].name;
    case Locus::Link::Kind::incidence:
      return figure_.incidences[at(link.index)].name;
    case Locus::Link::Kind::heading:
      return figure_.headings[at(link.index)].name;
    case Locus::Link::Kind::none:
      break;
  }
  return {};
}

void Construction::explain(const ConstructionStep& step, const std::vector<Locus>& loci, const Meeting& meeting) {
  if (!failure_.empty()) return;
  if (step.act == Act::meet_direction) {
    std::string links;
    for (const Locus& locus : loci) {
      const std::string name = name_of(locus.link);
      if (!name.empty() && links.find("'" + name + "'") == std::string::npos)
        links += (links.empty() ? "'" : ", '") + name + "'";
    }
    failure_ = fmt::format("no orientation satisfies {} together", links);
    return;
  }
  const std::string& joint = figure_.points[at(step.which)].name;
  if (!(meeting.gap > 0)) {
    failure_ = fmt::format("the conditions of '{}' contradict each other", joint);
    return;
  }
  gap_ = meeting.gap;
  const Locus &a = loci[meeting.apart[0]], &b = loci[meeting.apart[1]];
  if (b.shape == Locus::Shape::sphere) {
    const double distance = length(b.vector - a.vector);
    failure_ =
        fmt::format("'{}' would be {} and {}, but these are {:.6g} m apart: {:.3g} m too {}", joint, distance_of(a),
                    distance_of(b), distance, gap_, distance > a.value + b.value ? "far" : "near");
  } else {
    failure_ = fmt::format("'{}' would be {}, but the line of '{}' passes that at {:.6g} m: {:.3g} m too far", joint,
                           distance_of(a), name_of(b.link), a.value + gap_, gap_);
  }
}

// "0.8 m from 'O[4]' (by 'rocker')"
std::string Construction::distance_of(const Locus& sphere) const {
  const std::string &centre = figure_.points[at(sphere.centre)].name, link = name_of(sphere.link);
  if (centre == link) return fmt::format("{:.6g} m from the other end of '{}'", sphere.value, link);
  return fmt::format("{:.6g} m from '{}' (by '{}')", sphere.value, centre, link);
}

State Construction::state() const {
  State state = guess_;
  for (std::size_t b = 0; b < model_.blocks().size(); ++b) {
    const Block& block = model_.blocks()[b];
    const BodyPose& pose = placement_.poses[b + 1];
    const auto q = [&](Index i) -> double& { return state.q[block.first + i]; };
    if (block.kind == BlockKind::scalar) q(0) = placement_.coordinates[block.first];
    if (!figure_.bodies[b + 1].exists) continue;
    if (placement_.place_step[b + 1] != Placement::unmade) {
      q(0) = pose.p.x;
      q(1) = pose.p.y;
      if (in_space(block.kind)) q(2) = pose.p.z;
    }
    if (placement_.turn_step[b + 1] == Placement::unmade) continue;
    if (block.kind == BlockKind::body) q(2) = pose.angle;
    if (block.kind == BlockKind::space_body) state.orientations[at(block.orientation)] = pose.R;
  }
  return state;
}

}  // namespace stillpoint
