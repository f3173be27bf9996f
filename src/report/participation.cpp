#include "report/participation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr std::size_t few = 2;       // so many members are named in place of their family
constexpr double most_of_it = 0.8;   // if they have this part of its share
constexpr double takes_part = 0.01;  // smaller shares, relative to the largest in the family, are not in its range

struct ParsedName {
  std::string_view family, index, component;
};

bool is_component(std::string_view word) {
  for (const std::string_view known : {"x", "y", "z", "phi", "rx", "ry", "rz", "ux", "uy", "theta"}) {
    if (word == known) return true;
  }
  return false;
}

ParsedName parse(std::string_view name) {
  ParsedName parts{name, {}, {}};
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && is_component(name.substr(dot + 1))) {
    parts.component = name.substr(dot + 1);
    parts.family = name.substr(0, dot);
  }
  const std::size_t bracket = parts.family.find('[');
  if (bracket != std::string_view::npos && parts.family.back() == ']') {
    parts.index = parts.family.substr(bracket + 1, parts.family.size() - bracket - 2);
    parts.family = parts.family.substr(0, bracket);
  }
  return parts;
}

std::optional<long> number_in(const std::string& index) {
  long number = 0;
  const auto [end, problem] = std::from_chars(index.data(), index.data() + index.size(), number);
  if (problem != std::errc() || end != index.data() + index.size()) return std::nullopt;
  return number;
}

/// Returns "0..20", or "..." for other indices than numbers.
std::string range_of(const std::vector<std::string>& indices) {
  long first = 0, last = 0;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const std::optional<long> number = number_in(indices[k]);
    if (!number) return "...";
    first = k == 0 ? *number : std::min(first, *number);
    last = k == 0 ? *number : std::max(last, *number);
  }
  return fmt::format("{}..{}", first, last);
}

}  // namespace

Eigen::VectorXd participation(const LinearSystem& system, const Eigen::VectorXcd& shape) {
  const Eigen::VectorXd re = shape.real(), im = shape.imag();
  const Eigen::VectorXd energy =
      re.cwiseProduct(Eigen::VectorXd(system.M * re)) + im.cwiseProduct(Eigen::VectorXd(system.M * im));
  const double whole = energy.sum();
  // A sum that is only rounding is no energy.
  const double rounding = 1e-12 * energy.cwiseAbs().sum();
  if (whole > rounding) return energy / whole;
  return shape.cwiseAbs2() / std::max(shape.squaredNorm(), std::numeric_limits<double>::min());
}

void Participants::add(const std::string& name, double share) {
  const ParsedName parts = parse(name);
  // Coordinates of a family usually follow each other, so the last family is tried first.
  if (families_.empty() || families_.back().name != parts.family) {
    const auto known = std::find_if(families_.begin(), families_.end(),
                                    [&](const Family& family) { return family.name == parts.family; });
    if (known == families_.end()) families_.push_back({std::string(parts.family), {}});
    else std::rotate(known, known + 1, families_.end());
  }
  std::vector<Member>& members = families_.back().members;
  if (members.empty() || members.back().index != parts.index) members.push_back({std::string(parts.index)});
  Member& member = members.back();
  member.share += share;
  if (parts.component == "ux" || parts.component == "uy") member.along[parts.component[1] - 'x'] += share;
  else if (parts.component.size() == 1) member.along[parts.component[0] - 'x'] += share;
  else if (!parts.component.empty()) member.rotating += share;
}

Participant Participants::one(const Family& family, const Member& member) {
  Participant item;
  item.name = member.index.empty() ? family.name : fmt::format("{}[{}]", family.name, member.index);
  item.share = member.share;
  std::copy(std::begin(member.along), std::end(member.along), std::begin(item.along));
  item.rotating = member.rotating;
  return item;
}

Participant Participants::all(const Family& family) {
  Participant item;
  double largest = 0;
  for (const Member& member : family.members) largest = std::max(largest, std::abs(member.share));
  std::vector<std::string> taking_part;
  for (const Member& member : family.members) {
    item.share += member.share;
    item.rotating += member.rotating;
    for (std::size_t k = 0; k < 3; ++k) item.along[k] += member.along[k];
    if (std::abs(member.share) >= takes_part * largest) taking_part.push_back(member.index);
  }
  item.members = static_cast<Index>(taking_part.size());
  item.name = fmt::format("{}[{}]", family.name, range_of(taking_part));
  return item;
}

std::vector<Participant> Participants::largest_first() const {
  const auto larger = [](const auto& a, const auto& b) { return std::abs(a.share) > std::abs(b.share); };
  std::vector<Participant> items;
  for (const Family& family : families_) {
    std::vector<Member> top(std::min(few, family.members.size()));
    std::partial_sort_copy(family.members.begin(), family.members.end(), top.begin(), top.end(), larger);
    double whole = 0, of_top = 0;
    for (const Member& member : family.members) whole += std::abs(member.share);
    for (const Member& member : top) of_top += std::abs(member.share);
    if (of_top >= most_of_it * whole) {
      for (const Member& member : top) items.push_back(one(family, member));
    } else {
      items.push_back(all(family));
    }
  }
  std::stable_sort(items.begin(), items.end(), larger);
  return items;
}

}  // namespace stillpoint
