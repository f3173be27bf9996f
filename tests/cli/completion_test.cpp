// Completion: what the tool answers to shells, and real shells in which keys are typed.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "support/clients.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

const std::string packages = STILLPOINT_SOURCE_DIR "/src/packages";

/// A folder with the cases, a model whose name has a space, and what a shell needs.
class Workplace {
 public:
  Workplace() {
    std::filesystem::create_directory_symlink(STILLPOINT_SOURCE_DIR "/cases", folder_ / "cases");
    std::filesystem::create_directories(folder_ / "own model");
    std::filesystem::copy_file(STILLPOINT_SOURCE_DIR "/cases/pendulum/model.yaml", folder_ / "own model/model.yaml");
    std::filesystem::create_directories(folder_ / "shell");
    std::filesystem::copy_file(packages + "/completion.bash", folder_ / "shell/stillpoint.bash");
    std::filesystem::copy_file(packages + "/completion.zsh", folder_ / "shell/_stillpoint");
    std::ofstream(folder_ / "shell/stillpoint") << "#!/bin/sh\n"
                                                   "[ \"$1\" != __complete ] || exec '" STILLPOINT_TOOL
                                                   "' \"$@\"\n"
                                                   "printf 'AR''GS'; printf '<%s>' \"$@\"; echo 'EN''D'\n";
    std::filesystem::permissions(folder_ / "shell/stillpoint", std::filesystem::perms::owner_all);
  }

  std::string path(const std::string& name) const { return folder_ / name; }
  Answer here(const std::string& command) const { return shell("cd '" + folder_ / "." + "' && " + command); }
  /// The words that the tool offers.
  std::vector<std::string> offered(const std::string& words) const {
    const Answer answer = here("\"$TOOL\" __complete -- " + words);
    CHECK(answer.code == 0);
    CHECK(answer.err == "");
    std::vector<std::string> list;
    std::istringstream lines(answer.out);
    for (std::string line; std::getline(lines, line);) list.push_back(line.substr(0, line.find('\t')));
    return list;
  }
  /// What bash would insert for a line.
  std::string inserted(const std::string& line) const {
    const Answer answer = here("\"$TOOL\" __complete --bash " + line + R"( " 	\"'@><=;|&(:")");
    CHECK(answer.err == "");
    return answer.out;
  }
  /// What the program gets if these keys are typed: \t is the key of completion.
  std::string typed(const std::string& in_shell, const std::string& keys) const {
    const Answer answer = here(python + " '" STILLPOINT_SOURCE_DIR "/tests/support/cli/drive_shell.py' " + in_shell +
                               " '" + path("shell") + "' '" + keys + "'");
    CHECK_MESSAGE(answer.code == 0, answer.err);
    return answer.out.substr(0, answer.out.find('\n'));
  }

 private:
  ScratchFolder folder_;
};

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The verbs of the main help.
Words all_verbs() {
  Words verbs;
  std::istringstream lines(run("--help").out);
  bool listed = false;
  for (std::string line; std::getline(lines, line);) {
    if (listed && line.empty()) break;
    if (listed) verbs.push_back(line.substr(2, line.find(' ', 2) - 2));
    listed = listed || line == "Subcommands:";
  }
  return verbs;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// What the tool answers

TEST_CASE("completion: verbs are those of the help") {
  const Workplace place;
  CHECK(place.offered("''") == all_verbs());
  Words with_s = all_verbs();
  std::erase_if(with_s, [](const std::string& verb) { return !verb.starts_with('s'); });
  CHECK(place.offered("s") == with_s);
  CHECK(place.offered("--color always linea") == Words{"linearize"});
  CHECK(place.offered("--ver") == Words{"--version"});
  CHECK(place.offered("nonsense ''") == all_verbs());
  CHECK(contains(place.here("\"$TOOL\" __complete -- mod").out,
                 "modes\tNatural frequencies, damping ratios, participation in each mode, and stability.\n"));
}

TEST_CASE("completion: options of each verb are those of its help, and none that is hidden") {
  const Workplace place;
  for (const std::string& verb : all_verbs()) {
    CAPTURE(verb);
    std::set<std::string> in_help, offered;
    const std::string help = run(verb + " --help").out;
    const std::regex option("\n  (?:-h,)?(--?[a-z-]+)");
    for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found)
      in_help.insert((*found)[1]);
    for (const std::string& word : place.offered(verb + " cases/four_bar -")) offered.insert(word);
    in_help.insert("--color");  // of the tool as a whole
    CHECK(offered == in_help);
  }
  CHECK(!has(place.offered("modes -"), "--tangent"));
}

TEST_CASE("completion: every option that takes names is offered names of the model") {
  const Workplace place;
  const std::string model = "cases/cart_pole";
  std::size_t count = 0;
  for (const std::string& verb : all_verbs()) {
    const std::string help = run(verb + " --help").out;
    const std::regex option("\n  (--[a-z-]+) (?:NAME|INPUT|SPRING)");
    for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found, ++count) {
      const std::string name = (*found)[1];
      CAPTURE(verb + " " + name);
      CHECK(!place.offered(verb + " " + (name == "--preload" ? "cases/four_bar" : model) + " " + name + " ''").empty());
    }
  }
  CHECK(count > 30);  // --set of all verbs with a model alone are 13
}

TEST_CASE("completion: names are those of this model with these settings") {
  const Workplace place;
  CHECK(place.offered("modes cases/four_bar --set ''") ==
        Words{"N=", "l=", "m=", "k=", "c=", "l0=", "gx=", "gy=", "phi_guess="});
  CHECK(place.offered("modes cases/four_bar --set l") == Words{"l=", "l0="});
  CHECK(place.offered("modes --set N=2 cases/four_bar --at 'B[2'") == Words{"B[2].x=", "B[2].y="});
  CHECK(place.offered("modes cases/four_bar --set=N=2 --at 'B[2'") == Words{"B[2].x=", "B[2].y="});
  CHECK(place.offered("modes cases/four_bar --at 'B[2'").empty());
  CHECK(place.offered("modes cases/four_bar --set N=2 k") == Words{"k="});  // --set takes several
  CHECK(place.offered("modes cases/four_bar --at=ph") == Words{"--at=phi="});
  CHECK(place.offered("modes cases/four_bar --set l0=") == Words{"l0=1.4142135623730951"});
  CHECK(place.offered("equilibrium cases/cart_pole --trim ''") == Words{"u"});
  CHECK(place.offered("response cases/cart_pole --output cart.x,pole.p") == Words{"cart.x,pole.phi"});
  CHECK(place.offered("sweep cases/four_bar --over N") == Words{"N="});
  CHECK(place.offered("sweep cases/cart_pole --over input") == Words{"input:u="});
  CHECK(place.offered("equilibrium cases/four_bar --preload diag") == Words{"diagonal[1]"});
  CHECK(place.offered("follow cases/four_bar --show ph") == Words{"phi"});
}

TEST_CASE("completion: words that an option allows, and files where it takes one") {
  const Workplace place;
  CHECK(place.offered("modes cases/four_bar --method ''") == Words{"mcs", "rcs", "ucs"});
  CHECK(place.offered("modes cases/four_bar --method=r") == Words{"--method=rcs"});
  CHECK(place.offered("motion cases/four_bar --start g") == Words{"guess"});
  CHECK(place.offered("motion cases/four_bar --perturb ''") == Words{"mode="});
  CHECK(place.offered("critical cases/four_bar --target f") == Words{"frequency="});
  CHECK(place.offered("modes 'own model' -o own") == Words{"own model/"});
  CHECK(place.offered("modes cases/four_bar --guess 'own model/'") == Words{"own model/model.yaml"});
  CHECK(place.offered("equilibrium cases/cart_pole --trim --js") == Words{"--json"});  // --trim may stand alone
  CHECK(place.offered("equilibrium cases/cart_pole --trim --set ''") ==
        place.offered("modes cases/cart_pole --set ''"));
  CHECK(place.offered("new own") == Words{"own model/"});
  CHECK(place.offered("schema ''") == place.offered("schema -"));
}

TEST_CASE("completion: models are folders with one, files, and cases by their name alone") {
  const Workplace place;
  CHECK(place.offered("check ''") == Words{"cases/", "own model", "shell/"});
  CHECK(place.offered("check cases/four_bar") == Words{"cases/four_bar", "cases/four_bar_spatial"});
  CHECK(place.offered("check cases/four_bar/m") == Words{"cases/four_bar/model.yaml"});
  CHECK(place.offered("check four_bar_") == Words{"cases/four_bar_spatial"});
  REQUIRE(place.here("\"$TOOL\" linearize cases/four_bar -o matrices").code == 0);
  CHECK(place.offered("modes mat") == Words{"matrices"});
  CHECK(place.offered("export matrices --input p") == Words{"phi"});
  CHECK(place.offered("modes matrices --set ''").empty());  // they have no parameters
}

TEST_CASE("completion: what cannot be read gives nothing, quickly and without a word") {
  const Workplace place;
  REQUIRE(place
              .here("printf 'stillpoint: 1\nmechanism: [oops' >broken.yaml; mkfifo pipe.yaml; "
                    "{ cat cases/pendulum/model.yaml; yes '# a long comment' | head -c 1000000; } >long.yaml")
              .code == 0);
  for (const char* const model :
       {"nowhere", "broken.yaml", "long.yaml", "pipe.yaml", "/dev/zero", "'own model' more"}) {
    CAPTURE(model);
    CHECK(place.offered(std::string("modes ") + model + " --set ''").empty());
  }
  CHECK(place.offered("modes cases/four_bar --set N=1e9 --at ''").empty());  // too many to be made
  CHECK(place.offered("modes cases/four_bar --set N=-1 --at ''").empty());
  CHECK(place.offered("modes /nowhere/").empty());
  CHECK(place.here("STILLPOINT_THREADS=none \"$TOOL\" __complete -- modes cases/cart_pole --at c")
            .out.starts_with("cart.x="));
  for (const char* const words : {"", "--", "--bash", "--bash 'stillpoint '", "--bash '' ''", "-- -- -", "oops"}) {
    const Answer answer = run(std::string("__complete ") + words);
    CHECK(answer.code == 0);
    CHECK(answer.err == "");
  }
}

TEST_CASE("completion: bash gets words with the quotes it needs, from where it replaces on") {
  const Workplace place;
  CHECK(place.inserted("'stillpoint mod'") == "modes \n");
  CHECK(place.inserted("'stillpoint check own'") == "own\\ model \n");
  CHECK(place.inserted("'stillpoint check own\\ m'") == "own\\ model \n");
  CHECK(place.inserted("'stillpoint check \"own m'") == "own model\n");
  CHECK(place.inserted("\"stillpoint check 'own m\"") == "own model\n");
  CHECK(place.inserted("'stillpoint modes own\\ model --set l'") ==
        place.inserted("'stillpoint modes cases/pendulum --set l'"));
  CHECK(place.inserted("'stillpoint modes cases/four_bar --at B\\[1].x'") == "B\\[1\\].x=\n");
  CHECK(place.inserted("'stillpoint modes cases/four_bar --set l0='") == "1.4142135623730951 \n");  // = breaks words
  CHECK(place.inserted("'stillpoint modes cases/four_bar --method=r'") == "rcs \n");
  CHECK(place.inserted("'stillpoint sweep cases/cart_pole --over input:'") == "u=\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// Shells

TEST_CASE("completion: keys typed into bash and zsh give the words that the program is called with") {
  const Workplace place;
  for (const char* const in_shell : {"bash", "zsh"}) {
    CAPTURE(in_shell);
    require_client(std::string("command -v ") + in_shell, in_shell);
    const auto typed = [&](const std::string& keys) { return place.typed(in_shell, keys); };
    CHECK(typed(R"(stillpoint mod\tcases/cart\t--at pole.p\t1)") == "<modes><cases/cart_pole><--at><pole.phi=1>");
    CHECK(typed(R"(stillpoint check four_bar_s\t--js\t)") == "<check><cases/four_bar_spatial><--json>");
    CHECK(typed(R"(stillpoint check own\t--quiet)") == "<check><own model><--quiet>");
    CHECK(typed(R"(stillpoint modes cases/four_bar --set N=2 --at B\[2\].y\t7)") ==
          "<modes><cases/four_bar><--set><N=2><--at><B[2].y=7>");
    CHECK(typed(R"(stillpoint modes cases/four_bar --set l0=\t--method=r\t)") ==
          "<modes><cases/four_bar><--set><l0=1.4142135623730951><--method=rcs>");
    CHECK(typed(R"(stillpoint response cases/cart_pole --output cart.x,pole.p\t)") ==
          "<response><cases/cart_pole><--output><cart.x,pole.phi>");
    CHECK(typed(R"(stillpoint modes nowhere --set \tk=1)") == "<modes><nowhere><--set><k=1>");
  }
}

TEST_CASE("completion: fish offers the same words, with their meaning") {
  const Workplace place;
  require_client("command -v fish", "fish");
  const auto completed = [&](const std::string& line) {
    return place
        .here("PATH='" + place.path("shell") + "':$PATH HOME='" + place.path(".") + "' fish --no-config -c 'source " +
              packages + "/completion.fish; complete -C \"" + line + "\"'")
        .out;
  };
  CHECK(completed("stillpoint mod") ==
        "modes\tNatural frequencies, damping ratios, participation in each mode, and stability.\n");
  CHECK(contains(completed("stillpoint modes cases/four_bar --set l"), "l0=\tfree length of the springs (m)"));
  CHECK(completed("stillpoint check own") == "own model\tmodel\n");
  CHECK(contains(completed("stillpoint modes cases/four_bar --at B\\\\[1\\\\].x"), "].x=\tcoordinate"));
}
