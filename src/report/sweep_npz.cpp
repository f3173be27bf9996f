// Parameter studies as NPZ of NumPy.
#include <algorithm>
#include <limits>

#include "base/at.h"
#include "formats/bytes.h"
#include "formats/npz.h"
#include "stillpoint/stability_map.h"
#include "stillpoint/sweep.h"

namespace stillpoint {

namespace {

class StudyArrays {
 public:
  void add(const std::string& name, const std::vector<double>& x) {
    members_.push_back({name, npy_reals({std::ssize(x)}, x.data(), std::ssize(x))});
  }
  void add(const std::string& name, const Eigen::MatrixXcd& x) {
    members_.push_back({name, npy("<c16", {x.rows(), x.cols()}, bytes_of(x.data(), x.size()))});
  }
  void add(const std::string& name, const Eigen::VectorXcd& x) {
    members_.push_back({name, npy("<c16", {x.size()}, bytes_of(x.data(), x.size()))});
  }
  void add(const std::string& name, const std::vector<std::string>& texts) {
    members_.push_back({name, npy_texts(texts, {std::ssize(texts)})});
  }
  void add(const std::string& name, const std::string& text) { members_.push_back({name, npy_texts({text}, {})}); }
  std::string finish() const { return npz(members_); }

 private:
  std::vector<NpzMember> members_;
};

// The columns of a table of points, beside the parameters.
struct PointColumns {
  std::vector<std::string> verdicts;
  std::vector<double> unstable, certified;

  void take(const SweepPoint& point) {
    verdicts.emplace_back(to_words(point.verdict.stability));
    unstable.push_back(static_cast<double>(point.verdict.unstable_roots));
    certified.push_back(point.certified ? 1 : 0);
  }
  void add_to(StudyArrays& arrays) const {
    arrays.add("verdict", verdicts);
    arrays.add("unstable_eigenvalues", unstable);
    arrays.add("certified", certified);
  }
};

}  // namespace

std::string to_npz(const Sweep& sweep) {
  StudyArrays arrays;
  arrays.add("schema", std::string("stillpoint.sweep/1"));
  arrays.add("model", sweep.model);
  arrays.add("status", sweep.is_partial ? sweep.ended : std::string("finished"));
  PointColumns columns;
  std::vector<double> parameter;
  for (const SweepPoint& point : sweep.points) {
    parameter.push_back(point.parameter);
    columns.take(point);
  }
  arrays.add(sweep.parameter, parameter);
  arrays.add("s", sweep.s);
  columns.add_to(arrays);
  std::vector<std::string> kinds;
  std::vector<double> places, errors;
  Eigen::VectorXcd s(std::ssize(sweep.events));
  for (std::size_t k = 0; k < sweep.events.size(); ++k) {
    kinds.emplace_back(to_words(sweep.events[k].kind));
    places.push_back(sweep.events[k].parameter);
    errors.push_back(sweep.events[k].error);
    s[static_cast<Eigen::Index>(k)] = sweep.events[k].s;
  }
  arrays.add("events.kind", kinds);
  arrays.add("events.at", places);
  arrays.add("events.error", errors);
  arrays.add("events.s", s);
  return arrays.finish();
}

// Rows of a grid may end early, so that each point has a place of its own in lists.
std::string to_npz(const StabilityMap& map) {
  StudyArrays arrays;
  arrays.add("schema", std::string("stillpoint.sweep/1"));
  arrays.add("model", map.model);
  arrays.add("status", map.is_partial ? map.ended : std::string("finished"));
  PointColumns columns;
  std::vector<double> first, second;
  for (const MapRow& row : map.rows) {
    for (const SweepPoint& point : row.sweep.points) {
      first.push_back(point.parameter);
      second.push_back(row.value);
      columns.take(point);
    }
  }
  arrays.add(map.first, first);
  arrays.add(map.second, second);
  columns.add_to(arrays);
  std::vector<std::string> kinds;
  std::vector<double> number, at_first, at_second, errors;
  for (std::size_t k = 0; k < map.boundaries.size(); ++k) {
    for (const MapBoundary::Point& point : map.boundaries[k].points) {
      kinds.emplace_back(to_words(map.boundaries[k].kind));
      number.push_back(static_cast<double>(k + 1));
      at_first.push_back(point.first);
      at_second.push_back(point.second);
      errors.push_back(point.error);
    }
  }
  arrays.add("boundaries.kind", kinds);
  arrays.add("boundaries.number", number);
  arrays.add("boundaries." + map.first, at_first);
  arrays.add("boundaries." + map.second, at_second);
  arrays.add("boundaries.error", errors);
  return arrays.finish();
}

}  // namespace stillpoint
