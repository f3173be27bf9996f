// Pages of the docs that show sessions: their commands are run, and print what the pages show.

#include <doctest/doctest.h>

#include "support/docs/page_runs.h"

using namespace stillpoint;

TEST_CASE("docs: the tutorial shows what its commands print") {
  require_octave();
  require_python();
  check_page("docs/tutorial.md");
}

TEST_CASE("docs: the page on modes shows what its commands print") { check_page("docs/modes.md"); }

TEST_CASE("docs: a page is a sequence of files and commands") {
  const Lines page{"Text.",       "<!-- file: a/b.yaml -->",
                   "```yaml",     "x: 1",
                   "y: 2",        "```",
                   "```text",     "$ no",
                   "```",         "```console",
                   "$ one --two", "out",
                   "more",        "$ three",
                   "```",         "$ no"};
  const std::vector<PageStep> steps = steps_of(page);
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].file == "a/b.yaml");
  CHECK(steps[0].shown == Lines{"x: 1", "y: 2"});
  CHECK(steps[1].command == "one --two");
  CHECK(steps[1].shown == Lines{"out", "more"});
  CHECK(steps[1].first == 11);
  CHECK(steps[2].command == "three");
  CHECK(steps[2].shown.empty());
}

TEST_CASE("docs: shown and printed lines agree but for times, rounding and what '…' stands for") {
  CHECK(is_shown("a  1.0e-14  b", "a 3.7e-13 b"));
  CHECK(is_shown("took 12.5 ms", "took 3 µs"));
  CHECK(is_shown("gap …, full", "gap 8.8e+14, full"));
  CHECK(is_shown("… of …", "2 of 3"));
  CHECK(is_shown("x …", "x "));
  CHECK(!is_shown("a 1.0e-06 b", "a 3.7e-06 b"));
  CHECK(!is_shown("s = 5.42", "s = 5.43"));
  CHECK(!is_shown("2 m", "3 m"));
  CHECK(!is_shown("gap …, full", "gap 1, part"));
  CHECK(!is_shown("… full", "full, part"));
  CHECK(!is_shown("ab…ba", "aba"));
  CHECK(are_shown({"a", "…", "c"}, {"a", "b", "b", "c"}));
  CHECK(are_shown({"a", "…"}, {"a"}));
  CHECK(!are_shown({"a", "…", "c"}, {"a", "b"}));
  CHECK(!are_shown({"a"}, {"a", "b"}));
  CHECK(!are_shown({"a", "b"}, {"a"}));
}

TEST_CASE("docs: what is printed replaces what is outdated, and '…' stays where it holds") {
  CHECK(merged({"a …", "old", "c"}, {"a 1", "new", "c", "d"}) == Lines{"a …", "new", "c", "d"});
  CHECK(merged({}, {"a"}) == Lines{"a"});
}
