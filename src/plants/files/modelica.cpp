// A plant as a Modelica model that needs no library. Inputs, states and outputs are increments from the operating
// point, as in the other formats.
//
// Source: Modelica Language Specification 3.6, §2.3 (strings).

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/utf8.h"
#include "plants/files/modelica_names.h"
#include "plants/files/plant_files.h"
#include "plants/files/plant_record.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr std::int64_t most_numbers = 1'000'000;  // compilers make an equation of each

std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + "\"";
}

/// Returns the text as UTF-8 on one line, as comments must be.
std::string tidy(const std::string& text) {
  std::string line = mended(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values

// A number without a decimal point is an Integer in Modelica, where -0 has no sign.
std::string number(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

template <class Row>
std::string row_of(const Row& x) {
  std::string text = "{";
  for (Eigen::Index i = 0; i < x.size(); ++i) text += (i > 0 ? ", " : "") + number(x[i]);
  return text + "}";
}

std::string matrix_value(const Eigen::MatrixXd& A) {
  if (A.size() == 0) return fmt::format("zeros({}, {})", A.rows(), A.cols());
  std::string text = "{";
  for (Eigen::Index i = 0; i < A.rows(); ++i) text += (i > 0 ? ",\n     " : "") + row_of(A.row(i));
  return text + "}";
}

std::string matrix_parameter(const std::string& name, const SparseMatrix& A) {
  return fmt::format("  parameter Real {}[{}, {}] =\n    {};\n", name, A.rows(), A.cols(),
                     matrix_value(Eigen::MatrixXd(A)));
}

std::string vector_parameter(const char* name, const Eigen::VectorXd& x, const char* what) {
  if (x.size() == 0) return "";
  return fmt::format("  parameter Real {}[{}] = {} {};\n", name, x.size(), row_of(x), quoted(what));
}

void require_readable(const Plant& plant) {
  if (plant.sampling)
    throw Error(
        "a Modelica model is written in continuous time: leave out option 'sample-time', or choose another format");
  std::int64_t numbers = 0;
  for (const PlantEntry& entry : plant_record(plant)) {
    const auto* const matrix = std::get_if<PlantMatrix>(&entry.value);
    if (matrix && entry.name != "T" && entry.name != "S")
      numbers += std::int64_t{matrix->matrix->rows()} * matrix->matrix->cols();
  }
  if (numbers > most_numbers)
    throw Error(
        fmt::format("the matrices of the plant have {} numbers; a Modelica model can have {}: reduce the plant, "
                    "or choose another format",
                    numbers, most_numbers));
}

// ---------------------------------------------------------------------------------------------------------------------
// The model

std::string connectors(const char* type, const Texts& names, const Texts& ids, const Texts& units) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string unit = i < units.size() ? modelica_unit(units[i]) : "",
                      attribute = unit.empty() ? "" : fmt::format("(unit = \"{}\")", unit);
    text += fmt::format("  {} {}{} {};\n", type, ids[i], attribute, quoted(names[i]));
  }
  return text;
}

std::string comments(const Plant& plant) {
  std::string text = fmt::format("// {} by {}, as stillpoint {} made it", to_word(plant.form), plant.method,
                                 plant.origin.tool_version);
  if (!plant.origin.command.empty()) text += ":\n//   " + plant.origin.command;
  text += "\n// Inputs, states and outputs are increments from the operating point (x0, u0, y0).\n";
  for (const std::string& override : plant.origin.overrides) text += "// Override: " + override + "\n";
  for (const std::string& note : plant.notes) text += "// " + note + "\n";
  return text;
}

std::string states(const Plant& plant) {
  std::string text;
  const char* const name = plant.form == PlantForm::second_order ? "z" : "x";
  for (std::size_t i = 0; i < plant.state_names.size(); ++i) {
    const std::string unit = i < plant.state_units.size() ? plant.state_units[i] : "";
    text += fmt::format("  // {}[{}] is {}{}\n", name, i + 1, plant.state_names[i], unit.empty() ? "" : ", in " + unit);
  }
  const std::size_t n = plant.state_names.size();
  if (plant.form != PlantForm::second_order) return text + fmt::format("  Real x[{}];\n", n);
  return text + fmt::format("  Real z[{0}];\n  Real v[{0}];\n", n);
}

std::string parameters(const Plant& plant) {
  std::string text;
  for (const PlantEntry& entry : plant_record(plant)) {
    const auto* const matrix = std::get_if<PlantMatrix>(&entry.value);
    const bool is_empty = !matrix || (matrix->matrix->rows() == 0 && matrix->matrix->cols() == 0);
    if (is_empty || entry.name == "T" || entry.name == "S") continue;
    text += matrix_parameter(entry.name, *matrix->matrix);
  }
  return text + vector_parameter("x0", plant.at.x, "the states at the operating point") +
         vector_parameter("u0", plant.at.u, "the inputs at the operating point") +
         vector_parameter("y0", plant.at.y, "the outputs at the operating point");
}

std::string equations(const Plant& plant) {
  if (plant.form == PlantForm::second_order)
    return "  v = der(z);\n  M * der(v) + C * v + K * z = B * u;\n  y = F * z + G * v + D * u;\n";
  const char* const rates = plant.first.E.size() > 0 ? "E * der(x)" : "der(x)";
  return fmt::format("  {} = A * x + B * u;\n  y = C * x + D * u;\n", rates);
}

std::string vector_of(const char* name, const Texts& ids) {
  const std::string value = ids.empty() ? "zeros(0)" : fmt::format("{{{}}}", fmt::join(ids, ", "));
  return fmt::format("  Real {}[{}] = {};\n", name, ids.size(), value);
}

std::string output_equations(const Texts& ids) {
  std::string text;
  for (std::size_t i = 0; i < ids.size(); ++i) text += fmt::format("  {} = y[{}];\n", ids[i], i + 1);
  return text;
}

}  // namespace

std::string to_modelica(const Plant& given) {
  require_readable(given);
  Plant plant = given;
  for (Texts* texts : {&plant.state_names, &plant.input_names, &plant.output_names, &plant.state_units,
                       &plant.input_units, &plant.output_units, &plant.notes, &plant.origin.overrides}) {
    for (std::string& text : *texts) text = tidy(text);
  }
  plant.origin.command = tidy(plant.origin.command);
  const std::string model = modelica_name(mended(plant.name.empty() ? "plant" : plant.name));
  std::set<std::string> taken{model};
  const Texts inputs = modelica_names(plant.input_names, taken), outputs = modelica_names(plant.output_names, taken);
  std::string text = comments(plant) + fmt::format("model {}\n", model);
  text += "  connector RealInput = input Real;\n  connector RealOutput = output Real;\n";
  text += connectors("RealInput", plant.input_names, inputs, plant.input_units);
  text += connectors("RealOutput", plant.output_names, outputs, plant.output_units);
  text += states(plant) + parameters(plant) + "protected\n" + vector_of("u", inputs);
  text += fmt::format("  Real y[{}];\n", outputs.size());
  return text + "equation\n" + equations(plant) + output_equations(outputs) + fmt::format("end {};\n", model);
}

}  // namespace stillpoint
