// Every error text of the reader is provoked by a file, at the line and column where the mistake is.
//
// How we made sure that none is left out: in a copy of src/read, src/model/builder.cpp and src/base/names.cpp every
// `throw`, `fail(…)` and `refuse(…)` wrote down its place before it ran. These tests reach all of them except for what
// no file can say: counts beyond 2^31, and what only C++ can give to the builder (a handle of nothing, a missing field,
// a name with a list of five indices).

#include <doctest/doctest.h>

#include <limits>

#include "stillpoint/read_model.h"
#include "support/read/provoke.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

/// A wrong file, where the error must be, and what its text must contain.
struct Wrong {
  std::string text;
  std::string place;  ///< "line:column"
  std::vector<std::string> parts;
};

// Most mistakes are in the mechanism, whose entries start in line 3.
std::string mechanism(const std::string& entries) { return "stillpoint: 1\nmechanism:\n" + entries; }

// One of each that can be referred to, in one line.
std::string with_all(const std::string& entries) {
  return mechanism(
      "  - {fixed: F, at: [0, 0]}\n  - {point: P, at: [1, 0]}\n  - {body: B, at: [0, 0]}\n"
      "  - {scalar: s}\n  - {input: u}\n  - {marker: M, on: B}\n" +
      entries);
}

// Parameters start in line 3.
std::string parameters(const std::string& lines) { return "stillpoint: 1\nparameters:\n" + lines + "mechanism: []\n"; }

std::string place_of(const Error& error) {
  return std::to_string(error.place().line) + ":" + std::to_string(error.place().column);
}

void check(const std::vector<Wrong>& table, const ReadOptions& options = {}) {
  for (const Wrong& wrong : table) {
    const auto& text = wrong.text;
    CAPTURE(text);
    const auto error = error_of([&] { read_model_text(text, "file", {}, options); });
    REQUIRE_MESSAGE(error, "was read");
    CHECK_MESSAGE(place_of(*error) == wrong.place, error->what());
    for (const std::string& part : wrong.parts)
      CHECK_MESSAGE(error->message().find(part) != std::string::npos, error->what());
  }
}

}  // namespace

TEST_CASE("errors: what is not YAML is refused with advice") {
  check({
      {mechanism("  - point: P\n\tat: 0, 0\n"), "4:1", {"not valid YAML: indent with spaces, not with tabs"}},
      {mechanism("\t- point: P\n"), "3:2", {"a '-' cannot stand here", "spaces"}},
      {mechanism("  - point: P: Q\n"), "3:13", {"a ':' cannot stand here", "quote the text"}},
      {mechanism("  - point P\n    at: 0, 0\n"), "4:7", {"a ':' cannot stand here"}},
      {mechanism("  - point: P\n    ? at\n   mass: 1\n"),
       "5:4",
       {"this does not fit; indent it like the lines it belongs to"}},
      {mechanism("  - a\n  ? b\n"), "4:3", {"this does not fit"}},
      {mechanism("  - point: ? b\n"), "3:12", {"a key cannot stand here"}},
      {mechanism("  - point: P\n    at: \"1\", 0\n"), "4:12", {"this does not fit", "or quote the text"}},
      {mechanism("  - point: P\n   at: 0, 0\n"), "4:4", {"indent it like the lines it belongs to"}},
      {"stillpoint: 1\n  mechanism: []\n", "2:12", {"a ':' cannot stand here"}},
      {"stillpoint: 1\n- mechanism\n", "2:1", {"this does not fit"}},
      {mechanism("  - distance: d\n    between: [A[0], B[0]]\n"),
       "4:16",
       {"'['", "needs quotes: [\"B[1]\", \"B[2]\"]"}},
      {mechanism("  - distance: d\n    between: [A, B\n    length: 1\n"),
       "5:11",
       {"the '[' before this needs a ',' or its ']'"}},
      {mechanism("  - {distance: d, between: A[0], B[0]}\n"), "3:29", {"'{'", "needs quotes"}},
      {mechanism("  - {distance: d\n"), "3:16", {"the '{' before this needs a ',' or its '}'"}},
      {mechanism("  - point: P\n    at: \"0, 0\n  - point: Q\n    at: 1, 0\n"),
       "4:5",
       {"a quote that opens after this is not closed"}},
      {"'", "1:1", {"a quote that opens after this is not closed"}},
      {parameters("  k: {value: 1 min: 0}\n"), "3:19", {"the '{' before this needs a ','"}},
      {mechanism("  - point: @P\n"), "3:12", {"a text that starts with this character needs quotes"}},
      {mechanism("  - point: P\n    at: > 0\n"), "4:11", {"after '|' or '>' the text starts on the next line"}},
      {mechanism("  - point: ]\n"), "3:12", {"a bracket closes here that was not opened"}},
      {mechanism("  - point: \"\\q\"\n"), "3:15", {"not valid YAML: unknown escape character: q"}},
      {mechanism("  - point: P\n    at: *2\n"), "4:9", {"'*' refers to an anchor", "needs quotes"}},
  });
}

TEST_CASE("errors: what YAML allows beyond models is refused") {
  check({
      {mechanism("  - point: P\n    at: &here 0, 0\n"), "4:9", {"'&' makes an anchor", "not allowed"}},
      {mechanism("  - &again {point: P, at: [0, 0]}\n  - *again\n"), "3:5", {"'&' makes an anchor"}},
      {mechanism("  - point: &none\n"), "3:12", {"'&' makes an anchor"}},
      {mechanism("  - point: P\n    at: !!str 0, 0\n"),
       "4:9",
       {"'!' makes a tag (tag:yaml.org,2002:str)", "not allowed"}},
      {mechanism("  - !point {at: [0, 0]}\n"), "3:5", {"'!' makes a tag (!point)"}},
      {"stillpoint: 1\nmechanism: []\n---\nstillpoint: 1\n", "4:1", {"a second document starts here"}},
      {"stillpoint: 1\nmechanism: []\n...\nmore\n", "4:1", {"a second document starts here"}},
      {mechanism("  - point: P\n    [at]: 0, 0\n"), "4:5", {"a key must be a word, not a list"}},
      {mechanism("  - {point: P, {at: 1}: 0}\n"), "3:16", {"a key must be a word, not a mapping"}},
      {mechanism("  - point: P\n    : 0\n"), "4:5", {"a key must be a word, not nothing"}},
      {mechanism("  - point: P\n    at: 0, 0\n    mass: 1\n    at: 1, 1\n"),
       "6:5",
       {"the key 'at' stands here a second time; the first is in line 4"}},
      {"stillpoint: 1\nmechanism: []\nstillpoint: 1\n",
       "3:1",
       {"the key 'stillpoint' stands here a second time; the first is in line 1"}},
      {"stillpoint: 1\nmechanism: " + std::string(60, '[') + std::string(60, ']') + "\n",
       "2:61",
       {"nested deeper than 50 levels"}},
  });
}

TEST_CASE("errors: what is no text at all is refused at its first odd byte") {
  using namespace std::string_literals;
  check({
      {"", "1:1", {"there is nothing in this file"}},
      {"\n\n  \n", "1:1", {"there is nothing in this file"}},
      {"# only a comment\n", "1:1", {"there is nothing in this file"}},
      {"---\n...\n", "1:1", {"there is nothing in this file"}},
      {"\x7f"
       "ELF\x02\x01\x01\0\0"s,
       "1:5",
       {"the byte 0x02 cannot stand here; a model file is text in UTF-8"}},
      {"stillpoint: 1\nna\0me: x\n"s, "2:3", {"the byte 0x00 cannot stand here"}},
      {"stillpoint: 1\n# \x04\nmechanism: []\n", "2:3", {"the byte 0x04 cannot stand here"}},
      {"\xff\xfes\0t\0i\0l\0l\0"s,
       "1:1",
       {"the byte 0xff cannot stand here; a model file is text in UTF-8"}},                             // UTF-16
      {"stillpoint: 1\nname: L\xe4ufer\nmechanism: []\n", "2:8", {"the byte 0xe4 cannot stand here"}},  // Latin-1
      {"stillpoint: 1\nname: ä\xc3\nmechanism: []\n", "2:8", {"the byte 0xc3 cannot stand here"}},
      {"stillpoint: 1\n# \xe2\x82", "2:3", {"the byte 0xe2 cannot stand here"}},
      {"PK\x03\x04", "1:3", {"the byte 0x03"}},
  });
}

TEST_CASE("errors: the head of a file") {
  check({
      {"just a text\n", "1:1", {"a model file must be a mapping of keys to values, not 'just a text'"}},
      {"- stillpoint: 1\n", "1:1", {"must be a mapping of keys to values, not a list"}},
      {"{}\n", "1:1", {"a model file lacks 'stillpoint': version of the format: 1"}},
      {"name: x\nmechanism: []\n", "1:1", {"a model file lacks 'stillpoint'"}},
      {"# comment\nstillpoint: 1\n", "2:1", {"a model file lacks 'mechanism': the list of entries"}},
      {"stillpoint: 2\nmechanism: []\n", "1:13", {"stillpoint is the version of the format and must be 1, not '2'"}},
      {"stillpoint:\nmechanism: []\n", "1:1", {"must be 1, not nothing"}},
      {"stillpoint: [1]\nmechanism: []\n", "1:13", {"must be 1, not a list"}},
      {"stillpoint: 1\nmechansim: []\n",
       "2:1",
       {"the key 'mechansim' is unknown in a model file (did you mean 'mechanism'?); allowed are stillpoint, name"}},
      {"stillpoint: 1\nunits: mm\nmechanism: []\n",
       "2:1",
       {"the key 'units' is unknown in a model file; allowed are "}},
      {"stillpoint: 1\nname: [a]\nmechanism: []\n", "2:7", {"name must be text, not a list"}},
      {"stillpoint: 1\nname:\nmechanism: []\n", "2:1", {"name must be text, not nothing"}},
      {"stillpoint: 1\ndescription: {a: b}\nmechanism: []\n", "2:14", {"description must be text, not a mapping"}},
      {"stillpoint: 1\ngravity: -9.81\nmechanism: []\n", "2:10", {"gravity has 1 value; it needs 2: x, y"}},
      {"stillpoint: 1\ngravity: [0, 0, -9.81]\nmechanism: []\n", "2:10", {"gravity has 3 values; it needs 2"}},
      {"stillpoint: 1\ngravity: 0, -g\nmechanism: []\n", "2:10", {"'g' in '-g' is unknown"}},
      {"stillpoint: 1\ngravity: 0, 1/0\nmechanism: []\n", "2:10", {"gravity is inf; it must be a finite number"}},
      {"stillpoint: 1\ngravity:\nmechanism: []\n", "2:1", {"gravity must be text or a list, not nothing"}},
      {"stillpoint: 1\nangular_velocity: 0, 0, 3\nmechanism: []\n",
       "2:19",
       {"angular_velocity has 3 values; it needs 1 (in space write 'dimension: 3')"}},
      {"stillpoint: 1\ndimension: 3\nangular_velocity: 3\nmechanism: []\n",
       "3:19",
       {"angular_velocity has 1 value; it needs 3: x, y, z"}},
      {"stillpoint: 1\ngravity: 0, -9.81\nangular_velocity: 3\nmechanism: []\n",
       "3:19",
       {"angular_velocity: gravity rotates in a frame that rotates about another axis"}},
      {"stillpoint: 1\nangular_velocity: 1/0\nmechanism: []\n",
       "2:19",
       {"angular_velocity is inf; it must be a finite number"}},
      {"stillpoint: 1\ngravity: [0, [1]]\nmechanism: []\n", "2:14", {"an item of gravity must be text, not a list"}},
      {"stillpoint: 1\nmechanism:\n", "2:1", {"mechanism must be a list of entries, each with a '-', not nothing"}},
      {"stillpoint: 1\nmechanism:\n  point: P\n",
       "3:3",
       {"mechanism must be a list of entries, each with a '-', not a mapping"}},
  });
}

TEST_CASE("errors: parameters") {
  check({
      {"stillpoint: 1\nparameters: [k]\nmechanism: []\n",
       "2:13",
       {"parameters must be a mapping of names to values, not a list"}},
      {parameters("  1k: 3\n"), "3:3", {"'1k' is not a name; allowed are a letter or '_'"}},
      {parameters("  spring rate: 3\n"), "3:3", {"'spring rate' is not a name"}},
      {parameters("  k[1]: 3\n"), "3:3", {"'k[1]' is not a name for a parameter; indices are not allowed"}},
      {parameters("  sqrt: 3\n"), "3:3", {"'sqrt' is a function or constant of expressions and cannot be a parameter"}},
      {parameters("  pi: 3\n"), "3:3", {"'pi' is a function or constant"}},
      {parameters("  k: 1\n  k: 2\n"), "4:3", {"the key 'k' stands here a second time; the first is in line 3"}},
      {parameters("  k:\n"), "3:3", {"parameter 'k' must be a number or an expression, not nothing"}},
      {parameters("  k: [1, 2]\n"), "3:6", {"parameter 'k' must be a number or an expression, not a list"}},
      {parameters("  k: 1,5\n"), "3:6", {"'1,5' holds 2 numbers; one is allowed here (decimals have a point)"}},
      {parameters("  k: 25 N/m\n"), "3:6", {"'25 N/m' is not an expression"}},
      {parameters("  k: 2*c\n"), "3:6", {"parameter 'k': 'c' in '2*c' is unknown"}},
      {parameters("  k: 2*c\n  c: 1\n"),
       "3:6",
       {"parameter 'k' uses 'c' of line 4; a parameter can only use those above it"}},
      {parameters("  k: {value: 2*k}\n"), "3:14", {"parameter 'k' uses itself"}},
      {parameters("  stiffness: 1\n  k: 2*stifness\n"),
       "4:6",
       {"'stifness' in '2*stifness' is unknown (did you mean 'stiffness'?)"}},
      {parameters("  k: cosd(30)\n"), "3:6", {"'cosd' in 'cosd(30)' is unknown (did you mean 'cos'?)"}},
      {parameters("  k: (c = 3)\n"), "3:6", {"'(c = 3)' is not an expression: '=' assigns, use '==' to compare"}},
      {parameters("  k: ''\n"), "3:6", {"a number is missing"}},
      {parameters("  k: sqrt(-1)\n"), "3:6", {"parameter 'k' is undefined; it must be a finite number"}},
      {parameters("  k: 1e400\n"), "3:6", {"parameter 'k' is inf; it must be a finite number"}},
      {parameters("  k: {min: 3}\n"), "3:6", {"parameter 'k' lacks 'value'"}},
      {parameters("  k: {value: 3, mim: 1}\n"),
       "3:17",
       {"the key 'mim' is unknown in parameter 'k' (did you mean 'min'?); allowed are value, min"}},
      {parameters("  N: {value: 3, integer: yes}\n"),
       "3:26",
       {"integer of parameter 'N' is 'yes'; it must be true or false"}},
      {parameters("  N: {value: 3, integer: [true]}\n"), "3:26", {"is a list; it must be true or false"}},
      {parameters("  N: {value: 3.5, integer: true}\n"), "3:6", {"parameter 'N' is 3.5; it must be a whole number"}},
      {parameters("  N:\n    value: 0\n    min: 1\n"), "4:5", {"parameter 'N' is 0; it must be at least 1"}},
      {parameters("  N: {value: 9, max: 2*3}\n"), "3:6", {"parameter 'N' is 9; it must be at most 6"}},
      {parameters("  N: {value: 9, min: x}\n"), "3:22", {"min of parameter 'N': 'x' is unknown"}},
      {parameters("  N: {value: 9, min: 10, max: 8}\n"),
       "3:22",
       {"min of parameter 'N' is 10 and max is 8; no value fits"}},
      {parameters("  k: {value: 9, unit: [N, m]}\n"), "3:23", {"unit of parameter 'k' must be text, not a list"}},
      {parameters("  k: {value: 9, help: }\n"), "3:17", {"help of parameter 'k' must be text, not nothing"}},
      {parameters("  N: {value: 9, max: [9]}\n"),
       "3:22",
       {"max of parameter 'N' must be a number or an expression, not a list"}},
  });
}

TEST_CASE("errors: values that the caller gives are held against the file") {
  const std::string text = parameters("  N: {value: 2, integer: true, min: 1, max: 5}\n  length: 1\n");
  const auto read_with = [&](const std::string& name, double value) {
    return error_of([&] { read_model_text(text, "file", {{name, value}}); }).value();
  };
  CHECK(std::string(read_with("N", 0).what()) == "file:3:6: parameter 'N' is 0; it must be at least 1");
  CHECK(std::string(read_with("N", 5.5).what()) == "file:3:6: parameter 'N' is 5.5; it must be a whole number");
  CHECK(std::string(read_with("N", 6).what()) == "file:3:6: parameter 'N' is 6; it must be at most 5");
  CHECK(std::string(read_with("length", std::numeric_limits<double>::quiet_NaN()).what()) ==
        "file:4:3: parameter 'length' is undefined; it must be a finite number");
  CHECK(std::string(read_with("lenght", 1).what()) ==
        "file: there is no parameter 'lenght' (did you mean 'length'?); there are N, length");
  CHECK(std::string(read_with("pi", 3).what()) == "file: there is no parameter 'pi'; there are N, length");
  CHECK(refusal([] {
          read_model_text("stillpoint: 1\nmechanism: []\n", "file", {{"k", 1}});
        }) == "there is no parameter 'k'; the model has none");
}

TEST_CASE("errors: the form of entries") {
  check({
      {mechanism("  - P\n"), "3:5", {"an entry must be a mapping such as 'point: P', not 'P'"}},
      {mechanism("  -\n"), "3:3", {"an entry must be a mapping such as 'point: P', not nothing"}},
      {mechanism("  - {}\n"), "3:5", {"an entry must be a mapping such as 'point: P', not an empty mapping"}},
      {mechanism("  - {fixed: F, at: [0, 0]}\n  -\n  - {scalar: s}\n"), "3:24", {"not nothing"}},
      {mechanism("  - [point, P]\n"), "3:5", {"an entry must be a mapping such as 'point: P', not a list"}},
      {mechanism("  - sprign: s\n"),
       "3:5",
       {"an entry cannot start with 'sprign' (did you mean 'spring'?); allowed are fixed, point", ", for"}},
      {mechanism("  - at: 0, 0\n    point: P\n"), "3:5", {"an entry cannot start with 'at'"}},
      {mechanism("  - point: [P]\n    at: 0, 0\n"), "3:12", {"the name of a point must be text, not a list"}},
      {mechanism("  - point:\n    at: 0, 0\n"), "3:5", {"a point needs a name, such as 'point: A'"}},
      {mechanism("  - input: ''\n"), "3:5", {"an input needs a name, such as 'input: A'"}},
      {mechanism("  - point: P Q\n    at: 0, 0\n"), "3:12", {"'P Q' is not a name"}},
      {mechanism("  - point: P[1][2]\n    at: 0, 0\n"),
       "3:12",
       {"'P[1][2]' has two pairs of brackets; write several indices as B[2,5]"}},
      {mechanism("  - point: P[1,2,3,4,5]\n    at: 0, 0\n"), "3:12", {"'P[1,2,3,4,5]' has more than four indices"}},
      {mechanism("  - point: P 1]\n    at: 0, 0\n"), "3:12", {"'P 1]' closes a bracket that it does not open"}},
      {mechanism("  - point: P[i]\n    at: 0, 0\n"), "3:12", {"'i' is unknown"}},
      {mechanism("  - point: P[1/2]\n    at: 0, 0\n"),
       "3:12",
       {"the index '1/2' of 'P' is 0.5; it must be a whole number"}},
      {mechanism("  - point: P\n    at: 0, 0\n    maas: 1\n"),
       "5:5",
       {"the key 'maas' is unknown in point 'P' (did you mean 'mass'?); allowed are at, mass"}},
      {mechanism("  - point: P\n    mass: 1\n"), "3:5", {"point 'P' lacks 'at': where it is guessed to be: x, y (m)"}},
      {mechanism("  - actuator:\n    between: ground, ground\n"),
       "3:5",
       {"an actuator lacks 'input': the input that scales it"}},
      {mechanism("  - point: P\n    at:\n"), "4:5", {"'at' of point 'P' is empty: where it is guessed to be: x, y"}},
      {mechanism("  - point: P\n    at: 1\n"),
       "4:9",
       {"'at' of point 'P' has 1 value; it needs 2: where it is guessed to be: x, y"}},
      {mechanism("  - point: P\n    at: 0, 0\n    mass: 1,5\n"),
       "5:11",
       {"'mass' of point 'P' has 2 values; it needs 1"}},
      {mechanism("  - point: P\n    at: []\n"), "4:9", {"has 0 values; it needs 2"}},
      {mechanism("  - point: P\n    at: {x: 1}\n"), "4:9", {"'at' of point 'P' must be text or a list, not a mapping"}},
      {mechanism("  - point: P\n    at: [1, [2]]\n"),
       "4:13",
       {"an item of 'at' of point 'P' must be text, not a list"}},
      {mechanism("  - point: P\n    at: 0,\n"), "4:9", {"a number is missing"}},
      {mechanism("  - point: P\n    at: 0, 1+\n"), "4:9", {"'1+' is not an expression"}},
      {with_all("  - coupling: c\n    coordinates: s, s, s, s, s, s, s\n    factors: 1\n"),
       "10:18",
       {"has 7 values; it needs 1 to 6: up to six coordinates"}},
  });
}

TEST_CASE("errors: numbers that are not allowed") {
  check({
      {mechanism("  - point: P\n    at: 0, 1/0\n"), "4:9", {"point 'P': at '1/0' is inf; it must be a finite number"}},
      {mechanism("  - body: B\n    at: 0, 0\n    angle: acos(2)\n"),
       "5:12",
       {"body 'B': angle 'acos(2)' is undefined; it must be a finite number"}},
      {mechanism("  - point: P\n    at: 0, 0\n    mass: -1\n"),
       "5:11",
       {"point 'P': mass is -1; it must not be negative"}},
      {mechanism("  - body: B\n    at: 0, 0\n    mass: 1\n    inertia: -0.1\n"),
       "6:14",
       {"body 'B': inertia is -0.1; it must not be negative"}},
      {mechanism("  - body: B\n    at: 0, 0\n    mass: 0 - 1\n"),
       "5:11",
       {"body 'B': mass is -1; it must not be negative"}},
      {mechanism("  - scalar: s\n    mass: -2\n"), "4:11", {"scalar 's': mass is -2; it must not be negative"}},
      {with_all("  - rod: r\n    between: F, P\n    length: 0\n    mass: 1\n"),
       "11:13",
       {"rod 'r': length is 0; it must be positive"}},
      {with_all("  - rod:\n    between: F, P\n    length: 1\n    mass: -1\n"),
       "12:11",
       {"a rod: mass is -1; it must not be negative"}},
      {with_all("  - coupling: c\n    coordinates: s\n    factors: 0/0\n"),
       "11:14",
       {"coupling 'c': factors '0/0' is undefined; it must be a finite number"}},
      {with_all("  - coupling: c\n    coordinates: s, P.x\n    factors: 1\n"),
       "9:15",
       {"coupling 'c' needs as many factors as coordinates"}},
      {with_all("  - coupling:\n    coordinates: s\n    factors: 1, 2\n"),
       "9:5",
       {"a coupling needs as many factors as coordinates"}},
  });
}

TEST_CASE("errors: references to what is not there, or cannot be meant") {
  check({
      {with_all("  - revolute: r\n    between: P, Q[1]\n"),
       "10:14",
       {"there is no point, body, scalar or marker 'Q[1]'"}},
      {with_all("  - revolute: r\n    between: P, grond\n"), "10:14", {"'grond' (did you mean 'ground'?)"}},
      {with_all("  - revolute: r\n    between: P\n"),
       "10:14",
       {"'between' of revolute 'r' has 1 value; it needs 2: the two points"}},
      {with_all("  - revolute: r\n    between: P,\n"), "10:14", {"a name is missing"}},
      {with_all("  - revolute: r\n    between: P, (0, 1)\n"), "10:14", {"'(0, 1)' does not name anything"}},
      {with_all("  - revolute: r\n    between: P.x, B\n"), "10:14", {"'P.x' is not a name"}},
      {with_all("  - revolute: r\n    between: P, s\n"),
       "10:14",
       {"revolute 'r': between refers to a scalar ('s'); allowed is a point, a body or a marker"}},
      {with_all("  - weld:\n    between: P, B\n"),
       "10:14",
       {"a weld: between refers to a point ('P'); allowed is a body, a marker on it or the ground"}},
      {with_all("  - torque: t\n    on: P\n    magnitude: 1\n"),
       "10:9",
       {"torque 't': on refers to a point ('P'); allowed is a body, a scalar or the ground"}},
      {with_all("  - marker: N\n    at: 1, 0\n    on: P\n"),
       "11:9",
       {"marker 'N': on refers to a point ('P'); allowed is a body, a marker on it or the ground"}},
      {with_all("  - marker: N\n    on: later\n  - marker: later\n    on: B\n"),
       "10:9",
       {"marker 'N': there is no point, body, scalar or marker 'later'; a marker stands below the marker that it "
        "sits"}},
      {with_all("  - revolute: r\n    between: P, P(0, 1)\n"),
       "10:14",
       {"'P(0, 1)' refers to a point ('P'); allowed is a body, a marker on it or the ground"}},
      {with_all("  - revolute: r\n    between: P, B(1)\n"),
       "10:14",
       {"'B(1)' is not a place; a place on a body is given by x, y and optionally an angle"}},
      {with_all("  - revolute: r\n    between: P, B(1, 1/0)\n"),
       "10:14",
       {"'1/0' in 'B(1, 1/0)' is inf; it must be a finite number"}},
      {with_all("  - revolute: r\n    between: u, B\n"),
       "10:14",
       {"revolute 'r': there is no point, body, scalar or marker 'u'; 'u' is an input"}},
      {with_all("  - revolute: r\n    between: P, F\n  - output: y\n    force: r\n"),
       "12:12",
       {"output 'y': there is no force 'r'; 'r' is a constraint"}},
      {with_all("  - revolute: r\n    between: B, B\n"), "10:14", {"revolute 'r': between names 'B' twice"}},
      {with_all("  - coupling: c\n    coordinates: [s, P.x, s]\n    factors: 1, 1, 1\n"),
       "10:18",
       {"coupling 'c': coordinates names 's' twice"}},
      {with_all("  - torque: t\n    on: B(1, 0)\n    magnitude: 1\n"),
       "10:9",
       {"'B(1, 0)' gives a place; allowed here is only a name"}},
      {with_all("  - scalar_mass: m\n    coordinate: B.z\n    mass: 1\n"),
       "10:17",
       {"'B.z' is not a coordinate; 'B' is a body and has B.x, B.y, B.phi"}},
      {with_all("  - scalar_mass: m\n    coordinate: P\n    mass: 1\n"),
       "10:17",
       {"'P' is not a coordinate; 'P' is a point and has P.x, P.y"}},
      {with_all("  - scalar_mass: m\n    coordinate: s.x\n    mass: 1\n"),
       "10:17",
       {"'s.x' is not a coordinate; 's' is a scalar and has s"}},
      {with_all("  - scalar_mass: m\n    coordinate: F.x\n    mass: 1\n"),
       "10:17",
       {"'F' is fixed on the ground and has no coordinates"}},
      {with_all("  - scalar_mass: m\n    coordinate: M.x\n    mass: 1\n"),
       "10:17",
       {"'M' is a marker and has no coordinates of its own"}},
      {with_all("  - prescribed: p\n    coordinate: s\n    input: push\n"), "11:12", {"there is no input 'push'"}},
      {mechanism("  - input: push\n  - torque: t\n    on: ground\n    magnitude: 1\n    input: pusch\n"),
       "7:12",
       {"there is no input 'pusch' (did you mean 'push'?)"}},
  });
}

TEST_CASE("errors: names that are taken") {
  check({
      {mechanism("  - point: P\n    at: 0, 0\n  - scalar: P\n"),
       "5:13",
       {"the name 'P' is taken by another point, body, scalar or marker"}},
      {mechanism("  - fixed: ground\n    at: 0, 0\n"), "3:12", {"the name 'ground' is taken"}},
      {mechanism("  - input: u\n  - input: u\n"), "4:12", {"the name 'u' is taken by another input"}},
      {with_all("  - weld: w\n    between: F, B\n  - revolute: w\n    between: F, P\n"),
       "11:15",
       {"revolute 'w': the name is taken by another constraint"}},
      {with_all("  - force: f\n    at: P\n    vector: 1, 0\n  - torque: f\n    on: B\n    magnitude: 1\n"),
       "12:13",
       {"torque 'f': the name is taken by another force"}},
      {with_all("  - point_mass: m\n    at: P\n    mass: 1\n  - point_mass: m\n    at: P\n    mass: 1\n"),
       "12:17",
       {"point_mass 'm': the name is taken by another mass"}},
  });
}

TEST_CASE("errors: the form of repetitions") {
  const std::string body = "    do:\n      - {scalar: \"s[i]\"}\n";
  check({
      {mechanism("  - for: i in 1..3\n"), "3:5", {"a repetition lacks 'do': the list of entries to repeat"}},
      {mechanism("  - for: i in 1..3\n    dow:\n      - {scalar: s}\n"),
       "4:5",
       {"the key 'dow' is unknown in a repetition (did you mean 'do'?); allowed are for, do"}},
      {mechanism("  - for: [i, 1, 3]\n" + body), "3:10", {"for must be text such as 'i in 1..N', not a list"}},
      {mechanism("  - for: i = 1:3\n" + body), "3:10", {"'i = 1:3' is not a range; it must be like 'i in 1..N'"}},
      {mechanism("  - for: i in 1-3\n" + body), "3:10", {"'i in 1-3' is not a range"}},
      {mechanism("  - for: 1..3 in i\n" + body), "3:10", {"'1..3 in i' is not a range"}},
      {mechanism("  - for: i, j in 1..3\n" + body), "3:10", {"'i, j' is not a name"}},
      {mechanism("  - for: i[1] in 1..3\n" + body),
       "3:10",
       {"'i[1]' is not a name for a loop variable; indices are not allowed"}},
      {mechanism("  - for: deg in 1..3\n" + body),
       "3:10",
       {"'deg' is already a parameter, loop variable, function or constant"}},
      {"stillpoint: 1\nparameters: {N: 3}\nmechanism:\n  - for: N in 1..3\n" + body,
       "4:10",
       {"'N' is already a parameter"}},
      {mechanism("  - for: i in 1..2\n    do:\n      - for: i in 1..2\n        do: [{scalar: s}]\n"),
       "5:14",
       {"'i' is already a parameter, loop variable"}},
      {mechanism("  - for: i in 1..M\n" + body), "3:10", {"'M' is unknown"}},
      {mechanism("  - for: i in ..3\n" + body), "3:10", {"a number is missing"}},
      {mechanism("  - for: i in 1..3, 7\n" + body), "3:10", {"'3, 7' holds 2 numbers"}},
      {mechanism("  - for: i in 1..i\n" + body), "3:10", {"'i' is unknown"}},
      {mechanism("  - for: i in 1..3\n    do:\n"),
       "4:5",
       {"do must be a list of entries, each with a '-', not nothing"}},
      {mechanism("  - for: i in 1..3\n    do: []\n"), "4:9", {"this repetition has nothing to repeat"}},
      {mechanism("  - for: i in 1..3\n    do:\n      point: P[i]\n"), "5:7", {"do must be a list of entries"}},
      {mechanism("  - for: i in 1..5/2\n" + body),
       "3:10",
       {"'5/2' in the range 'i in 1..5/2' is 2.5; it must be a whole number"}},
      {mechanism("  - for: i in 0/0..2\n" + body), "3:10", {"is undefined; it must be a whole number"}},
      {mechanism("  - for: i in 1..1/0\n" + body), "3:10", {"is inf; it must be a whole number"}},
  });
}

TEST_CASE("errors: inside of repetitions the text tells which round it was") {
  check({
      {mechanism("  - for: i in 1..5\n    do:\n      - point: P[i]\n        at: 0, 1/(i-3)\n"),
       "6:13",
       {"point 'P[3]': at '1/(i-3)' is inf; it must be a finite number (with i = 3)"}},
      {mechanism("  - for: i in 1..2\n    do:\n      - for: j in 5..6\n        do:\n          - point: P[i]\n          "
                 "  at: 0, 0\n"),
       "7:20",
       {"the name 'P[1]' is taken by another point, body, scalar or marker (with i = 1, j = 6)"}},
      {mechanism("  - for: i in 1..4\n    do:\n      - point: P[i]\n        at: 0, 0\n        mass: 2.5 - i\n"),
       "7:15",
       {"point 'P[3]': mass is -0.5; it must not be negative (with i = 3)"}},
      {mechanism("  - for: i in 1..4\n    do:\n      - point: P[i]\n        at: 0, 0\n  - for: i in 1..4\n    do:\n    "
                 "  - distance: d[i]\n        length: 1\n        between: P[i], P[i+1]\n"),
       "11:18",
       {"'P[5]' (did you mean 'P[1]'?) (with i = 4)"}},
      {mechanism("  - for: i in 1..4\n    do:\n      - for: j in 1..i/2\n        do:\n          - scalar: s[i,j]\n"),
       "5:14",
       {"'i/2' in the range 'j in 1..i/2' is 0.5; it must be a whole number (with i = 1)"}},
      {mechanism("  - for: i in 0..4\n    do:\n      - scalar: s[i/2]\n"),
       "5:17",
       {"the index 'i/2' of 's' is 0.5; it must be a whole number (with i = 1)"}},
  });
}

TEST_CASE("errors: giant repetitions are refused before they fill the memory or the day") {
  const std::string point = "point: P[i]\n        at: 0, 0\n";
  check({
      {mechanism("  - for: i in 1..1e12\n    do:\n      - " + point),
       "3:10",
       {"'i in 1..1e12' repeats 1e+12 times; a model may have at most 200000000 parts"}},
      {mechanism("  - for: i in -1e15..1e15\n    do:\n      - " + point), "3:10", {"repeats 2e+15 times"}},
      {mechanism("  - for: i in 1..1e16\n    do:\n      - " + point), "3:10", {"it must be a whole number"}},
  });
  check(
      {
          {mechanism("  - for: i in 1..11\n    do:\n      - " + point),
           "3:10",
           {"repeats 11 times; a model may have at most 10 parts"}},
          {mechanism("  - for: i in 1..4\n    do:\n      - for: j in 1..4\n        do:\n          - point: P[i,j]\n    "
                     "        at: 0, 0\n"),
           "7:20",
           {"the mechanism has more than 10 parts"}},
          {mechanism("  - for: i in 1..10\n    do:\n      - for: j in 1..10\n        do:\n          - for: k in 1..0\n "
                     "           do:\n              - scalar: s\n"),
           "3:10",
           {"repetitions made no entry more than 10 times"}},
          {mechanism("  - for: i in 1..10\n    do:\n      - body: B[i]\n        at: 0, 0\n        mass: 1\n"),
           "5:15",
           {"the mechanism has more than 10 parts"}},
      },
      {.more_types = {}, .most_things = 10});
}

TEST_CASE("errors: as many parts as are allowed are read, one more is not") {
  const auto read_points = [](int count) {
    const std::string range =
        "  - for: i in 1.." + std::to_string(count) + "\n    do:\n      - {point: \"P[i]\", at: [i, 0]}\n";
    return refusal([&] {
      read_model_text(mechanism(range + "  - {fixed: F, at: [0, 0]}\n"), "file", {},
                      {.more_types = {}, .most_things = 10});
    });
  };
  CHECK(read_points(9) == "no error");
  CHECK(read_points(10) == "the mechanism has more than 10 parts");
}

TEST_CASE("errors: paths that lead nowhere") {
  const ScratchFolder folder;
  folder.write("four_bar/notes.txt", "");
  folder.write("odd/model.yaml/notes.txt", "");
  const auto refused = [&](const std::string& path) { return refusal([&] { read_model(path); }); };

  CHECK(refused(folder / "four_bra") == "no such file or folder (did you mean 'four_bar'?)");
  CHECK(refused(folder / "four_bar") == "this folder holds no model.yaml");
  CHECK(refused(folder / "nowhere/model.yaml") == "no such file or folder");
  CHECK(refused(folder / "odd") == "is a folder; it must be a file");
  CHECK(refused(std::string(5000, 'a')) == "cannot be read: File name too long");
  CHECK(refused("") == "no such file or folder");
  CHECK(error_of([&] { read_model(folder / "four_bra"); }).value().place().file == folder / "four_bra");
}

TEST_CASE("errors: a mistake in a file on disk is told with its path") {
  const ScratchFolder folder;
  const std::string path = folder.write("crane.yaml", mechanism("  - point: P\n"));
  const auto error = error_of([&] { read_model(path); }).value();
  CHECK(std::string(error.what()) == path + ":3:5: point 'P' lacks 'at': where it is guessed to be: x, y (m)");
}
