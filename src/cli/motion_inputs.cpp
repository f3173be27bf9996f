// Inputs over time, from files and from expressions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "base/read_text.h"
#include "cli/motion_arguments.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

/// Reads lines TIME,VALUE; the first may be a heading, and text after # is a comment.
InputTable read_table(Index input, const std::string& path) {
  constexpr std::size_t largest = 200'000'000;  // bytes
  InputTable table{.input = input};
  std::istringstream text(read_text(path, largest));
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::string words = line.substr(0, line.find('#'));
    std::replace(words.begin(), words.end(), ',', ' ');
    std::istringstream cells(words);
    double time = 0, value = 0;
    std::string more;
    if (words.find_first_not_of(" \t\r;") == std::string::npos) continue;
    if (cells >> time >> value && !(cells >> more) && std::isfinite(time) && std::isfinite(value)) {
      if (!table.times.empty() && !(table.times.back() < time))
        throw Error(
            fmt::format("{}:{}: the times must ascend, but {:g} follows {:g}", path, number, time, table.times.back()));
      table.times.push_back(time);
      table.values.push_back(value);
    } else if (number > 1) {
      throw Error(fmt::format("{}:{}: '{}' is not TIME,VALUE with two numbers, such as '0.5,1.2'", path, number, line));
    }
  }
  if (table.times.size() < 2)
    throw Error(fmt::format("{}: {} lines TIME,VALUE with two numbers were found; an input over time needs two or more",
                            path, table.times.size()));
  return table;
}

/// A name that ends in .csv is a file, and so is that of a file which exists; everything else is an expression.
bool names_file(const std::string& word) {
  std::error_code none;
  return word.ends_with(".csv") || std::filesystem::exists(word, none);
}

}  // namespace

InputMotion inputs_over_time(const MotionArguments& options, const Model& model, const Eigen::VectorXd& u,
                             double start) {
  if (options.inputs.empty()) return {};
  std::vector<InputTable> tables;
  std::vector<InputExpression> expressions;
  std::vector<Index> given;
  for (const std::string& text : options.inputs) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
      throw Error(
          fmt::format("--input {}: this must be NAME=FILE or NAME=EXPRESSION, such as motor='2*sin(3*t)'", text));
    const std::string name = text.substr(0, sign), what = text.substr(sign + 1);
    const Index input = input_called(model, name, fmt::format("--input {}: ", name));
    if (std::find(given.begin(), given.end(), input) != given.end())
      throw Error(fmt::format("--input {}: this input is given twice", name));
    given.push_back(input);
    if (names_file(what)) {
      tables.push_back(read_table(input, what));
      continue;
    }
    try {
      const std::vector<InputExpression> one{{input, what}};
      follow_expressions(model, u, one)(start);  // what is wrong with it is told with the option that gave it
    } catch (const Error& error) {
      throw Error(fmt::format("--input {}: {} (and there is no file of this name)", name, error.what()));
    }
    expressions.push_back({input, what});
  }
  return follow_expressions(model, u, expressions, follow_tables(u, std::move(tables)));
}

}  // namespace stillpoint::cli
