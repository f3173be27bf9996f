// The tool from outside: exit codes, what goes to stdout and what to stderr, files whole or not at all.

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "read/tree.h"
#include "stillpoint/read_model.h"
#include "support/tool.h"

using namespace stillpoint;
using Json = nlohmann::json;

namespace {

const std::string four_bar = case_folder("four_bar");

std::vector<std::filesystem::path> case_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(STILLPOINT_SOURCE_DIR "/cases")) {
    if (exists(entry.path() / "model.yaml")) files.push_back(entry.path() / "model.yaml");
  }
  return files;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Usage

TEST_CASE("tool: the version is a word and a number") {
  const Answer answer = run("--version");
  CHECK(answer.code == 0);
  CHECK(answer.out.starts_with("stillpoint "));
  CHECK(answer.err == "");
}

TEST_CASE("tool: every --help starts with examples and fits a terminal") {
  for (const char* const verb :
       {"",         "new",    "schema",          "check",       "equilibrium", "linearize", "modes",  "compare",
        "explain",  "motion", "verify",          "sensitivity", "sweep",       "critical",  "follow", "sparsity",
        "response", "zeros",  "controllability", "scene",       "report",      "export",    "doctor"}) {
    for (const char* const flag : {" --help", " -h"}) {
      const Answer answer = run(std::string(verb) + flag);
      CAPTURE(answer.out);
      CHECK(answer.code == 0);
      CHECK(answer.err == "");
      CHECK(answer.out.starts_with("Examples:\n  stillpoint " + std::string(verb)));
      std::istringstream lines(answer.out);
      for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 120);
    }
  }
}

TEST_CASE("tool: --help sorts options into groups, in one order, and has a description for each") {
  for (const char* const verb :
       {"new",    "schema",          "check",       "equilibrium", "linearize", "modes",  "compare",  "explain",
        "motion", "verify",          "sensitivity", "sweep",       "critical",  "follow", "sparsity", "response",
        "zeros",  "controllability", "scene",       "report",      "export",    "doctor"}) {
    CAPTURE(verb);
    const std::string help = run(std::string(verb) + " --help").out;
    CHECK(contains(help, "\nGeneral:\n  -h,--help "));
    CHECK(!contains(help, "\nOptions:\n"));
  }
  const std::string help = run("export --help").out;
  std::size_t before = 0;
  for (const std::string group :
       {"Model", "Operating point", "Inputs and outputs", "Method", "Model reduction", "Checks", "Output", "General"}) {
    const std::size_t at = help.find("\n" + group + ":\n");
    REQUIRE_MESSAGE(at != std::string::npos, group);
    CHECK_MESSAGE(at > before, group);
    before = at;
  }
}

TEST_CASE("tool: messages of the library name its options, and the tool shows them as flags") {
  const std::string response = "response " + case_folder("n_pendulum") + " --from 1 --to 2 --points 2";
  const ScratchFolder folder;
  const std::string many =
      " --input 'P[1].x,P[2].x,P[3].x,P[4].x' --output 'P[1].x,P[2].x,P[3].x' -o '" + folder / "bode.svg" + "'";
  const Answer plot = run(response + many);
  CHECK(plot.code == 2);
  CHECK(contains(plot.err, "not 12: choose some with --input and --output\n"));
  const Answer large = run("export " + case_folder("n_pendulum") +
                           " --set N=1600 --input 'P[1].x' --output 'P[1].x' -o '" + folder / "plant.json" + "'");
  CHECK(large.code == 2);
  CHECK(contains(large.err, "reduce it, or choose a sparse form: --form descriptor or --form second-order\n"));
}

TEST_CASE("tool: the main help has one line for each verb") {
  const std::string help = run("--help").out;
  CHECK(contains(help, "\n  new             A small commented model to start from.\n"));
  CHECK(contains(
      help, "\n  schema          The JSON Schema of model files, with which an editor completes and checks them.\n"));
  CHECK(contains(help, "\n  check           What is in this model, and is it well posed?\n"));
  for (const char* const verb :
       {"equilibrium", "linearize", "modes", "compare", "explain", "motion", "verify", "sensitivity", "sparsity",
        "response", "zeros", "controllability", "scene", "report", "export", "doctor"}) {
    CHECK_MESSAGE(contains(help, "\n  " + std::string(verb) + " "), verb);
  }
}

TEST_CASE("tool: what cannot be understood is told in one line, with what was probably meant") {
  check_refused(
      "",
      "a verb is missing; there are new, schema, check, equilibrium, linearize, modes, compare, explain, motion, "
      "verify, sensitivity, sweep, critical, follow, sparsity, response, zeros, controllability, scene, report, "
      "export, doctor");
  check_refused("chekc " + four_bar,
                "there is no verb 'chekc' (did you mean 'check'?); there are new, schema, check, equilibrium");
  check_refused("--color never shcema", "there is no verb 'shcema' (did you mean 'schema'?)");
  check_refused("simulate " + four_bar, "there is no verb 'simulate'; there are");
  check_refused("--verison", "there is no option '--verison' (did you mean '--version'?)");
  check_refused("check --jsn " + four_bar, "there is no option '--jsn' (did you mean '--json'?)");
  check_refused("check --sett=N=2 " + four_bar, "there is no option '--sett' (did you mean '--set'?)");
  check_refused("check " + four_bar + " --colour never", "there is no option '--colour' (did you mean '--color'?)");
  check_refused("check " + four_bar + " --quiett --xyzzy", "there is no option '--quiett' (did you mean '--quiet'?)");
  check_refused("check " + four_bar + " --count 3", "the option '--count' belongs to modes");
  check_refused("schema --manuel", "there is no option '--manuel' (did you mean '--manual'?)");
  check_refused("check", "MODEL is required");
  check_refused("check " + four_bar + " more", "'more' is one argument too many");
  check_refused("check " + four_bar + " --color sometimes", "--color: sometimes not in {auto,always,never}");
}

TEST_CASE("tool: colour is for terminals, unless it is asked for") {
  const std::string red = "\033[1;31merror:\033[0m ", plain = "error: ";
  CHECK(run("check nowhere").err.starts_with(plain));
  CHECK(run("check nowhere --color never").err.starts_with(plain));
  CHECK(run("check nowhere --color=always").err.starts_with(red));
  CHECK(run("--color always check nowhere").err.starts_with(red));
  CHECK(shell("NO_COLOR=1 \"$TOOL\" check nowhere --color always").err.starts_with(red));
}

TEST_CASE("tool: on a terminal errors are red, but not with NO_COLOR") {
  if (shell("command -v script").code != 0) {
    MESSAGE("there is no 'script' here that makes a terminal");
    return;
  }
  const auto on_terminal = [](const std::string& setting) {
    return shell(setting + " script -qec \"'$TOOL' check nowhere\" /dev/null").out;
  };
  CHECK(contains(on_terminal("env -u NO_COLOR"), "\033[1;31merror:\033[0m"));
  CHECK(contains(on_terminal("NO_COLOR="), "\033[1;31merror:\033[0m"));  // empty is as if it were not there
  CHECK(contains(on_terminal("NO_COLOR=1"), "error:"));
  CHECK(!contains(on_terminal("NO_COLOR=1"), "\033["));
}

// ---------------------------------------------------------------------------------------------------------------------
// Models and parameters

TEST_CASE("tool: a wrong model is told with its place") {
  const ScratchFolder folder;
  const std::string path = folder.write("m.yaml", "stillpoint: 1\nmechanism:\n  - pont: P\n");
  check_refused("check '" + path + "'", path + ":3:5: an entry cannot start with 'pont' (did you mean 'point'?)");
}

TEST_CASE("tool: a path that is misspelt suggests its neighbour") {
  check_refused("check '" STILLPOINT_SOURCE_DIR "/cases/four_bra'",
                "/cases/four_bra: no such file or folder (did you mean 'four_bar'?)");
  check_refused("check '" STILLPOINT_SOURCE_DIR "/cases/four_bar/modle.yaml'", "(did you mean 'model.yaml'?)");
  check_refused("check '" STILLPOINT_SOURCE_DIR "/src'", "this folder holds no model.yaml");
  check_refused("check " + std::string(400, 'x'), "cannot be read: File name too long");
}

TEST_CASE("tool: --set replaces parameters") {
  const Json plain = Json::parse(run("check --json " + four_bar).out);
  CHECK(plain["model"]["coordinates"] == 5);
  const Json set = Json::parse(run("check --json --set N=3 --set=k=1e3 " + four_bar + " --set gy=-1.62").out);
  CHECK(set["model"]["coordinates"] == 9);
  CHECK(set["model"]["parameters"]["N"] == 3);
  CHECK(set["model"]["parameters"]["k"] == 1000);
  CHECK(set["gravity"] == Json{0.0, -1.62});
  CHECK(Json::parse(run("check --json --set N=2 --set N=4 " + four_bar).out)["model"]["parameters"]["N"] == 4);
  const Json two = Json::parse(run("check --json --set N=2 k=7 " + four_bar).out);
  CHECK(two["model"]["parameters"]["N"] == 2);
  CHECK(two["model"]["parameters"]["k"] == 7);
}

TEST_CASE("tool: --set in another form is refused, and so is what the model refuses") {
  const auto with = [](const std::string& setting) { return "check " + four_bar + " --set " + setting; };
  const std::string form = "this must be NAME=VALUE with a number, such as --set N=20";
  check_refused(with("N"), "--set N: " + form);
  check_refused(with("N="), "--set N=: " + form);
  check_refused(with("=3"), "--set =3: " + form);
  check_refused(with("N=three"), "--set N=three: " + form);
  check_refused(with("N=3x"), form);
  check_refused(with("l='sqrt(2)'"), form);
  check_refused(with(""), "--set");
  check_refused(with("phi_gues=1"), "there is no parameter 'phi_gues' (did you mean 'phi_guess'?); there are N, l");
  check_refused(with("N=0"), "model.yaml:7:14: parameter 'N' is 0; it must be at least 1");
  check_refused(with("N=1.5"), "parameter 'N' is 1.5; it must be a whole number");
  check_refused(with("k=nan"), "parameter 'k' is undefined; it must be a finite number");
  check_refused(with("k=1e999"), "parameter 'k' is inf; it must be a finite number");
}

// ---------------------------------------------------------------------------------------------------------------------
// check

TEST_CASE("check: what a person reads is on stdout, and nothing on stderr if all is well") {
  const Answer answer = run("check " + four_bar);
  CHECK(answer.code == 0);
  CHECK(answer.err == "");
  CHECK(answer.out.starts_with("four_bar\n"));
  for (const char* const line :
       {"parameters", "coordinates", "constraints", "dof", "mass", "gravity", "no inertia", "residual"}) {
    CHECK(contains(answer.out, "\n  " + std::string(line)));
  }
}

TEST_CASE("check: --json prints one object with the keys that scripts rely on") {
  const Answer answer = run("check --json " + four_bar);
  CHECK(answer.code == 0);
  CHECK(answer.err == "");
  const Json report = Json::parse(answer.out);
  CHECK(report["schema"] == "stillpoint.check/1");
  CHECK(report["model"]["name"] == "four_bar");
  CHECK(report["model"]["coordinates"] == 5);
  CHECK(report["model"]["constraints"] == 4);
  CHECK(report["bodies"] == 0);
  CHECK(report["mass"] == 3);
  CHECK(report["centre_of_mass"].size() == 2);
  CHECK(report["inertia"].is_array());
  CHECK(report["constraint_residual"]["value"].is_number());
  CHECK(report["constraint_residual"]["worst"].is_string());
  CHECK(report["massless"] == Json{"phi"});
  CHECK(report["warnings"] == Json::array());
}

TEST_CASE("check: numbers that are not finite are null, whatever the model") {
  const ScratchFolder folder;
  const std::string empty = folder.write("empty.yaml", "stillpoint: 1\nmechanism: []\n");
  const Json report = Json::parse(run("check --json '" + empty + "'").out);
  CHECK(report["centre_of_mass"] == Json{nullptr, nullptr});
  CHECK(report["constraint_residual"]["worst"] == nullptr);
}

TEST_CASE("check: a model in another encoding than UTF-8 is refused where it shows") {
  const ScratchFolder folder;
  const std::string latin = folder.write("m.yaml",
                                         "stillpoint: 1\nname: Gr\xfc\xdf"
                                         "e\nmechanism: []\n");
  check_refused("check --json '" + latin + "'", latin + ":2:9: the byte 0xfc cannot stand here");
}

TEST_CASE("check: warnings go to stderr, and nowhere with --quiet; JSON and text have them anyway") {
  const ScratchFolder folder;
  const std::string path = "'" +
                           folder.write("m.yaml",
                                        "stillpoint: 1\nmechanism:\n  - {point: P, at: [0, 0], mass: 1}\n"
                                        "  - {spring: s, between: [ground, P], stiffness: 1, free_length: 1}\n") +
                           "'";
  const Answer loud = run("check --json " + path);
  CHECK(loud.code == 0);
  CHECK(loud.err.starts_with("warning: the force on 'P.x' has no value at the guess"));
  CHECK(Json::parse(loud.out)["warnings"].size() == 1);
  const Answer quiet = run("check --json --quiet " + path);
  CHECK(quiet.err == "");
  CHECK(quiet.out == loud.out);

  // Whoever reads the text at a terminal need not be told twice; whoever sends it to a file is told.
  const Answer text = run("check " + path);
  CHECK(text.err == "");
  CHECK(contains(text.out, "  warning       "));
  CHECK(run("check " + path + " -o '" + folder / "report.txt'").err == loud.err);
}

TEST_CASE("check: --assemble writes the assembled configuration, and --guess begins there") {
  const ScratchFolder folder;
  const std::string file = folder / "bars.guess";
  const auto bars = [&folder](double length) {
    return "'" +
           folder.write("m.yaml",
                        "stillpoint: 1\nname: bars\ngravity: 0, -9.81\nmechanism:\n"
                        "  - {body: A, at: [0.3, 0.2], mass: 1}\n  - {body: B, at: [1.2, 0.7], mass: 1}\n"
                        "  - {revolute: a, between: ['ground', 'A(-0.5, 0)']}\n"
                        "  - {revolute: b, between: ['A(0.5, 0)', 'B(-0.5, 0)']}\n"
                        "  - {revolute: c, between: ['B(0.5, 0)', 'ground(" +
                            std::to_string(length) + ", 0)']}\n") +
           "'";
  };
  const std::string model = bars(1.5);
  const Answer answer = run("check " + model + " --assemble '" + file + "'");
  CHECK(answer.code == 0);
  CHECK(contains(answer.out, "bars\n"));
  CHECK(contains(answer.err, "note: 1 closing condition in closed form (independent: none): 'b' "));
  CHECK(contains(answer.err, "bars.guess has the assembled configuration (constraint residual "));
  CHECK(run("check " + model + " --quiet --assemble '" + file + "'").err == "");
  CHECK(contains(content_of(file), "\nB.phi = "));

  const auto tested = [&](const std::string& guess) {
    return Json::parse(run("equilibrium --json --rest check " + model + guess).out)["equilibrium"];
  };
  CHECK(tested("")["constraint_residual"] > 0.1);
  CHECK(tested(" --guess '" + file + "'")["constraint_residual"] < 1e-14);
  // --at has precedence over the file.
  CHECK(tested(" --guess '" + file + "' --at B.x=7")["coordinates"]["B.x"] == 7);

  const std::string bad = folder.write("bad.guess", "# a comment\n\nA.x = 0.5  # m\nA.y 0.5\n");
  check_refused("equilibrium " + model + " --guess '" + bad + "'", "bad.guess:4: 'A.y 0.5' is not NAME = VALUE");
  const std::string unknown = folder.write("unknown.guess", "A.xx = 0.5\n");
  check_refused("equilibrium " + model + " --guess '" + unknown + "'", "there is no coordinate or input 'A.xx'");
  check_refused("equilibrium " + model + " --guess '" + folder / "nowhere'", "nowhere");

  // Two bars of 1 m cannot span 3 m: then no file is written.
  const Answer open = run("check " + bars(3) + " --assemble '" + folder / "open.guess'");
  CHECK(open.code == 1);
  CHECK(contains(open.err, "keeps a residual of"));
  CHECK(contains(open.err, "but these are 3 m apart: 1 m too far"));
  CHECK(!std::filesystem::exists(folder / "open.guess"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Files

TEST_CASE("equilibrium: --trim takes the names of inputs, or all of them where it stands last") {
  const std::string cart = "equilibrium " + case_folder("cart_pole");
  const std::string by_name = run(cart + " --trim u").out;
  CHECK(by_name.find("balanced      yes") != std::string::npos);
  CHECK(run(cart + " --trim").out == by_name);
  CHECK(run(cart + " --trim=u").out == by_name);
  const Answer wrong = run(cart + " --trim v");
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("there is no input 'v'") != std::string::npos);
}

TEST_CASE("tool: -o writes what stdout would show, and then stdout is silent") {
  const ScratchFolder folder;
  const Answer answer = run("check --json " + four_bar + " -o '" + folder / "report.json'");
  CHECK(answer.code == 0);
  CHECK(answer.out == "");
  CHECK(content_of(folder / "report.json") == run("check --json " + four_bar).out);
  CHECK(run("schema -o '" + folder / "schema.json'").code == 0);
  CHECK(content_of(folder / "schema.json") == model_schema());
}

TEST_CASE("tool: a file appears whole or not at all, and an older one stays until then") {
  const ScratchFolder folder;
  const std::string path = folder.write("out/report.txt", "older");
  check_refused("check " + four_bar + " --set N=0 -o '" + path + "'", "must be at least 1");
  CHECK(content_of(path) == "older");
  check_refused("check " + four_bar + " -o '" + folder / "out'", "cannot be written: Is a directory");
  check_refused("check " + four_bar + " -o '" + folder / "nowhere/report.txt'",
                "cannot be written: No such file or directory");
  check_refused("check " + four_bar + " -o '" + folder / "out/report.txt/below'", "cannot be written: Not a directory");

  CHECK(run("check " + four_bar + " -o '" + path + "'").code == 0);
  CHECK(content_of(path).starts_with("four_bar\n"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::recursive_directory_iterator(folder / "out")) ++files;
  CHECK(files == 1);  // nothing half done is left beside it
}

TEST_CASE("tool: a link stays a link, and a pipe stays a pipe") {
  const ScratchFolder folder;
  const std::string target = folder.write("target.txt", "older");
  std::filesystem::create_symlink(target, folder / "link");
  CHECK(run("check " + four_bar + " -o '" + folder / "link'").code == 0);
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(content_of(target).starts_with("four_bar\n"));

  const Answer answer = shell("cd '" + folder / "." + "' && mkfifo pipe && { cat pipe & } && \"$TOOL\" check " +
                              four_bar + " -o pipe && wait && test -p pipe");
  CHECK(answer.code == 0);
  CHECK(answer.out.starts_with("four_bar\n"));
}

TEST_CASE("tool: output that cannot be printed is an error") {
  if (!std::filesystem::exists("/dev/full")) return;
  const Answer answer = run("schema >/dev/full");
  CHECK(answer.code == 2);
  CHECK(answer.err == "error: the output could not be written\n");
}

// ---------------------------------------------------------------------------------------------------------------------
// new

TEST_CASE("new: prints a model that check accepts without a word") {
  const ScratchFolder folder;
  const Answer printed = run("new");
  CHECK(printed.code == 0);
  CHECK(printed.err == "");
  CHECK(printed.out == starter_model());
  const Answer checked = run("check '" + folder.write("model.yaml", printed.out) + "'");
  CHECK(checked.code == 0);
  CHECK(checked.err == "");
}

TEST_CASE("new: makes a folder, says what to do next, and overwrites nothing") {
  const ScratchFolder folder;
  const std::string made = folder / "deep/crane";
  const Answer answer = run("new '" + made + "'");
  CHECK(answer.code == 0);
  CHECK(answer.out == "");
  CHECK(answer.err == "wrote " + made + "/model.yaml; next: stillpoint check " + made + "\n");
  CHECK(content_of(made + "/model.yaml") == starter_model());
  CHECK(run("check '" + made + "'").code == 0);

  folder.write("deep/crane/model.yaml", "mine");
  check_refused("new '" + made + "'", made + "/model.yaml: is there already and is left as it is");
  CHECK(content_of(made + "/model.yaml") == "mine");
  check_refused("new '" + made + "/model.yaml/below'", "cannot be created: Not a directory");
  check_refused("new " + std::string(400, 'x'), "cannot be created: File name too long");
}

// ---------------------------------------------------------------------------------------------------------------------
// schema

namespace {

/// What a JSON Schema finds wrong with a value, or nothing. Knows only the keywords that our schema has, and says so if
/// it meets another one.
class Schema {
 public:
  explicit Schema(Json root) : root_(std::move(root)) {}

  std::string problem(const Json& value) const { return problem(value, root_, ""); }

 private:
  std::string problem(const Json& value, const Json& schema, const std::string& path) const {
    static const std::set<std::string> words{"$schema", "$defs", "title", "description", "then", "else"};
    for (const auto& [keyword, wanted] : schema.items()) {
      if (words.contains(keyword)) continue;
      std::string found =
          keyword == "properties"             ? of_properties(value, wanted, path)
          : keyword == "additionalProperties" ? of_others(value, schema, path)
          : keyword == "items"                ? of_items(value, wanted, path)
          : keyword == "oneOf"                ? of_choices(value, wanted, path)
          : keyword == "anyOf"                ? of_some(value, wanted, path)
          : keyword == "if"   ? problem(value, schema[problem(value, wanted, path).empty() ? "then" : "else"], path)
          : keyword == "$ref" ? problem(value, root_.at(Json::json_pointer(text(wanted).substr(1))), path)
                              : of_value(value, keyword, wanted, path);
      if (!found.empty()) return found;
    }
    return "";
  }

  static std::string text(const Json& value) { return value.get<std::string>(); }

  static bool is_of_type(const Json& value, const std::string& type) {
    return std::string(value.type_name()) == type;  // the library's names are those of the schema, but for integer
  }

  static std::string of_value(const Json& value, const std::string& keyword, const Json& wanted,
                              const std::string& path) {
    bool good = false;
    if (keyword == "type") {
      good = wanted.is_string()
                 ? is_of_type(value, text(wanted))
                 : std::any_of(wanted.begin(), wanted.end(), [&](const Json& t) { return is_of_type(value, text(t)); });
    } else if (keyword == "const") {
      good = value == wanted;
    } else if (keyword == "enum") {
      good = std::find(wanted.begin(), wanted.end(), value) != wanted.end();
    } else if (keyword == "required") {
      good = !value.is_object() ||
             std::all_of(wanted.begin(), wanted.end(), [&](const Json& key) { return value.contains(text(key)); });
    } else if (keyword == "minItems") {
      good = !value.is_array() || value.size() >= wanted;
    } else if (keyword == "maxItems") {
      good = !value.is_array() || value.size() <= wanted;
    } else {
      return "unknown keyword " + keyword;
    }
    return good ? "" : path + " is not of " + keyword + " " + wanted.dump();
  }

  std::string of_properties(const Json& value, const Json& properties, const std::string& path) const {
    if (!value.is_object()) return "";
    for (const auto& [key, member] : value.items()) {
      if (!properties.contains(key)) continue;
      if (std::string found = problem(member, properties[key], path + "/" + key); !found.empty()) return found;
    }
    return "";
  }

  std::string of_others(const Json& value, const Json& schema, const std::string& path) const {
    if (!value.is_object()) return "";
    for (const auto& [key, member] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(key)) continue;
      const Json& others = schema["additionalProperties"];
      if (others == false) return path + " may not have " + key;
      if (std::string found = problem(member, others, path + "/" + key); !found.empty()) return found;
    }
    return "";
  }

  std::string of_items(const Json& value, const Json& items, const std::string& path) const {
    if (!value.is_array()) return "";
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (std::string found = problem(value[i], items, path + "/" + std::to_string(i)); !found.empty()) return found;
    }
    return "";
  }

  std::string of_some(const Json& value, const Json& choices, const std::string& path) const {
    const bool fits =
        std::any_of(choices.begin(), choices.end(), [&](const Json& c) { return problem(value, c, path).empty(); });
    return fits ? "" : path + " fits none of anyOf: " + choices.dump();
  }

  std::string of_choices(const Json& value, const Json& choices, const std::string& path) const {
    const auto fits =
        std::count_if(choices.begin(), choices.end(), [&](const Json& c) { return problem(value, c, path).empty(); });
    return fits == 1 ? "" : path + " fits " + std::to_string(fits) + " of oneOf: " + value.dump();
  }

  Json root_;
};

/// A model file as an editor sees it: numbers, true and false are not texts.
Json as_json(const Tree& tree) {
  switch (tree.kind) {
    case Tree::Kind::empty:
      return nullptr;
    case Tree::Kind::text: {
      const Json value = Json::parse(tree.text, nullptr, false);
      return value.is_number() || value.is_boolean() ? value : Json(tree.text);
    }
    case Tree::Kind::list: {
      Json list = Json::array();
      for (const Tree& item : tree.items) list.push_back(as_json(item));
      return list;
    }
    case Tree::Kind::mapping:
      break;
  }
  Json mapping = Json::object();
  for (const auto& [key, value] : tree.entries) mapping[key.text] = as_json(value);
  return mapping;
}

Json as_json(const std::string& text) { return as_json(parse_tree(text, "file")); }

const std::pair<Dimension, const char*> worlds[] = {{Dimension::plane, "entry"}, {Dimension::space, "space_entry"}};

Schema printed_schema() { return Schema(Json::parse(run("schema").out)); }

}  // namespace

TEST_CASE("schema: is JSON and knows every kind of entry with every field") {
  const Answer answer = run("schema");
  CHECK(answer.code == 0);
  CHECK(answer.err == "");
  const Json definitions = Json::parse(answer.out)["$defs"];
  for (const auto& [dimension, name] : worlds) {
    const Json& choices = definitions[name]["oneOf"];
    CHECK(choices.size() == entry_types(dimension).size() + 1);  // and the repetition
    for (const EntryType& type : entry_types(dimension)) {
      const std::string keyword(type.info->keyword);
      const auto choice =
          std::find_if(choices.begin(), choices.end(), [&](const Json& c) { return c["required"][0] == keyword; });
      REQUIRE_MESSAGE(choice != choices.end(), keyword);
      CHECK((*choice)["properties"].contains(keyword));
      for (const Field& field : type.info->fields) CHECK((*choice)["properties"].contains(std::string(field.key)));
    }
  }
}

TEST_CASE("schema: the starter model and every case are valid") {
  const Schema schema = printed_schema();
  CHECK(schema.problem(as_json(starter_model())) == "");
  REQUIRE(!case_files().empty());
  for (const auto& path : case_files()) {
    CAPTURE(path);
    CHECK(schema.problem(as_json(content_of(path))) == "");
  }
}

TEST_CASE("schema: what the reader refuses for its form is not valid either") {
  const Schema schema = printed_schema();
  const std::string head = "stillpoint: 1\nmechanism:\n";
  const std::string good = head + "  - point: P\n    at: 0, 0\n";
  CHECK(schema.problem(as_json(good)) == "");
  for (const std::string& text : {std::string("stillpoint: 2\nmechanism: []\n"),
                                  std::string("mechanism: []\n"),
                                  std::string("stillpoint: 1\n"),
                                  std::string("[]"),
                                  "titel: x\n" + good,
                                  "parameters: [k]\n" + good,
                                  "parameters: {k: {min: 1}}\n" + good,
                                  "parameters: {k: {value: 1, mim: 1}}\n" + good,
                                  "parameters: {k: {value: 1, integer: 2}}\n" + good,
                                  "gravity: [0]\n" + good,
                                  "gravity: [0, 0, 0]\n" + good,
                                  "dimension: 4\n" + good,
                                  "dimension: 3\n" + head + "  - point: P\n    at: [0, 0]\n",
                                  "dimension: 3\ngravity: [0, 0]\n" + head + "  - point: P\n    at: [0, 0, 0]\n",
                                  "dimension: 3\n" + head + "  - slider: s\n",
                                  head + "  point: P\n",
                                  head + "  - P\n",
                                  head + "  - pont: P\n    at: 0, 0\n",
                                  head + "  - point:\n    at: 0, 0\n",
                                  head + "  - point: P\n",
                                  head + "  - point: P\n    at: 0, 0\n    maas: 1\n",
                                  head + "  - point: P\n    at: [0]\n",
                                  head + "  - for: i in 1..2\n",
                                  head + "  - for: i in 1..2\n    do:\n      - pont: P\n"}) {
    CAPTURE(text);
    CHECK(schema.problem(as_json(text)) != "");
    CHECK_THROWS_AS(read_model_text(text, "file"), Error);
  }
}

TEST_CASE("schema: the manual in docs is the one that the tool prints") {
  const Answer answer = run("schema --manual");
  CHECK(answer.code == 0);
  CHECK(answer.out == content_of(STILLPOINT_SOURCE_DIR "/docs/model-files.md"));
  const std::size_t second = answer.out.find("## Entries in space");
  for (const auto& [dimension, name] : worlds) {
    const std::string chapter =
        dimension == Dimension::plane ? answer.out.substr(0, second) : answer.out.substr(second);
    for (const EntryType& type : entry_types(dimension)) {
      CHECK(contains(chapter, "\n### `" + std::string(type.info->keyword) + "`\n"));
    }
  }
}
