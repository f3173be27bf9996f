// The verb `linearize` from outside.

#include <doctest/doctest.h>

#include "stillpoint/linear_system.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

std::string quoted(const std::string& path) { return "'" + path + "'"; }

}  // namespace

TEST_CASE("tool: linearize writes a folder of matrices and says what is in it") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "m";
  const Answer answer = run("linearize " + case_folder("four_bar") + " --set N=3 -o " + quoted(folder));
  CHECK(answer.code == 0);
  CHECK(answer.err == "");
  CHECK(answer.out.starts_with("four_bar\n"));
  for (const char* const part : {"9 x 9, 20 entries", "rank        8 of 8, full", "dof         1\n", "written to"}) {
    CAPTURE(part);
    CHECK_MESSAGE(contains(answer.out, part), answer.out);
  }
  const LinearSystem system = read_linear_system(folder);
  CHECK(system.coordinates() == 9);
  CHECK(system.coordinate_name(8) == "phi");
}

TEST_CASE("tool: linearize has the options of an equilibrium") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "m", to = " -o " + quoted(folder);
  CHECK(
      run("linearize " + case_folder("pendulum") + " --at phi=1.5 --at B.x=0 --at B.y=0.5 --rest nearest" + to).code ==
      0);
  CHECK(read_linear_system(folder).q[1] > 0.4);  // it stands

  const std::string off = "linearize " + case_folder("pendulum") + " --set phi_guess=-1 --rest check" + to;
  const Answer refused = run(off);
  CHECK(refused.code == 1);
  CHECK(refused.out == "");
  CHECK_MESSAGE(refused.err.starts_with("not an equilibrium: force residual"), refused.err);
  const Answer allowed = run(off + " --off-equilibrium");
  CHECK(allowed.code == 0);
  CHECK_MESSAGE(allowed.err.starts_with("warning: not an equilibrium: force residual"), allowed.err);
  CHECK(run(off + " --off-equilibrium --quiet").err == "");
}

TEST_CASE("tool: linearize refuses what it cannot do") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "m", to = " -o " + quoted(folder);
  const std::string pendulum = "linearize " + case_folder("pendulum");
  check_refused(pendulum, "-o is required");
  check_refused(pendulum + to + " --rank 4", "--rank 4: a Jacobian of 2 constraints and 3 coordinates has a rank of 2");
  check_refused(pendulum + to + " --at psi=1", "there is no coordinate or input 'psi'");
  check_refused(pendulum + " -o " + case_folder("pendulum"), "holds a model.yaml");
  CHECK(run(pendulum + to).code == 0);
  check_refused("linearize " + quoted(folder) + " -o " + quoted(scratch / "n"), "is a folder of matrices already");
}

TEST_CASE("tool: the help of linearize starts with examples") {
  const Answer answer = run("linearize --help");
  CHECK(answer.code == 0);
  CHECK(answer.out.starts_with("Examples:\n  stillpoint linearize "));
  CHECK(contains(answer.out, "-o FOLDER"));
}
