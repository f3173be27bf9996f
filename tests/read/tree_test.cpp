#include "read/tree.h"

#include <doctest/doctest.h>

#include "support/read/provoke.h"

using namespace stillpoint;

namespace {

// The tree as one line, without its places.
std::string outline(const Tree& tree) {
  std::string text;
  switch (tree.kind) {
    case Tree::Kind::empty:
      return "~";
    case Tree::Kind::text:
      return "'" + tree.text + "'";
    case Tree::Kind::list:
      for (const Tree& item : tree.items) text += outline(item) + " ";
      return "[ " + text + "]";
    case Tree::Kind::mapping:
      for (const TreeEntry& entry : tree.entries) text += entry.key.text + ": " + outline(entry.value) + " ";
      return "{ " + text + "}";
  }
  return "";
}

std::string outline(const std::string& text) { return outline(parse_tree(text, "file")); }

std::string place_of(const Tree& tree) { return std::to_string(tree.line) + ":" + std::to_string(tree.column); }

// Lists within lists.
std::string nested(int levels) { return std::string(levels, '[') + std::string(levels, ']'); }

}  // namespace

TEST_CASE("tree: texts stay as they are written, whatever they look like") {
  CHECK(outline("a: 1e3\nb: true\nc: 'x, y'\nd: \"B[1]\"\ne: two  words\nf: ~\ng:\nh: ''\n") ==
        "{ a: '1e3' b: 'true' c: 'x, y' d: 'B[1]' e: 'two  words' f: ~ g: ~ h: '' }");
}

TEST_CASE("tree: lists and mappings nest in both notations, in their order") {
  CHECK(outline("z:\n  - p: 1\n    q: [2, {r: 3}]\n  -\n  - - 4\na: {}\n") ==
        "{ z: [ { p: '1' q: [ '2' { r: '3' } ] } ~ [ '4' ] ] a: { } }");
}

TEST_CASE("tree: JSON reads as the YAML that it is") {
  CHECK(outline("{\n\t\"a\": 1, \"b\": [\"x\", null, {\"c\": -2.5e-3}]\n}\n") ==
        outline("a: 1\nb: [x, ~, {c: -2.5e-3}]\n"));
}

TEST_CASE("tree: texts of several lines are one text") {
  CHECK(outline("a: >\n  one\n  two\nb: |\n  one\n  two\nc: one\n  two\n") ==
        "{ a: 'one two\n' b: 'one\ntwo\n' c: 'one two' }");
}

TEST_CASE("tree: keys and values know their lines and columns, counted from 1") {
  const Tree root = parse_tree("# comment\na: 1\nlist:\n  - b:   two\n    c: [x, y]\n", "file");
  CHECK(place_of(root) == "2:1");
  CHECK(place_of(*root.find("a")) == "2:4");
  const Tree& list = *root.find("list");
  CHECK(place_of(list) == "4:3");
  CHECK(place_of(list.items[0]) == "4:5");
  CHECK(place_of(list.items[0].entries[0].key) == "4:5");
  CHECK(place_of(list.items[0].entries[0].value) == "4:10");
  CHECK(place_of(list.items[0].entries[1].value.items[1]) == "5:12");
}

TEST_CASE("tree: a byte order mark and the line ends of other systems change neither content nor places") {
  const Tree plain = parse_tree("a: 1\nb:\n  - c: 2\n", "file");
  for (const char* const text : {"\xef\xbb\xbf"
                                 "a: 1\nb:\n  - c: 2\n",
                                 "a: 1\r\nb:\r\n  - c: 2\r\n", "a: 1\nb:\n  - c: 2"}) {
    CAPTURE(text);
    const Tree tree = parse_tree(text, "file");
    CHECK(outline(tree) == outline(plain));
    CHECK(place_of(tree.find("b")->items[0].entries[0].value) == "3:8");
  }
}

TEST_CASE("tree: marks of one document are allowed, and comments after it") {
  CHECK(outline("%YAML 1.2\n---\na: 1\n...\n# the end\n") == "{ a: '1' }");
}

TEST_CASE("tree: a key is found, another one is not") {
  const Tree root = parse_tree("a: 1\nb: 2\n", "file");
  CHECK(root.find("b")->text == "2");
  CHECK(root.find("c") == nullptr);
  CHECK(root.find("") == nullptr);
}

TEST_CASE("tree: 50 levels are read, 51 are not") {
  CHECK(refusal([] { parse_tree(nested(50), "file"); }) == "no error");
  CHECK(refusal([] { parse_tree(nested(51), "file"); }) == "nested deeper than 50 levels");
  CHECK(refusal([] { parse_tree(nested(100'000), "file"); }) == "nested deeper than 50 levels");
}

TEST_CASE("tree: descriptions are words for errors") {
  const Tree root = parse_tree("a: x y\nb: [1]\nc: {d: 1}\ne:\n", "file");
  CHECK(describe(*root.find("a")) == "'x y'");
  CHECK(describe(*root.find("b")) == "a list");
  CHECK(describe(*root.find("c")) == "a mapping");
  CHECK(describe(*root.find("e")) == "nothing");
}

TEST_CASE("tree: errors name the file") {
  const auto error = error_of([] { parse_tree("a: 1\na: 2\n", "folder/model.yaml"); });
  REQUIRE(error);
  CHECK(std::string(error->what()) ==
        "folder/model.yaml:2:1: the key 'a' stands here a second time; the first is in line 1");
}
