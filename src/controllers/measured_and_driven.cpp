#include "controllers/measured_and_driven.h"

#include <fmt/format.h>

#include <map>

#include "base/at.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

// Number of names that are compared with an unknown one.
constexpr Index most_compared = 10'000;

using Entries = std::vector<Eigen::Triplet<double, Index>>;

/// Numbers of names; of a name that occurs twice, the first.
class PlacesByName {
 public:
  PlacesByName(const NameOf& name, Index count) {
    for (Index i = 0; i < count; ++i) places_.emplace(name(i), i);
  }

  Index find(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second;
  }

  void add_names(std::vector<std::string>& names) const {
    for (const auto& [name, place] : places_) {
      if (std::ssize(names) < most_compared) names.push_back(name);
    }
  }

 private:
  std::map<std::string, Index> places_;
};

[[noreturn]] void refuse_name(const Controller& one, const char* key, const char* kind, const std::string& name,
                              const PlacesByName& channels, const PlacesByName& coordinates) {
  std::vector<std::string> known;
  channels.add_names(known);
  coordinates.add_names(known);
  throw Error(fmt::format("'{}' of controller '{}': there is no {} or coordinate '{}'{}", key, one.name, kind, name,
                          did_you_mean(name, known)));
}

/// Adds row `from` of A, whose transpose is given, as row `to`.
void add_row(const SparseMatrix& transposed, Index from, Index to, Entries& entries) {
  for (SparseMatrix::InnerIterator entry(transposed, from); entry; ++entry)
    entries.emplace_back(to, static_cast<Index>(entry.row()), entry.value());
}

bool has_entries(const SparseMatrix& A, Index column) {
  for (SparseMatrix::InnerIterator entry(A, column); entry; ++entry) {
    if (entry.value() != 0) return true;
  }
  return false;
}

SparseMatrix matrix_of(Eigen::Index rows, Eigen::Index columns, const Entries& entries) {
  SparseMatrix matrix(rows, columns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

std::string unit_at(const NameOf& unit, Index i) { return unit ? unit(i) : std::string(); }

class Measured {
 public:
  explicit Measured(const LinearSystem& system)
      : system_(system),
        outputs_(system.output_name, system.outputs()),
        coordinates_(system.coordinate_name, system.coordinates()),
        Hq_(system.Hq.transpose()),
        Hv_(system.Hv.transpose()),
        Ha_(system.Ha.transpose()),
        Hl_(system.Hl.transpose()),
        Hu_(system.Hu.transpose()) {}

  void add(const Controller& one, const std::string& name) {
    const Index output = outputs_.find(name), coordinate = coordinates_.find(name);
    const bool is_rate = !name.empty() && name.back() == '\'';
    if (output >= 0) add_output(one, output);
    else if (coordinate >= 0) add_coordinate(coordinate, q_, "");
    else if (is_rate) add_rate(one, name.substr(0, name.size() - 1), name);
    else refuse_name(one, "from", "output", name, outputs_, coordinates_);
    ++count_;
  }

  /// Without H_w.
  MeasuredAndDriven found() const {
    const Index n = system_.coordinates();
    MeasuredAndDriven made;
    made.Hq = matrix_of(count_, n, q_);
    made.Hv = matrix_of(count_, n, v_);
    made.Ha = matrix_of(count_, n, a_);
    made.Hu = matrix_of(count_, system_.inputs(), u_);
    made.units_of_measured = units_;
    return made;
  }

 private:
  void add_output(const Controller& one, Index output) {
    if (has_entries(Hl_, output))
      throw Error(
          fmt::format("controller '{}' measures '{}', which is a reaction of constraints: it depends on all forces at "
                      "once; measure motions, or the strain of a stiff spring in the place of the reaction",
                      one.name, system_.output_name(output)));
    add_row(Hq_, output, count_, q_);
    add_row(Hv_, output, count_, v_);
    add_row(Ha_, output, count_, a_);
    add_row(Hu_, output, count_, u_);
    units_.push_back(unit_at(system_.output_unit, output));
  }

  void add_coordinate(Index coordinate, Entries& entries, const std::string& per_second) {
    entries.emplace_back(count_, coordinate, 1.0);
    const std::string unit = unit_at(system_.coordinate_unit, coordinate);
    units_.push_back(unit.empty() ? unit : unit + per_second);
  }

  void add_rate(const Controller& one, const std::string& of, const std::string& name) {
    const Index output = outputs_.find(of), coordinate = coordinates_.find(of);
    if (output < 0 && coordinate < 0) refuse_name(one, "from", "output", name, outputs_, coordinates_);
    if (output < 0) return add_coordinate(coordinate, v_, "/s");
    if (has_entries(Ha_, output) || has_entries(Hl_, output) || has_entries(Hu_, output))
      throw Error(
          fmt::format("controller '{}' measures the rate of '{}', which contains accelerations, reactions or inputs: "
                      "only positions and velocities have a rate that the motion determines",
                      one.name, of));
    add_row(Hq_, output, count_, v_);
    add_row(Hv_, output, count_, a_);
    const std::string unit = unit_at(system_.output_unit, output);
    units_.push_back(unit.empty() ? unit : unit + "/s");
  }

  const LinearSystem& system_;
  PlacesByName outputs_, coordinates_;
  SparseMatrix Hq_, Hv_, Ha_, Hl_, Hu_;  // transposed
  Index count_ = 0;
  Entries q_, v_, a_, u_;
  std::vector<std::string> units_;
};

class Driven {
 public:
  explicit Driven(const LinearSystem& system)
      : system_(system),
        inputs_(system.input_name, system.inputs()),
        coordinates_(system.coordinate_name, system.coordinates()) {}

  void add(const Controller& one, const std::string& name) {
    const Index input = inputs_.find(name), coordinate = coordinates_.find(name);
    if (input >= 0) {
      if (has_entries(system_.G, input))
        throw Error(
            fmt::format("controller '{}' acts on '{}', which prescribes a motion: a controller can act on forces and "
                        "torques only",
                        one.name, name));
      for (SparseMatrix::InnerIterator entry(system_.F, input); entry; ++entry)
        forces_.emplace_back(static_cast<Index>(entry.row()), count_, entry.value());
      columns_.emplace_back(input, count_, 1.0);
      units_.push_back(unit_at(system_.input_unit, input));
    } else if (coordinate >= 0) {
      forces_.emplace_back(coordinate, count_, 1.0);
      units_.emplace_back();
    } else {
      refuse_name(one, "to", "input", name, inputs_, coordinates_);
    }
    ++count_;
  }

  SparseMatrix forces() const { return matrix_of(system_.coordinates(), count_, forces_); }
  /// The inputs that w is added to, inputs × w.
  SparseMatrix columns() const { return matrix_of(system_.inputs(), count_, columns_); }
  const std::vector<std::string>& units() const { return units_; }

 private:
  const LinearSystem& system_;
  PlacesByName inputs_, coordinates_;
  Index count_ = 0;
  Entries forces_, columns_;
  std::vector<std::string> units_;
};

}  // namespace

MeasuredAndDriven measured_and_driven(const LinearSystem& system, const std::vector<Controller>& controllers) {
  Measured measured(system);
  Driven driven(system);
  for (const Controller& one : controllers) {
    for (const std::string& name : one.from) measured.add(one, name);
    for (const std::string& name : one.to) driven.add(one, name);
  }
  MeasuredAndDriven made = measured.found();
  const SparseMatrix columns = driven.columns();
  made.Hw = made.Hu * columns;
  made.Fw = driven.forces();
  made.outputs_of_w = system.Hu * columns;
  made.units_of_w = driven.units();
  return made;
}

}  // namespace stillpoint
