// A hundred inputs of the verb `motion` that cannot be meant: each is refused with a sentence that names the culprit,
// and nothing is written.
#include <filesystem>

#include "support/tool.h"

using namespace stillpoint;

namespace {

namespace fs = std::filesystem;

struct Hostile {
  std::string arguments;  ///< in a folder with the files below; @NAME is the folder of a case
  std::string text;       ///< what the sentence holds
  int code = 2;
};

constexpr const char* bar = "@pendulum --until 1 ";               // coordinates B.x, B.y, phi; no input
constexpr const char* linkage = "@actuated_four_bar --until 1 ";  // input motor
constexpr const char* shaken = "@base_excited --until 1 ";        // input base, prescribed

std::string with_cases(std::string arguments) {
  for (std::size_t i = arguments.find('@'); i != std::string::npos; i = arguments.find('@')) {
    const std::size_t end = std::min(arguments.find(' ', i), arguments.size());
    arguments.replace(i, end - i, case_folder(arguments.substr(i + 1, end - i - 1)));
  }
  return arguments;
}

const std::vector<Hostile> times = {
    {"@pendulum", "--until is required"},
    {"@pendulum --until 0", "--until: 0 is not a number above zero"},
    {"@pendulum --until -1", "--until: -1 is not"},
    {"@pendulum --until nan", "--until: nan is not"},
    {"@pendulum --until inf", "--until: inf is not"},
    {"@pendulum --until 1e400", "--until: 1e400"},
    {"@pendulum --until soon", "--until: soon is not"},
    {"@pendulum --until ''", "--until"},
    {"@pendulum --until 1 --until 2", "--until"},
    {"@pendulum --until 1 --every 0", "--every: 0 is not"},
    {"@pendulum --until 1 --every -0.1", "--every: -0.1 is not"},
    {"@pendulum --until 1 --every nan", "--every: nan is not"},
    {"@pendulum --until 1 --every 1e-300", "take a longer --every"},
    {"@drive_train --until 1 --every 9e-9", "take a longer --every"},
    {"@pendulum --until 1 --every x", "--every: x is not"},
};

const std::vector<Hostile> settings = {
    {"--until 1", "MODEL"},
    {"nowhere --until 1", "nowhere"},
    {"matrices --until 1", "matrices"},
    {std::string(bar) + "--set nothing=1", "nothing"},
    {std::string(bar) + "--set l", "--set l: this must be NAME=VALUE"},
    {std::string(bar) + "--set l=-1", "'l'"},
    {std::string(bar) + "--set l=nan", "'l'"},
    {std::string(bar) + "--at phi", "--at phi: this must be NAME=VALUE"},
    {std::string(bar) + "--at phi=", "--at phi=: this must be"},
    {std::string(bar) + "--at =1", "--at =1: this must be"},
    {std::string(bar) + "--at phi=up", "--at phi=up: this must be"},
    {std::string(bar) + "--at phi=nan", "'phi' cannot be nan"},
    {std::string(bar) + "--at phi=1e999", "'phi' cannot be inf"},
    {std::string(bar) + "--at ph=1", "there is no coordinate or input 'ph' (did you mean 'phi'?)"},
    {std::string(bar) + "--guess nowhere.txt", "nowhere.txt: cannot be read"},
    {std::string(bar) + "--guess words.csv", "words.csv:1: "},
    {std::string(bar) + "--rate phi", "--rate phi: this must be NAME=VALUE"},
    {std::string(bar) + "--rate phi=fast", "--rate phi=fast: this must be"},
    {std::string(bar) + "--rate phi=nan", "--rate phi=nan: this must be a finite number"},
    {std::string(bar) + "--rate phi=inf", "--rate phi=inf: this must be a finite number"},
    {std::string(bar) + "--rate phj=1", "there is no coordinate 'phj' (did you mean 'phi'?)"},
    {std::string(bar) + "--rate phi=1 --rate phi=2", "--rate phi: the rate of this coordinate is given twice"},
    {std::string(bar) + "--rate B.y=1", "the constraints do not allow the given rates"},
    {std::string(bar) + "--rate phi=1 --rate B.x=-3", "the constraints do not allow the given rates"},
    {std::string(bar) + "--rank 99", "--rank 99"},
    {std::string(bar) + "--trim", "this model has no input that is a force"},
    {std::string(linkage) + "--trim motr", "motr"},
    {std::string(bar) + "--preload nothing", "nothing"},
    {std::string(bar) + "--rest standing", "--rest"},
};

const std::vector<Hostile> inputs = {
    {std::string(linkage) + "--input motor", "--input motor: this must be NAME=FILE or NAME=EXPRESSION"},
    {std::string(linkage) + "--input motor=", "--input motor=: this must be"},
    {std::string(linkage) + "--input =t", "--input =t: this must be"},
    {std::string(linkage) + "--input ''", "--input"},
    {std::string(linkage) + "--input motr=t", "there is no input 'motr' (did you mean 'motor'?)"},
    {std::string(bar) + "--input phi=t", "there is no input 'phi'"},
    {std::string(linkage) + "--input motor=t --input motor=2", "--input motor: this input is given twice"},
    {std::string(linkage) + "--input motor=nowhere.csv", "nowhere.csv: cannot be read"},
    {std::string(linkage) + "--input motor=.", ".: is a folder"},
    {std::string(linkage) + "--input motor=/dev/zero", "/dev/zero: is a device"},
    {std::string(linkage) + "--input motor=empty.csv", "empty.csv: 0 lines TIME,VALUE"},
    {std::string(linkage) + "--input motor=one.csv", "one.csv: 1 lines TIME,VALUE"},
    {std::string(linkage) + "--input motor=back.csv", "back.csv:3: the times must ascend, but 0.5 follows 1"},
    {std::string(linkage) + "--input motor=twice.csv", "twice.csv:2: the times must ascend, but 1 follows 1"},
    {std::string(linkage) + "--input motor=words.csv", "words.csv:2: 'up, down' is not TIME,VALUE"},
    {std::string(linkage) + "--input motor=three.csv", "three.csv:2: '1,2,3' is not TIME,VALUE"},
    {std::string(linkage) + "--input motor=nan.csv", "nan.csv:2: '1,nan' is not TIME,VALUE"},
    {std::string(linkage) + "--input 'motor=2*sin(3*t'", "a ')' is missing at its end"},
    {std::string(linkage) + "--input 'motor=2*sin(3*x)'",
     "'x' at character 9 is unknown; known are t, pi, deg, a, b, m"},
    {std::string(linkage) + "--input 'motor=sine(t)'", "'sine' at character 1 is unknown (did you mean 'sin'?)"},
    {std::string(linkage) + "--input 'motor=crank.phi'", "'crank' at character 1 is unknown"},
    {std::string(linkage) + "--input 'motor=2 t'", "an operator is missing before 't' at character 3"},
    {std::string(linkage) + "--input 'motor=t+'", "a number, a name or a bracket is missing at its end"},
    {std::string(linkage) + "--input 'motor=t=1'", "'==' compares"},
    {std::string(linkage) + "--input 'motor=min()'", "'min' takes at least 1 argument"},
    {std::string(linkage) + "--input 'motor=1/t'", "no finite value at t = 0 s"},
    {std::string(linkage) + "--input 'motor=sqrt(-1)'", "no finite value at t = 0 s"},
    {std::string(linkage) + "--input 'motor=sqrt(t)'", "no finite rate or acceleration at t = 0 s"},
    {std::string(linkage) + "--input 'motor=−t'", "before '−' at character 1"},
    {std::string(linkage) + "--input 'motor=exp(exp(exp(9)))'", "no finite value at t = 0 s"},
    {std::string(linkage) + "--input motor=$(printf '(%.0s' $(seq 500))", "nested more than 200 levels deep"},
    {std::string(shaken) + "--input 'base=0.1*t*log(0.5 - t)' --json", "has no finite ", 1},
};

const std::vector<Hostile> starts = {
    {std::string(bar) + "--start here", "--start here: there is no such file"},
    {std::string(bar) + "--start gues", "(did you mean 'guess'?)"},
    {std::string(bar) + "--start .", ".: is a folder"},
    {std::string(bar) + "--start words.csv", "words.csv: is not valid JSON"},
    {std::string(bar) + "--start half.json", "half.json: is not valid JSON"},
    {std::string(bar) + "--start other.json", "other.json: this is a motion of the model \"pump\", not of 'pendulum'"},
    {std::string(bar) + "--start modes.json", "modes.json: schema is \"stillpoint.modes/1\""},
    {std::string(bar) + "--start list.json", "list.json: the file must be an object"},
    {std::string(bar) + "--start lacks.json", "lacks.json: end.positions lacks the coordinate 'phi'"},
    {std::string(bar) + "--start more.json", "more.json: end.positions holds 'psi', which is no coordinate"},
    {std::string(bar) + "--start null.json", "null.json: end.rates.phi is null; it must be a finite number"},
    {std::string(bar) + "--start far.json", "the motion is not determined: a motion of 'phi' has no inertia", 1},
    {std::string(bar) + "--start late.json", "ended at 7 s, where this one starts"},
    {std::string(bar) + "--start good.json --guess words.csv", "words.csv:1: "},
    {std::string(bar) + "--start good.json --guess guess.txt", "--guess cannot stand beside --start good.json"},
    {std::string(bar) + "--start good.json --at psi=1", "there is no coordinate or input 'psi'"},
    {std::string(bar) + "--perturb mode=1:0.1", "--perturb needs --start equilibrium"},
    {std::string(bar) + "--start good.json --perturb mode=1:0.1", "--perturb needs --start equilibrium"},
    {std::string(bar) + "--start equilibrium --perturb 1", "--perturb 1: this must be mode=K:AMPLITUDE"},
    {std::string(bar) + "--start equilibrium --perturb mode=1", "--perturb mode=1: this must be"},
    {std::string(bar) + "--start equilibrium --perturb mode=:1", "this must be mode=K:AMPLITUDE"},
    {std::string(bar) + "--start equilibrium --perturb mode=1:", "this must be mode=K:AMPLITUDE"},
    {std::string(bar) + "--start equilibrium --perturb mode=1.5:0.1", "this must be mode=K:AMPLITUDE"},
    {std::string(bar) + "--start equilibrium --perturb mode=0:0.1", "modes are counted from 1"},
    {std::string(bar) + "--start equilibrium --perturb mode=-1:0.1", "modes are counted from 1"},
    {std::string(bar) + "--start equilibrium --perturb mode=9:0.1",
     "--perturb mode=9: the list of the modes about the equilibrium ends at 1"},
    {std::string(bar) + "--start equilibrium --perturb mode=99999999999:0.1", "this must be mode=K:AMPLITUDE"},
    {std::string(bar) + "--start equilibrium --perturb mode=1:0", "the amplitude, a turn (rad)"},
    {std::string(bar) + "--start equilibrium --perturb mode=1:nan", "the amplitude, a turn (rad)"},
    {std::string(bar) + "--start equilibrium --perturb mode=1:50", "the amplitude, a turn (rad)"},
    {"@five_bar_parallelogram --set phi_guess=0 --set g=0 --until 1 --start equilibrium --perturb mode=1:0.01",
     "the equilibrium is a singular configuration"},
};

const std::vector<Hostile> methods = {
    {std::string(bar) + "--tolerance 0", "--tolerance"},
    {std::string(bar) + "--tolerance 1", "--tolerance"},
    {std::string(bar) + "--tolerance -1e-8", "--tolerance"},
    {std::string(bar) + "--tolerance nan", "the tolerance nan of the motion is not between"},
    {std::string(bar) + "--tolerance tight", "--tolerance"},
    {std::string(bar) + "--method euler", "--method"},
    {std::string(bar) + "--form newton", "--form"},
    {std::string(bar) + "--form udwadia-kalaba", "'phi' has no inertia"},
    {std::string(bar) + "--pseudoinverse moore", "--pseudoinverse"},
    {std::string(bar) + "--stabilize glue", "--stabilize"},
    {std::string(bar) + "--stop phi", "--stop phi: this must be NAME=VALUE"},
    {std::string(bar) + "--stop phi=nan", "--stop phi=nan: this must be a finite number"},
    {std::string(bar) + "--stop psi=1", "there is no output or coordinate 'psi' (did you mean 'phi'?)"},
    {std::string(bar) + "-o run.png", "the endings are .csv, .json, .npz and .svg"},
    {std::string(bar) + "-o run", "the endings are"},
    {std::string(bar) + "-o nowhere/run.csv", "nowhere/run.csv"},
    {std::string(bar) + "--json -o run.npz", "the ending .npz is that of another format"},
    {std::string(bar) + "--step 0.1", "--step"},
    {std::string(bar) + "--linear", "--linear needs --start equilibrium"},
    {std::string(bar) + "--start good.json --linear", "--linear needs --start equilibrium"},
    {std::string(bar) + "--start equilibrium --linear", "--linear: the model names no outputs"},
    {std::string(bar) + "more", "more"},
};

/// The files that the inputs above name.
void write_files(const ScratchFolder& folder) {
  folder.write("empty.csv", "");
  folder.write("one.csv", "time,value\n0,1\n");
  folder.write("back.csv", "0,0\n1,1\n0.5,2\n");
  folder.write("twice.csv", "1,0\n1,1\n");
  folder.write("words.csv", "time,value\nup, down\n");
  folder.write("three.csv", "0,0\n1,2,3\n");
  folder.write("nan.csv", "0,0\n1,nan\n");
  folder.write("guess.txt", "phi = -1.5\n");
  const auto end = [&](const std::string& name, const std::string& time, const std::string& positions,
                       const std::string& rate) {
    folder.write(name, R"({"schema": "stillpoint.motion/1", "model": {"name": "pendulum"}, "end": {"time": )" + time +
                           R"(, "positions": {)" + positions + R"(}, "orientations": {}, "inputs": {}, "rates": )" +
                           R"({"B.x": 0, "B.y": 0, "phi": )" + rate + "}}}\n");
  };
  const std::string hanging = R"("B.x": 0, "B.y": -0.5, "phi": -1.5707963267948966)";
  end("good.json", "0.5", hanging, "0");
  end("late.json", "7", hanging, "0");
  end("lacks.json", "0.5", R"("B.x": 0, "B.y": -0.5)", "0");
  end("more.json", "0.5", hanging + R"(, "psi": 1)", "0");
  end("null.json", "0.5", hanging, "null");
  end("far.json", "0.5", R"("B.x": 0, "B.y": 0, "phi": 0)", "0");
  folder.write("other.json", R"({"schema": "stillpoint.motion/1", "model": {"name": "pump"}, "end": {}})");
  folder.write("modes.json", R"({"schema": "stillpoint.modes/1"})");
  folder.write("list.json", "[1, 2]");
  folder.write("half.json", R"({"schema": "stillpoint.mot)");
  fs::create_directory(folder / "matrices");
}

std::vector<std::string> files_in(const ScratchFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder / ".")) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  return names;
}

void check_all(const std::vector<Hostile>& all) {
  const ScratchFolder folder;
  write_files(folder);
  const std::vector<std::string> before = files_in(folder);
  for (const Hostile& one : all) {
    CAPTURE(one.arguments);
    // Without an ending of its own the table would go to out.csv: nothing may be there afterwards.
    const bool is_written = one.code == 2 && !contains(one.arguments, "-o ");
    const Answer answer = shell("cd '" + folder / "." + "' && timeout 60 \"$TOOL\" motion " +
                                with_cases(one.arguments) + (is_written ? " -o out.csv" : ""));
    CHECK_MESSAGE(answer.code == one.code, answer.err);
    CHECK_MESSAGE(contains(answer.err, one.text), answer.err);
    CHECK_MESSAGE(!contains(answer.out, "nan"), answer.out);
    if (one.code != 2) continue;
    CHECK(answer.out == "");
    CHECK_MESSAGE(answer.err.starts_with("error: "), answer.err);
    CHECK_MESSAGE(std::count(answer.err.begin(), answer.err.end(), '\n') == 1, answer.err);
    CHECK(answer.err.size() < 1500);
    CHECK(files_in(folder) == before);
  }
}

}  // namespace

TEST_CASE("hostile motion: times that are none") { check_all(times); }
TEST_CASE("hostile motion: models, settings and rates that do not exist or contradict each other") {
  check_all(settings);
}
TEST_CASE("hostile motion: inputs over time that are neither tables nor expressions") { check_all(inputs); }
TEST_CASE("hostile motion: starts that are none, of other models, or beside other starts") { check_all(starts); }
TEST_CASE("hostile motion: methods, ends and files that do not exist") { check_all(methods); }

TEST_CASE("hostile motion: there are a hundred of them") {
  CHECK(times.size() + settings.size() + inputs.size() + starts.size() + methods.size() >= 100);
}
