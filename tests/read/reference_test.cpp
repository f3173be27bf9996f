#include "read/reference.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "support/read/provoke.h"

using namespace stillpoint;

namespace {

// A bit of everything that can be referred to.
struct Fixture {
  ModelBuilder builder;
  Scope scope;

  Fixture() {
    builder.fixed("A", {1, 2});
    builder.point("B[1]", {0, 0});
    builder.point("B[2,3]", {0, 0});
    builder.body("crank", {5, 0});
    builder.scalar("phi", 0);
    builder.marker("pin", builder.place("crank"), {1, 0}, std::numbers::pi / 2);
    builder.input("u");
    builder.input("w[4]");
    scope.define("l", 2);
  }

  Index resolve(const std::string& text, FieldKind kind) { return Reference(text, kind, scope).resolve(builder); }
  std::string refused(const std::string& text, FieldKind kind) {
    return refusal([&] { resolve(text, kind); });
  }
};

using Parts = std::vector<std::string>;

}  // namespace

TEST_CASE("reference: lists split at commas outside of brackets") {
  CHECK(split_list("A, B") == Parts{"A", "B"});
  CHECK(split_list(" M[i,j] ,f(1, 2)\n, g((3, 4), [5, 6])") == Parts{"M[i,j]", "f(1, 2)", "g((3, 4), [5, 6])"});
  CHECK(split_list("") == Parts{""});
  CHECK(split_list("A,") == Parts{"A", ""});
  CHECK(trimmed(" \t a b \n") == "a b");
  CHECK(trimmed(" \n").empty());
}

TEST_CASE("reference: indices are expressions, evaluated when the name is wanted") {
  Scope scope;
  Scope::Variable& i = scope.define("i", 1, true);
  const NameTemplate name("mass[i-1, 2*i, max(i, 3), -i]", scope);
  CHECK(to_string(name.name()) == "mass[0,2,3,-1]");
  i.value = 5;
  CHECK(to_string(name.name()) == "mass[4,10,5,-5]");
}

TEST_CASE("reference: an index must come out whole") {
  Scope scope;
  Scope::Variable& i = scope.define("i", 1, true);
  const NameTemplate half("B[i/2]", scope), inverse("B[1/(i-2)]", scope), root("B[sqrt(-i)]", scope);
  CHECK(refusal([&] { half.name(); }) == "the index 'i/2' of 'B' is 0.5; it must be a whole number");
  CHECK(refusal([&] { root.name(); }) == "the index 'sqrt(-i)' of 'B' is undefined; it must be a whole number");
  i.value = 2;
  CHECK(to_string(half.name()) == "B[1]");
  CHECK(refusal([&] { inverse.name(); }) == "the index '1/(i-2)' of 'B' is inf; it must be a whole number");
}

TEST_CASE("reference: an empty text is no name, which may be left out") { CHECK(NameTemplate("", Scope()).empty()); }

TEST_CASE("reference: what is not a name is refused") {
  const auto refused = [](const char* text) { return refusal([&] { NameTemplate(text, Scope()); }); };
  for (const char* const text : {"1a", "a b", "B[1", "B(1)", "crank.x", "B[1] 2", "Größe", "[1]"}) {
    CAPTURE(text);
    CHECK(refused(text).find("is not a name; allowed are a letter or '_'") != std::string::npos);
  }
  CHECK(refused("B 1]") == "'B 1]' closes a bracket that it does not open");
  CHECK(refused("B[1][2]") == "'B[1][2]' has two pairs of brackets; write several indices as B[2,5]");
  CHECK(refused("B[1,2,3,4,5]") == "'B[1,2,3,4,5]' has more than four indices");
  CHECK(refused("B[]") == "a number is missing");
  CHECK(refused("B[k]") == "'k' is unknown");
}

TEST_CASE_FIXTURE(Fixture, "reference: a place is found by its name, with spaces around or none") {
  for (const FieldKind kind : {FieldKind::position, FieldKind::frame, FieldKind::angle}) {
    CHECK(resolve("crank", kind) == builder.place("crank").marker);
    CHECK(resolve("ground", kind) == ground_marker);
    CHECK(resolve(" B[ 1 ]", kind) == builder.place("B[1]").marker);
    CHECK(resolve("B [l, l+1]", kind) == builder.place("B[2,3]").marker);
  }
}

TEST_CASE_FIXTURE(Fixture, "reference: a coordinate is found by its owner and its letter") {
  CHECK(resolve("phi", FieldKind::coordinate) == builder.coordinate("phi").coordinate);
  CHECK(resolve("crank.phi", FieldKind::coordinate) == builder.coordinate("crank", "phi").coordinate);
  CHECK(resolve("B[l-1].y", FieldKind::coordinate) == builder.coordinate("B[1]", "y").coordinate);
  CHECK(resolve("B[0.5*l].y", FieldKind::coordinate) == builder.coordinate("B[1]", "y").coordinate);
}

TEST_CASE_FIXTURE(Fixture, "reference: an input is found among the inputs") {
  CHECK(resolve("u", FieldKind::input) == builder.input_ref("u").input);
  CHECK(resolve("w[2*l]", FieldKind::input) == builder.input_ref("w[4]").input);
  CHECK(refused("crank", FieldKind::input) == "there is no input 'crank'; 'crank' is a point, body, scalar or marker");
}

TEST_CASE_FIXTURE(Fixture, "reference: a place on the spot is a marker in the axes of what it is given on") {
  const Index on_body = resolve("crank(l/2, -1)", FieldKind::position);
  const Index turned = resolve("crank (0, l, 90*deg)", FieldKind::frame);
  const Index on_marker = resolve("pin(l, 0)", FieldKind::position);  // pin: at (1, 0), turned by 90°
  const Index on_ground_there = resolve("A(l, atan2(0, 1))", FieldKind::position);
  const Model model = builder.model();
  const auto marker = [&](Index index) { return model.markers()[static_cast<std::size_t>(index)]; };

  CHECK(marker(on_body).block == marker(turned).block);
  CHECK(marker(on_body).position.x == 1);
  CHECK(marker(on_body).position.y == -1);
  CHECK(marker(turned).position.y == 2);
  CHECK(marker(turned).angle == 90 * (std::numbers::pi / 180));
  CHECK(marker(on_marker).position.x == doctest::Approx(1).epsilon(1e-15));  // cos 90° is not quite 0
  CHECK(marker(on_marker).position.y == 2);
  CHECK(marker(on_ground_there).block == on_ground);
  CHECK(marker(on_ground_there).position.x == 3);
  CHECK(marker(on_ground_there).position.y == 2);
}

TEST_CASE_FIXTURE(Fixture, "reference: what cannot be is refused in the words of the file") {
  using enum FieldKind;
  CHECK(refused("", position) == "a name is missing");
  CHECK(refused("(1, 2)", position) == "'(1, 2)' does not name anything");
  CHECK(refused("crank(1)", position) ==
        "'crank(1)' is not a place; a place on a body is given by x, y and optionally an angle");
  CHECK(refused("crank(1, 2, 3, 4)", frame).find("is not a place") != std::string::npos);
  CHECK(refused("crank(1, 2)", angle) == "'crank(1, 2)' gives a place; allowed here is only a name");
  CHECK(refused("crank(1, 2)", coordinate) == "'crank(1, 2)' gives a place; allowed here is only a name");
  CHECK(refused("u(1, 2)", input) == "'u(1, 2)' gives a place; allowed here is only a name");
  CHECK(refused("crank 1, 2)", position) == "'crank 1, 2)' closes a bracket that it does not open");
  CHECK(refused("crank(1, 1/0)", position) == "'1/0' in 'crank(1, 1/0)' is inf; it must be a finite number");
  CHECK(refused("B[1](1, 0)", position) ==
        "'B[1](1, 0)' refers to a point ('B[1]'); allowed is a body, a marker on it or the ground");
  CHECK(refused("crnak", position) == "there is no point, body, scalar or marker 'crnak' (did you mean 'crank'?)");
  CHECK(refused("crank.z", coordinate) ==
        "'crank.z' is not a coordinate; 'crank' is a body and has crank.x, crank.y, crank.phi");
  CHECK(refused("crank", coordinate) ==
        "'crank' is not a coordinate; 'crank' is a body and has crank.x, crank.y, crank.phi");
  CHECK(refused("phi.x", coordinate) == "'phi.x' is not a coordinate; 'phi' is a scalar and has phi");
  CHECK(refused("A.x", coordinate) == "'A' is fixed on the ground and has no coordinates");
  CHECK(refused("pin.x", coordinate) == "'pin' is a marker and has no coordinates of its own");
}
