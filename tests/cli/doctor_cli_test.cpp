// The verb `doctor` from outside; what it concludes is tested in tests/installation.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/tool.h"

using namespace stillpoint;
using Json = nlohmann::json;

TEST_CASE("doctor: the tool reproduces the known answers, and reports in text and JSON") {
  const Answer text = run("doctor");
  CHECK(text.code == 0);
  CHECK(text.err == "");
  const std::string version = run("--version").out;  // with a line end
  CHECK(text.out.starts_with(version.substr(0, version.size() - 1) + ": the known answers are reproduced\n"));
  for (const char* const name : {"BLAS", "LAPACK", "SuiteSparse", "Eigen", "fmt", "CHOLMOD", "Python module"})
    CHECK_MESSAGE(contains(text.out, std::string("\n  ") + name + " "), name);
  const Json json = Json::parse(run("doctor --json").out);
  CHECK(json["schema"] == "stillpoint.doctor/1");
  CHECK(json["differences"]["product"] == 0);
  CHECK("stillpoint " + json["version"].get<std::string>() + "\n" == version);
}

TEST_CASE("doctor: the environment decides about threads, characters and Python") {
  CHECK(contains(shell("STILLPOINT_THREADS=1 \"$TOOL\" doctor").out, "\n  threads       1 on "));
  CHECK(contains(shell("LC_ALL=C \"$TOOL\" doctor").out, "\nadvice: the locale is not UTF-8"));
  CHECK(!contains(shell("LC_ALL=C.UTF-8 \"$TOOL\" doctor").out, "locale"));

  const ScratchFolder folder;
  const std::string python = folder / "python3";
  REQUIRE(shell("printf '#!/bin/sh\\necho 0.0.9\\necho /somewhere/stillpoint/__init__.py\\n' >'" + python +
                "' && chmod +x '" + python + "'")
              .code == 0);
  const Answer other = shell("PATH='" + folder / "." + "':$PATH \"$TOOL\" doctor");
  CHECK(contains(other.out, "  Python module  0.0.9 "));
  CHECK(contains(other.out, "/somewhere/stillpoint/__init__.py\n"));
  CHECK(contains(other.out, "\nadvice: python3 imports stillpoint 0.0.9"));
  CHECK(contains(shell("TOOL=$(command -v \"$TOOL\"); PATH=/nowhere \"$TOOL\" doctor").out, "\n  Python module  none"));
}

TEST_CASE("doctor: the report may go to a file, and a full disk is told") {
  const ScratchFolder folder;
  const Answer answer = run("doctor --json -o '" + folder / "report.json" + "'");
  CHECK(answer.code == 0);
  CHECK(answer.out == "");
  CHECK(Json::parse(content_of(folder / "report.json"))["schema"] == "stillpoint.doctor/1");
  CHECK(shell("\"$TOOL\" doctor >/dev/full").code == 2);
}
