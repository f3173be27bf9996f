// Two models that are equal to the last bit: NaN equals NaN, and −0 is not 0.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "stillpoint/assembly.h"
#include "stillpoint/outputs.h"

namespace stillpoint {

template <class Numbers>
std::vector<std::uint64_t> bits(const Numbers& numbers) {
  std::vector<std::uint64_t> all;
  for (const double x : numbers) all.push_back(std::bit_cast<std::uint64_t>(x));
  return all;
}

inline void check_same(const SparseMatrix& a, const SparseMatrix& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  REQUIRE(a.nonZeros() == b.nonZeros());
  const auto count = static_cast<std::size_t>(a.nonZeros());
  CHECK(std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1, b.outerIndexPtr()));
  CHECK(std::equal(a.innerIndexPtr(), a.innerIndexPtr() + count, b.innerIndexPtr()));
  CHECK(bits(std::span(a.valuePtr(), count)) == bits(std::span(b.valuePtr(), count)));
}

// A state that no law can take for another one: every number is different.
inline State irregular_state(const Model& model) {
  double x = 0;
  const auto fill = [&](Eigen::Index size) {
    Eigen::VectorXd vector(size);
    for (double& value : vector) value = std::fmod(x += 0.6180339887498949, 1.0) - 0.4;
    return vector;
  };
  State state = model.initial_state();
  state = model.displaced(state, fill(model.coordinates()));
  state.u += fill(model.inputs());
  state.lambda = fill(model.constraints());
  state.v = fill(model.coordinates());
  state.a = fill(model.coordinates());
  return state;
}

inline void check_same_matrices(const Model& a, const Model& b) {
  const State state = irregular_state(a);
  Assembly assembly_a(a, Assembly::Motion::moving), assembly_b(b, Assembly::Motion::moving);
  const Matrices& in_a = assembly_a.at(state);
  const Matrices& in_b = assembly_b.at(state);
  for (const auto matrix : {&Matrices::M, &Matrices::C, &Matrices::K, &Matrices::J, &Matrices::F, &Matrices::G}) {
    check_same(in_a.*matrix, in_b.*matrix);
  }
  CHECK(bits(applied_forces(a, state)) == bits(applied_forces(b, state)));
  CHECK(bits(constraint_residual(a, state)) == bits(constraint_residual(b, state)));
  CHECK(potential_energy(a, state) == potential_energy(b, state));
}

inline void check_same_places(const Model& a, const Model& b) {
  REQUIRE(a.blocks().size() == b.blocks().size());
  for (Index i = 0; i < static_cast<Index>(a.blocks().size()); ++i) {
    CHECK(a.blocks()[static_cast<std::size_t>(i)].kind == b.blocks()[static_cast<std::size_t>(i)].kind);
    CHECK(a.block_name(i) == b.block_name(i));
  }
  REQUIRE(a.markers().size() == b.markers().size());
  for (std::size_t i = 0; i < a.markers().size(); ++i) {
    const Marker &in_a = a.markers()[i], &in_b = b.markers()[i];
    CHECK(in_a.block == in_b.block);
    CHECK(bits(std::array{in_a.position.x, in_a.position.y, in_a.angle}) ==
          bits(std::array{in_b.position.x, in_b.position.y, in_b.angle}));
  }
}

inline void check_same_space_places(const Model& a, const Model& b) {
  REQUIRE(a.space_markers().size() == b.space_markers().size());
  for (std::size_t i = 0; i < a.space_markers().size(); ++i) {
    const space::Marker &in_a = a.space_markers()[i], &in_b = b.space_markers()[i];
    CHECK(in_a.block == in_b.block);
    const auto numbers = [](const space::Marker& m) {
      return bits(
          std::array{m.position.x, m.position.y, m.position.z, m.rotation.w, m.rotation.x, m.rotation.y, m.rotation.z});
    };
    CHECK(numbers(in_a) == numbers(in_b));
  }
}

inline void check_same_outputs(const Model& a, const Model& b) {
  REQUIRE(a.outputs() == b.outputs());
  for (Index i = 0; i < a.outputs(); ++i) CHECK(a.output_name(i) == b.output_name(i));
  const State state = irregular_state(a);
  const OutputValues in_a = observe(a, state), in_b = observe(b, state);
  CHECK(bits(in_a.y) == bits(in_b.y));
  for (const auto matrix :
       {&OutputValues::Hq, &OutputValues::Hv, &OutputValues::Ha, &OutputValues::Hl, &OutputValues::Hu}) {
    check_same(in_a.*matrix, in_b.*matrix);
  }
}

inline std::vector<double> numbers_of(const FieldValue& value, const Field& field) {
  if (field.kind != FieldKind::numbers) return {};
  return {value.numbers.begin(), value.numbers.begin() + static_cast<std::ptrdiff_t>(value.count)};
}

inline void check_same_elements(const Model& a, const Model& b) {
  REQUIRE(a.arrays().size() == b.arrays().size());
  for (std::size_t k = 0; k < a.arrays().size(); ++k) {
    const ElementArrayBase &in_a = *a.arrays()[k].elements, &in_b = *b.arrays()[k].elements;
    REQUIRE(in_a.info().keyword == in_b.info().keyword);
    REQUIRE(in_a.size() == in_b.size());
    for (Index i = 0; i < in_a.size(); ++i) {
      CHECK(a.element_name(k, i) == b.element_name(k, i));
      for (const Field& field : in_a.info().fields) {
        CAPTURE(in_a.info().keyword);
        CAPTURE(field.key);
        const FieldValue of_a = field.load(in_a.element(i)), of_b = field.load(in_b.element(i));
        CHECK(of_a.count == of_b.count);
        CHECK(of_a.references == of_b.references);
        CHECK(bits(numbers_of(of_a, field)) == bits(numbers_of(of_b, field)));
      }
    }
  }
}

inline void check_same(const Model& a, const Model& b) {
  CHECK(bits(a.initial_state().q) == bits(b.initial_state().q));
  CHECK(bits(a.initial_state().u) == bits(b.initial_state().u));
  CHECK(bits(std::array{a.gravity().x, a.gravity().y, a.gravity().z}) ==
        bits(std::array{b.gravity().x, b.gravity().y, b.gravity().z}));
  check_same_places(a, b);
  check_same_space_places(a, b);
  check_same_elements(a, b);
  REQUIRE(a.constraints() == b.constraints());
  for (Index row = 0; row < a.constraints(); ++row) CHECK(a.constraint_name(row) == b.constraint_name(row));
  REQUIRE(a.inputs() == b.inputs());
  for (Index i = 0; i < a.inputs(); ++i) CHECK(a.input_name(i) == b.input_name(i));
  check_same_matrices(a, b);
  check_same_outputs(a, b);
}

}  // namespace stillpoint
