// Files of plants, as those see them who load them: Python with NumPy and SciPy, Octave with its package control.

#include "stillpoint/write_plant.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/utf8.h"
#include "formats/crc32.h"
#include "support/clients.h"
#include "support/plants/made_plants.h"
#include "support/plants/told.h"
#include "support/shown_code.h"

using namespace stillpoint;
using Json = nlohmann::json;

namespace {

const std::string here = STILLPOINT_SOURCE_DIR "/tests/support/plants";
const std::string docs = STILLPOINT_SOURCE_DIR "/docs";

std::string in_python(const std::string& arguments) {
  const Answer answer = shell("'" + python + "' '" + here + "/tell.py' " + arguments);
  CHECK_MESSAGE(answer.code == 0, answer.err);
  return answer.out;
}

std::string in_octave(const std::string& arguments) {
  const Answer answer = shell("octave-cli --norc '" + here + "/tell.m' '" + docs + "' " + arguments);
  CHECK_MESSAGE(answer.code == 0, answer.err);
  return answer.out;
}

std::string sorted_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

/// Where two texts of lines first differ.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream first(a), second(b);
  std::string x, y;
  while (true) {
    const bool more = static_cast<bool>(std::getline(first, x)), and_more = static_cast<bool>(std::getline(second, y));
    if (!more && !and_more) return "";
    if (x != y || more != and_more) return x + "\n  is not\n" + y;
    x = y = "";
  }
}

std::string file_of(PlantForm form, const std::string& ending) {
  return std::to_string(static_cast<int>(form)) + ending;
}

void check_system(const Json& found, double gain_tolerance) {
  const auto expected = two_masses_poles();
  std::vector<std::complex<double>> poles(expected.begin(), expected.end());
  std::sort(poles.begin(), poles.end(), [](auto a, auto b) { return a.imag() < b.imag(); });
  REQUIRE(found["poles"].size() == poles.size());
  for (std::size_t k = 0; k < poles.size(); ++k) {
    const std::complex<double> pole(found["poles"][k][0], found["poles"][k][1]);
    CHECK(std::abs(pole - poles[k]) < 1e-12 * std::abs(poles[k]));
  }
  // K⁻¹ = [2 1; 1 2] / 300; nothing accelerates
  CHECK(std::abs(found["gain"][0][0].get<double>() - 1.0 / 300) < gain_tolerance / 300);
  CHECK(std::abs(found["gain"][1][0].get<double>()) < gain_tolerance);
}

}  // namespace

TEST_CASE("base: CRC-32 is that of zip") {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xCBF43926);  // the check value of every list of CRCs
}

TEST_CASE("base: UTF-8 comes apart and together, and what is none is mended") {
  CHECK(characters("aφ日𝛿") == U"aφ日𝛿");
  CHECK(mended("aφ日𝛿") == "aφ日𝛿");
  const std::string no = "\uFFFD";
  CHECK(mended("a\xfc"
               "b") == "a" + no + "b");
  CHECK(mended("\xc0\x80") == no + no);                    // zero in two bytes
  CHECK(mended("\xed\xa0\x80") == no + no + no);           // half of a pair of UTF-16
  CHECK(mended("\xe6\x97") == no + no);                    // cut off
  CHECK(mended("\xf4\x90\x80\x80") == no + no + no + no);  // beyond U+10FFFF
}

TEST_CASE("plant files: the oscillator of the tests has the poles that it should have") {
  const Eigen::MatrixXd A = Eigen::MatrixXd(two_masses(PlantForm::state_space).first.A);
  for (const std::complex<double> s : two_masses_poles()) {
    const Eigen::MatrixXcd shifted = A - s * Eigen::MatrixXd::Identity(4, 4);
    CHECK(std::abs(shifted.determinant()) < 1e-9 * 300 * 300);
  }
}

TEST_CASE("plant files: NumPy and SciPy load every entry of every format bit for bit") {
  require_python();
  const ScratchFolder folder;
  std::string paths, expected;
  for (const PlantForm form : all_plant_forms) {
    for (const std::string ending : {".npz", ".mat", ".json", "/"}) {
      for (const Plant& plant : {two_masses(form), awkward_plant(form)}) {
        const std::string path = folder / plant.method + file_of(form, ending);
        write_plant(plant, path);
        paths += " '" + path + "'";
        expected += (expected.empty() ? "" : "\n") + told(plant);
      }
    }
  }
  CHECK(difference(in_python("entries" + paths), expected) == "");
}

TEST_CASE("plant files: Octave loads every entry of a .mat bit for bit") {
  require_octave();
  const ScratchFolder folder;
  for (const PlantForm form : all_plant_forms) {
    for (const Plant& plant : {two_masses(form), awkward_plant(form)}) {
      const std::string path = folder / file_of(form, ".mat");
      CAPTURE(path);
      write_plant(plant, path);
      CHECK(difference(sorted_lines(in_octave("entries '" + path + "'")), told(plant)) == "");
    }
  }
}

TEST_CASE("plant files: poles, DC gain and frequency response in Python are those of the oscillator") {
  require_python();
  const ScratchFolder folder;
  std::string paths;
  int count = 0;
  for (const PlantForm form : all_plant_forms) {
    for (const std::string ending : {".npz", ".mat", ".json", "/"}) {
      const std::string path = folder / file_of(form, ending);
      write_plant(two_masses(form), path);
      paths += " '" + path + "'";
      ++count;
    }
  }
  const std::string page = docs + "/control.md";
  const std::string loader = folder.write("loader.py", shown_code(page, "python", 0) + shown_code(page, "python", 1));
  std::istringstream answers(in_python("system '" + loader + "'" + paths));
  for (std::string line; std::getline(answers, line); --count) {
    const Json found = Json::parse(line);
    check_system(found, 1e-12);
    CHECK(found["response_error"] < 1e-10);
    CHECK(found["verified"] < 1e-10);
  }
  CHECK(count == 0);
}

TEST_CASE("plant files: stillpoint_load.m makes systems with names, poles, DC gain and the stored response") {
  require_octave();
  const ScratchFolder folder;
  for (const PlantForm form : all_plant_forms) {
    const std::string path = folder / file_of(form, ".mat");
    CAPTURE(path);
    write_plant(two_masses(form), path);
    const std::string answer = in_octave("system '" + path + "'");
    CHECK(contains(answer, "two_masses: the frequency response differs by "));
    const Json found = Json::parse(answer.substr(answer.find('{')));
    check_system(found, 1e-12);
    CHECK(found["states"] == 4);
    CHECK(found["inputs"] == Json{"force"});
    CHECK(found["outputs"] == Json{"place", "acceleration"});
  }
}

TEST_CASE("plant files: 'verify' of stillpoint_load.m finds an entry that is off by 1e-8") {
  require_octave();
  const ScratchFolder folder;
  Plant plant = two_masses(PlantForm::state_space);
  plant.first.A.coeffRef(3, 0) *= 1 + 1e-8;
  const std::string path = folder / "wrong.mat";
  write_plant(plant, path);
  const Answer answer = shell("octave-cli --norc '" + here + "/tell.m' '" + docs + "' system '" + path + "'");
  CHECK(answer.code == 1);
  CHECK(contains(answer.err, "stillpoint_load: this is not the plant that was written"));
}

TEST_CASE("plant files: stillpoint_load.m refuses what it does not know") {
  require_octave();
  const ScratchFolder folder;
  const auto refusal = [&folder](const std::string& call) {
    return shell("cd '" + folder / "." + "' && octave-cli --norc --eval \"addpath ('" + docs +
                 "'); pkg load control; " + call + "\"")
        .err;
  };
  write_plant(two_masses(PlantForm::modal), folder / "plant.mat");
  CHECK(contains(refusal("stillpoint_load ('plant.mat', 'verifi')"), "there is no option 'verifi'; there is 'verify'"));
  CHECK(contains(refusal("x = 1; save -v6 other.mat x; stillpoint_load ('other.mat')"),
                 "other.mat holds no plant of stillpoint"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Modelica: no client is at hand, so that the text itself is read.

namespace {

/// The numbers of a parameter, row by row.
std::vector<double> parameter_in(const std::string& text, const std::string& name) {
  const std::size_t begin = text.find("parameter Real " + name + "[");
  REQUIRE(begin != std::string::npos);
  const std::size_t value = text.find('=', begin), end = text.find(';', value);
  const std::regex number(R"(-?[0-9.]+(e[-+]?[0-9]+)?)");
  std::vector<double> numbers;
  const std::string words = text.substr(value, end - value);
  for (std::sregex_iterator found(words.begin(), words.end(), number), none; found != none; ++found)
    numbers.push_back(std::strtod(found->str().c_str(), nullptr));
  return numbers;
}

void check_parameter(const std::string& text, const std::string& name, const SparseMatrix& A) {
  CAPTURE(name);
  const std::vector<double> found = parameter_in(text, name);
  REQUIRE(std::ssize(found) == A.rows() * A.cols());
  const Eigen::MatrixXd expected(A);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      const double value = found[static_cast<std::size_t>(i * A.cols() + j)];
      CHECK(std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(expected(i, j)));
    }
  }
}

}  // namespace

TEST_CASE("plant files: a Modelica model has all matrices bit for bit, and names that are names there") {
  const ScratchFolder folder;
  for (const PlantForm form : all_plant_forms) {
    const Plant plant = awkward_plant(form);
    write_plant(plant, folder / "plant.mo");
    const std::string text = content_of(folder / "plant.mo");
    CAPTURE(text);
    if (form == PlantForm::second_order) {
      check_parameter(text, "M", plant.second.M);
      check_parameter(text, "K", plant.second.K);
      check_parameter(text, "F", plant.second.F);
      CHECK(contains(text, "  v = der(z);\n  M * der(v) + C * v + K * z = B * u;\n  y = F * z + G * v + D * u;\n"));
    } else {
      check_parameter(text, "A", plant.first.A);
      check_parameter(text, "B", plant.first.B);
      check_parameter(text, "C", plant.first.C);
      CHECK(contains(text,
                     form == PlantForm::descriptor ? "  E * der(x) = A * x + B * u;" : "  der(x) = A * x + B * u;"));
    }
    CHECK(contains(text, "model 'Gr__e _n_ _m_ _ []'\n"));  // an underscore for each character
    CHECK(contains(text, "  RealInput 'F_hrung_'(unit = \"m/s\") \"Führung'\";\n"));
    CHECK(contains(text, "  RealInput 'F_hrung__'(unit = \"m/s2\") \"Führung''\";\n"));
    CHECK(contains(text, "  RealInput 'u'(unit = \"N\") \"u\";\n"));  // u is the vector of all
    CHECK(contains(text, "  RealOutput 'it_s _one_' \"it's \\\"one\\\"\";\n"));
    CHECK(contains(text, "  RealOutput 'back_slash, {comma}' \"back\\\\slash, {comma}\";\n"));
    CHECK(contains(text, "  'back_slash, {comma}' = y[2];\n"));
    CHECK(contains(text, "[4] is 𝛿.y, in µm\n"));
    for (const auto& [name, x] : {std::pair{"x0", plant.at.x}, std::pair{"y0", plant.at.y}}) {
      const std::vector<double> found = parameter_in(text, name);
      CHECK(found == std::vector<double>(x.begin(), x.end()));
    }
    CHECK(!std::regex_search(text,
                             std::regex(R"([{ ,]-?[0-9]+[,}])")));  // a whole number would be an Integer, and lose -0
  }
}

TEST_CASE("plant files: no text of a plant ends a comment of its Modelica model") {
  const ScratchFolder folder;
  Plant plant = two_masses(PlantForm::state_space);
  const std::string text = "one\ntwo\rthree";
  plant.state_names[0] = plant.input_names[0] = plant.output_names[0] = text;
  plant.notes[0] = plant.origin.command = plant.origin.overrides[0] = text;
  write_plant(plant, folder / "plant.mo");
  const std::string model = content_of(folder / "plant.mo");
  CHECK(!contains(model, "one\n"));
  CHECK(!contains(model, "\r"));
  CHECK(contains(model, "// one two three\n"));
  CHECK(contains(model, "//   one two three\n"));
}

TEST_CASE("plant files: a Modelica model keeps names that become the same apart") {
  const ScratchFolder folder;
  Plant plant = two_masses(PlantForm::state_space);
  plant.output_names = {"ä", "ö"};
  write_plant(plant, folder / "plant.mo");
  const std::string text = content_of(folder / "plant.mo");
  CHECK(contains(text, "  RealOutput '_'(unit = \"m\") \"ä\";\n"));
  CHECK(contains(text, "  RealOutput '_ (2)'(unit = \"m/s2\") \"ö\";\n"));
  CHECK(contains(text, "  RealInput force(unit = \"N\") \"force\";\n"));
  plant.at.u = Eigen::VectorXd::Constant(1, 7.5);
  write_plant(plant, folder / "plant.mo");
  CHECK(contains(content_of(folder / "plant.mo"), "  parameter Real u0[1] = {7.5} "));
  plant.name = "force";
  plant.output_names = {"flow", "within"};
  write_plant(plant, folder / "plant.mo");
  const std::string other = content_of(folder / "plant.mo");
  CHECK(contains(other, "model force\n"));
  CHECK(contains(other, "  RealInput 'force (2)'(unit = \"N\") \"force\";\n"));
  CHECK(contains(other,
                 "  RealOutput 'flow'(unit = \"m\") \"flow\";\n  RealOutput 'within'(unit = "));  // these are keywords
}

// ---------------------------------------------------------------------------------------------------------------------
// What is refused

TEST_CASE("plant files: an ending that is none is refused, with what was probably meant") {
  const ScratchFolder folder;
  const Plant plant = two_masses(PlantForm::state_space);
  const auto refusal = [&](const std::string& name) { return error_of([&] { write_plant(plant, folder / name); }); };
  CHECK(refusal("plant.mta") == folder / "plant.mta" +
                                    ": ends with '.mta' (did you mean '.mat'?); a plant is written as .mat, .npz, "
                                    ".json, .mo, or FOLDER/ with a slash");
  CHECK(contains(refusal("plant"), "plant: has no ending; a plant is written as .mat"));
  CHECK(refusal("plant/") == "");
  CHECK(refusal("plant") == "");  // it is a folder by now
}

TEST_CASE("plant files: parts that do not fit together are refused") {
  const ScratchFolder folder;
  const auto refusal = [&](PlantForm form, const auto& spoil) {
    Plant plant = two_masses(form);
    spoil(plant);
    const std::string text = error_of([&] { write_plant(plant, folder / "plant.mat"); });
    CHECK(!std::filesystem::exists(folder / "plant.mat"));
    return text;
  };
  CHECK(refusal(PlantForm::modal, [](Plant& plant) { plant.state_names.pop_back(); }) ==
        "A of the plant is 4 x 4; to match its names it must be 3 x 3");
  CHECK(refusal(PlantForm::second_order, [](Plant& plant) { plant.output_names.push_back("more"); }) ==
        "F of the plant is 2 x 2; to match its names it must be 3 x 2");
  CHECK(refusal(PlantForm::descriptor, [](Plant& plant) { plant.first.E.resize(0, 0); }) ==
        "E of the plant is 0 x 0; to match its names it must be 4 x 4");
  CHECK(refusal(PlantForm::modal, [](Plant& plant) { plant.at.x = Eigen::VectorXd::Zero(3); }) ==
        "the plant has 3 numbers or texts in the operating point of the states; there must be 4 or none");
  CHECK(refusal(PlantForm::modal, [](Plant& plant) { plant.at.u = Eigen::VectorXd::Zero(2); }) ==
        "the plant has 2 numbers or texts in the operating point of the inputs; there must be 1 or none");
  CHECK(refusal(PlantForm::second_order, [](Plant& plant) { plant.second.G.resize(2, 3); }) ==
        "G of the plant is 2 x 3; to match its names it must be 2 x 2");
  CHECK(refusal(PlantForm::modal, [](Plant& plant) { plant.T.resize(5, 4); }) ==
        "T of the plant is 5 x 4; to match its names it must be 0 x 4");
  CHECK(refusal(PlantForm::modal, [](Plant& plant) { plant.check.response.pop_back(); }) ==
        "the check of the plant has 4 frequencies and 3 responses; these numbers must be equal");
  CHECK(refusal(PlantForm::modal, [](Plant& plant) { plant.check.response[1].resize(1, 1); }) ==
        "a response of the plant is 1 x 1; for 2 outputs and 1 inputs it must be 2 x 1");
  CHECK(refusal(PlantForm::second_order, [](Plant& plant) {
          plant.second.K.coeffRef(0, 1) = std::numeric_limits<double>::quiet_NaN();
        }) == "K(1, 2) of the plant is nan: every entry must be a finite number");
}

TEST_CASE("plant files: what is too large is refused before memory is gone") {
  const ScratchFolder folder;
  Plant plant;
  constexpr Index n = 10'000;
  plant.state_names.resize(n);
  plant.first.A.resize(n, n);
  plant.first.B.resize(n, 0);
  plant.first.C.resize(0, n);
  CHECK(contains(error_of([&] { write_plant(plant, folder / "plant.mat"); }),
                 "a matrix of the plant is 10000 x 10000: too large to be written with all its zeros"));
  CHECK(contains(error_of([&] { write_plant(plant, folder / "plant.mo"); }),
                 "the matrices of the plant have 100000000 numbers; a Modelica model can have 1000000"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Folders

TEST_CASE("plant files: a folder that holds something else is left as it is") {
  const ScratchFolder folder;
  const Plant plant = two_masses(PlantForm::second_order);
  folder.write("model/model.yaml", "stillpoint: 1\n");
  folder.write("system/M.mtx", "a mass matrix");
  folder.write("json/model.json", "{\"schema\": \"stillpoint.matrices/1\"}");
  CHECK(contains(error_of([&] { write_plant(plant, folder / "model/"); }), "holds a model.yaml"));
  CHECK(contains(error_of([&] { write_plant(plant, folder / "system/"); }), "holds other matrices, and no plant"));
  CHECK(contains(error_of([&] { write_plant(plant, folder / "json/"); }), "holds other matrices, and no plant"));
  CHECK(content_of(folder / "system/M.mtx") == "a mass matrix");
  CHECK(!std::filesystem::exists(folder / "model/M.mtx"));
}

TEST_CASE("plant files: a plant replaces another in its folder, and leaves other files alone") {
  const ScratchFolder folder;
  folder.write("plant/notes.txt", "mine");
  write_plant(two_masses(PlantForm::second_order), folder / "plant/");
  CHECK(std::filesystem::exists(folder / "plant/M.mtx"));
  write_plant(two_masses(PlantForm::descriptor), folder / "plant/");
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "plant"))
    files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  CHECK(files == std::vector<std::string>{"A.mtx", "B.mtx", "C.mtx", "D.mtx", "E.mtx", "model.json", "notes.txt"});
}
