// What the claims about elements share, in the plane and in space: a case for each element type, the models made from
// it, and seeded states.
//
// A case states only data. The places an element can hold on to are known from its table of fields, and every
// combination of them becomes a specimen: a model with this one element in it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/assembly.h"
#include "stillpoint/read_model.h"
#include "support/seeded.h"

namespace stillpoint {

// ---------------------------------------------------------------------------------------------------------------------
// Cases

/// Who pushes back when an element pushes.
enum class Reacts {
  inside,         ///< its other end: it does no work when everything moves together
  outside,        ///< somebody who is not in the model: a dead or follower force, gravity
  on_coordinates  ///< a single coordinate, whatever that means in space
};

struct ElementCase {
  std::string keyword;                                                 ///< its word in model files
  std::vector<std::pair<std::string, std::vector<double>>> numbers{};  ///< by key
  std::string at_rest;  ///< the matrices in which it has entries that are not zero, of M C K J F G, for some attachment
  std::string moving;   ///< the same in motion
  Reacts reacts = Reacts::inside;
  bool conservative = true;  ///< at rest its forces have a potential and its K is symmetric
  bool gyroscopic = false;   ///< its C is skew; otherwise it is symmetric
};

// ---------------------------------------------------------------------------------------------------------------------
// Specimens

enum class Hold { fixed, point, body, marker, node, node_marker, scalar, input, none };

const char* word_of(Hold hold);

struct Specimen {
  std::string name;  ///< "spring at point, marker"
  Model model;
  std::vector<Hold> holds;
  bool shares_body = false;  ///< all its places are on one body

  bool holds_on_to(Hold what) const;
};

/// One reference that an element wants.
struct Want {
  std::size_t field = 0;
  FieldKind kind = FieldKind::position;
  std::vector<Hold> options;
};

const EntryType& type_called(const std::string& keyword, Dimension dimension);

/// All that the element must refer to, and the inputs that it may refer to. (That a joint may also be placed by points
/// of its axis is about reading only.)
std::vector<Want> wants_of(const ElementCase& element, const ElementInfo& info,
                           const std::function<std::vector<Hold>(const Field&)>& options_of);

/// One for each combination of what is wanted; and, of an element with several places, one with all on one body.
std::vector<Specimen> specimens_of(
    const std::vector<Want>& wants,
    const std::function<Specimen(const std::vector<Hold>& holds, bool on_one_body)>& make);

/// Adds the element, with its references in the order of the wants.
void add_element(ModelBuilder& build, const EntryType& type, const ElementCase& element, const std::vector<Want>& wants,
                 const std::vector<Index>& references);

// ---------------------------------------------------------------------------------------------------------------------
// States

/// The guess with multipliers and inputs, and in motion with rates and accelerations, between −2 and 2.
State random_loads(const Model& model, Random& random, Assembly::Motion motion);

/// Places on different blocks keep this far from each other: where they meet a law has no derivative.
constexpr double nearest_places = 0.5;  // m

/// Whether angles keep away from ±π, where a law has no derivative and differences near there no digits: residuals that
/// may be angles, and those within forces, which jump there.
bool laws_are_smooth(const Model& model, const State& state);

/// Newton's method from where the state is to the nearest place where the constraints hold.
void bring_together(const Model& model, State& state);

}  // namespace stillpoint
