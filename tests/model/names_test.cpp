// Names are kept as rules: many of them in few runs, and each still found both ways.

#include "stillpoint/names.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>

#include "stillpoint/error.h"

using namespace stillpoint;

namespace {

constexpr std::int64_t million = 1'000'000;

Name B(std::int64_t i) { return Name("B", {i}); }

/// Gives names to things, and insists that each was free. (One check for millions of names.)
class Book {
 public:
  void add(const Name& name, Names::Id id) { all_free_ = names_.add(name, id) && all_free_; }
  const Names& close() const {
    REQUIRE(all_free_);
    return names_;
  }

 private:
  Names names_;
  bool all_free_ = true;
};

}  // namespace

TEST_CASE("Names: a million names in a loop are one run") {
  Book book;
  for (std::int64_t i = 0; i < million; ++i) book.add(B(i), 100 + i);
  const Names& names = book.close();
  CHECK(names.runs() == 1);
  for (const std::int64_t i : {std::int64_t{0}, std::int64_t{1}, million / 2, million - 1}) {
    CHECK(names.find(B(i)) == 100 + i);
    CHECK(names.name_of(100 + i) == "B[" + std::to_string(i) + "]");
  }
  CHECK_FALSE(names.find(B(-1)));
  CHECK_FALSE(names.find(B(million)));
  CHECK_FALSE(names.name_of(99));
  CHECK_FALSE(names.name_of(100 + million));
}

TEST_CASE("Names: a loop that makes three things each time is three runs, whatever the distance of their ids") {
  Book book;
  for (std::int64_t i = 1; i <= million / 3; ++i) {
    book.add(Name("A", {i}), 3 * i);
    book.add(Name("B", {i}), 3 * i + 1);
    book.add(Name("C", {i}), 3 * i + 2);
  }
  const Names& names = book.close();
  CHECK(names.runs() == 3);
  CHECK(names.find(Name("B", {1000})) == 3001);
  CHECK(names.name_of(3001) == "B[1000]");
  CHECK(names.name_of(3002) == "C[1000]");
}

TEST_CASE("Names: a loop that counts down is one run, and so is one whose ids count down") {
  Book downwards;
  for (std::int64_t i = million - 1; i >= 0; --i) downwards.add(B(i), 2 * (million - i));
  const Names& down = downwards.close();
  CHECK(down.runs() == 1);
  CHECK(down.find(B(0)) == 2 * million);
  CHECK(down.find(B(million - 1)) == 2);
  CHECK(down.name_of(20) == "B[" + std::to_string(million - 10) + "]");
  CHECK_FALSE(down.name_of(21));

  Book falling_ids;
  for (std::int64_t i = 0; i < million; ++i) falling_ids.add(B(i), million - i);
  const Names& falling = falling_ids.close();
  CHECK(falling.runs() == 1);
  CHECK(falling.find(B(10)) == million - 10);
  CHECK(falling.name_of(1) == "B[" + std::to_string(million - 1) + "]");
}

TEST_CASE("Names: a grid is a run for each row") {
  constexpr std::int64_t rows = 300, columns = 1000;
  for (const bool by_rows : {true, false}) {
    CAPTURE(by_rows);
    Book book;
    for (std::int64_t k = 0; k < rows * columns; ++k) {
      const std::int64_t i = by_rows ? k / columns : k % rows, j = by_rows ? k % columns : k / rows;
      book.add(Name("m", {i, j}), i * columns + j);
    }
    const Names& names = book.close();
    CHECK(names.runs() == rows);
    CHECK(names.find(Name("m", {17, 23})) == 17 * columns + 23);
    CHECK(names.name_of(17 * columns + 23) == "m[17,23]");
    CHECK_FALSE(names.find(Name("m", {17})));
    CHECK_FALSE(names.find(Name("m", {17, 23, 0})));
  }
}

TEST_CASE("Names: every index within a rank of four counts") {
  Names names;
  REQUIRE(names.add("a[1,2,3,4]", 1));
  REQUIRE(names.add("a[1,2,3,5]", 2));
  REQUIRE(names.add("a[1,2,4,4]", 3));
  REQUIRE(names.add("a[0,2,3,4]", 4));
  CHECK(names.find("a[1,2,3,4]") == 1);
  CHECK(names.find("a[1,2,4,4]") == 3);
  CHECK(names.find("a[0,2,3,4]") == 4);
  CHECK_FALSE(names.find("a[1,2,3,6]"));
  CHECK(names.name_of(2) == "a[1,2,3,5]");
}

TEST_CASE("Names: plain names are found both ways, and are not those with an index") {
  Names names;
  CHECK(names.add("crank", 5));
  CHECK(names.add("crank[0]", 6));
  CHECK(names.add("rod", 7));
  CHECK(names.find("crank") == 5);
  CHECK(names.find("crank[0]") == 6);
  CHECK(names.name_of(5) == "crank");
  CHECK(names.name_of(6) == "crank[0]");
  CHECK_FALSE(names.find("cran"));
  CHECK_FALSE(names.name_of(8));
}

TEST_CASE("Names: a taken name is refused and changes nothing") {
  Names names;
  REQUIRE(names.add("crank", 5));
  CHECK_FALSE(names.add("crank", 6));
  CHECK(names.find("crank") == 5);
  for (std::int64_t i = 0; i < 10; ++i) REQUIRE(names.add(B(i), i));
  for (std::int64_t i = 0; i < 10; ++i) CHECK_FALSE(names.add(B(i), 50 + i));
  CHECK(names.add(B(10), 10));
  CHECK(names.runs() == 2);
  CHECK(names.find(B(9)) == 9);
  CHECK_FALSE(names.name_of(50));
}

TEST_CASE("Names: uneven ids and gaps cost runs, and nothing else") {
  Names names;
  const std::vector<std::pair<std::int64_t, Names::Id>> uneven{{0, 0}, {1, 10}, {2, 20}, {3, 25}, {4, 30},
                                                               {8, 7}, {9, 7},  {-5, 1}, {5, 31}, {-4, 100}};
  for (const auto& [index, id] : uneven) REQUIRE(names.add(B(index), id));
  for (const auto& [index, id] : uneven) CHECK(names.find(B(index)) == id);
  CHECK_FALSE(names.find(B(6)));
  CHECK_FALSE(names.find(B(7)));
  CHECK_FALSE(names.find(B(-3)));
}

TEST_CASE("Names: find and name_of are each other's inverse, in whatever order names come") {
  std::mt19937_64 engine(5);
  for (int round = 0; round < 50; ++round) {
    Names names;
    std::map<std::int64_t, Names::Id> truth;
    for (int k = 0; k < 60; ++k) {
      const auto index = static_cast<std::int64_t>(engine() % 40);
      const Names::Id id = round % 2 == 0 ? 3 * index + 7 : static_cast<Names::Id>(engine() % 1000) * 64 + k;
      CHECK(names.add(B(index), id) == truth.emplace(index, id).second);
    }
    for (std::int64_t index = -1; index <= 40; ++index) {
      const auto found = truth.find(index);
      if (found == truth.end()) {
        CHECK_FALSE(names.find(B(index)));
        continue;
      }
      CHECK(names.find(B(index)) == found->second);
      CHECK(names.name_of(found->second) == "B[" + std::to_string(index) + "]");
    }
  }
}

TEST_CASE("Names: examples are every family once") {
  Names names;
  names.add("crank", 0);
  for (std::int64_t i = 3; i < 100; ++i) names.add(B(i), i);
  CHECK(names.examples() == std::vector<std::string>{"crank", "B[3]"});
}

TEST_CASE("Name: is a word with up to four indices") {
  for (const char* text : {"a", "_x", "crank_2", "B[0]", "B[-3]", "B[1,2,3,4]"}) CHECK(to_string(Name(text)) == text);
  CHECK(Name("B[12,-5]").family == "B");
  CHECK(Name("B[12,-5]").rank == 2);
  CHECK(Name("B[12,-5]").index[1] == -5);
  CHECK(Name().empty());
  CHECK(to_string(Name("B", {1, 2})) == "B[1,2]");
}

TEST_CASE("Name: what is none is refused, with what is allowed") {
  for (const char* text : {"", "2a", "a b", "a-b", "[1]", "B[", "B[]", "B[1", "B[1]]", "B[1,]", "B[,1]", "B[x]",
                           "B[1.5]", "B[ 1]", "B[1]x", "B[1,2,3,4,5]", "B[99999999999999999999]", "ä"}) {
    CAPTURE(text);
    const std::string expected = "'" + std::string(text) +
                                 "' is not a name; allowed are a letter or '_' followed by letters, "
                                 "digits and '_', and up to four indices as in crank[3] or mass[2,5]";
    CHECK_THROWS_WITH_AS((void)Name(text), expected.c_str(), Error);
  }
  CHECK_THROWS_WITH_AS((void)Name("B", {1, 2, 3, 4, 5}), "'B' has more than four indices", Error);
}
