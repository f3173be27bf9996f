#include "stillpoint/read_controllers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "formats/read_json.h"
#include "read/compile_model.h"
#include "read/controller_layout.h"
#include "read/expand_model.h"
#include "read/find_model_file.h"

namespace stillpoint {

namespace {

// Number of names that are compared with an unknown one.
constexpr Index most_suggested = 10'000;

constexpr double usual_delay_order = 2;

/// What controllers may measure and drive.
struct ChannelNames {
  std::vector<std::string> outputs, inputs;

  explicit ChannelNames(const Model& model) {
    for (Index i = 0; i < model.outputs(); ++i) outputs.push_back(model.output_name(i));
    for (Index i = 0; i < model.inputs(); ++i) inputs.push_back(model.input_name(i));
    for (Index i = 0; i < model.coordinates(); ++i) {
      outputs.push_back(model.coordinate_name(i));
      inputs.push_back(model.coordinate_name(i));
    }
  }
};

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using Json = nlohmann::ordered_json;

class ControllerReader {
 public:
  ControllerReader(ModelTemplate& compiled, const Model& model)
      : scope_(compiled.scope), file_(compiled.file), known_(model) {}

  std::vector<Controller> read(const Tree& list) const {
    file_.require(list, Tree::Kind::list, "a list of entries, each with a '-'", "controllers");
    std::vector<Controller> made;
    for (const Tree& item : list.items) {
      made.push_back(controller(item));
      refuse_same_name(made, item);
    }
    return made;
  }

 private:
  [[noreturn]] void fail(const Tree& where, const std::string& message) const { file_.fail(where, message); }

  void refuse_same_name(const std::vector<Controller>& made, const Tree& item) const {
    for (std::size_t k = 0; k + 1 < made.size(); ++k) {
      if (made[k].name == made.back().name)
        fail(item.entries.front().value, fmt::format("there are two controllers '{}'", made.back().name));
    }
  }

  // ----- entries

  const ControllerKind& kind_of(const Tree& keyword) const {
    std::vector<std::string> known;
    for (const ControllerKind& kind : controller_kinds) {
      if (kind.keyword == keyword.text) return kind;
      known.emplace_back(kind.keyword);
    }
    fail(keyword, fmt::format("a controller cannot start with '{}'{}; allowed are {}", keyword.text,
                              did_you_mean(keyword.text, known), fmt::join(known, ", ")));
  }

  void require_keys(const Tree& item, const ControllerKind& kind, const std::string& title) const {
    std::vector<std::string> known;
    for (const Key& key : common_controller_keys) known.emplace_back(key.key);
    for (const Key& key : kind.keys) known.emplace_back(key.key);
    for (std::size_t i = 1; i < item.entries.size(); ++i) {
      const Tree& key = item.entries[i].key;
      if (!is_among(key.text, known))
        fail(key, fmt::format("the key '{}' is unknown in {}{}; allowed are {}", key.text, title,
                              did_you_mean(key.text, known), fmt::join(known, ", ")));
    }
    const auto require = [&](const Key& key) {
      if (key.required && !item.find(key.key)) fail(item, fmt::format("{} lacks '{}': {}", title, key.key, key.help));
    };
    std::for_each(common_controller_keys.begin(), common_controller_keys.end(), require);
    std::for_each(kind.keys.begin(), kind.keys.end(), require);
  }

  Controller controller(const Tree& item) const {
    if (item.kind != Tree::Kind::mapping || item.entries.empty())
      fail(item, fmt::format("a controller must be a mapping such as 'pid: balance', not {}", describe(item)));
    const Tree& name = item.entries.front().value;
    const ControllerKind& kind = kind_of(item.entries.front().key);
    file_.require(name, Tree::Kind::text, "a name", fmt::format("the name of a {}", kind.keyword));
    file_.at(name, [&] { Name(name.text); });
    if (name.text == "all") fail(name, "a controller cannot be called 'all', which stands for all of them");
    const std::string title = fmt::format("{} '{}'", kind.keyword, name.text);
    require_keys(item, kind, title);
    const std::vector<std::string> from = channels(*item.find("from"), "from", "output", known_.outputs, title);
    const std::vector<std::string> to = channels(*item.find("to"), "to", "input", known_.inputs, title);
    Controller made = made_block(kind, item, title, std::ssize(from), std::ssize(to));
    require_counts(made, item, title, std::ssize(from), std::ssize(to));
    made.name = name.text;
    made.from = from;
    made.to = to;
    made.positive_feedback = is_positive(item, title);
    return made;
  }

  /// The functions that make blocks know no places; an error in an expression has one already.
  Controller made_block(const ControllerKind& kind, const Tree& item, const std::string& title, std::ptrdiff_t from,
                        std::ptrdiff_t to) const {
    try {
      return delayed(block(kind, item, title, from, to), item, title);
    } catch (const Error& error) {
      if (error.place().line > 0) throw;
      fail(item, title + ": " + error.message());
    }
  }

  void require_counts(const Controller& made, const Tree& item, const std::string& title, std::ptrdiff_t from,
                      std::ptrdiff_t to) const {
    if (made.D.cols() == from && made.D.rows() == to) return;
    fail(item, fmt::format("{} has {} row{} and {} column{}, but drives {} input{} ('to') and measures {} output{} "
                           "('from')",
                           title, made.D.rows(), ending(made.D.rows()), made.D.cols(), ending(made.D.cols()), to,
                           ending(to), from, ending(from)));
  }

  static const char* ending(std::ptrdiff_t count) { return count == 1 ? "" : "s"; }

  bool is_positive(const Tree& item, const std::string& title) const {
    const Tree* const given = item.find("feedback");
    if (!given || given->text == "negative") return false;
    if (given->text == "positive") return true;
    fail(*given, fmt::format("'feedback' of {} must be negative or positive, not {}", title, describe(*given)));
  }

  std::vector<std::string> channels(const Tree& tree, const char* key, const char* kind,
                                    const std::vector<std::string>& known, const std::string& title) const {
    const std::string of_what = fmt::format("'{}' of {}", key, title);
    const std::vector<std::string> names = file_.parts_of(tree, of_what);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const Tree& where = tree.kind == Tree::Kind::list ? tree.items[k] : tree;
      const bool may_be_rate = kind == std::string_view("output") && names[k].ends_with('\'');
      const std::string base = may_be_rate ? names[k].substr(0, names[k].size() - 1) : names[k];
      if (std::count(names.begin(), names.end(), names[k]) > 1)
        fail(where, fmt::format("{} names '{}' twice", of_what, names[k]));
      if (is_among(base, known)) continue;
      const auto few = known.begin() + std::min<std::ptrdiff_t>(std::ssize(known), most_suggested);
      fail(where, fmt::format("{}: there is no {} or coordinate '{}'{}", of_what, kind, base,
                              did_you_mean(base, std::vector<std::string>(known.begin(), few))));
    }
    return names;
  }

  // ----- numbers

  double number(const Tree& where, const std::string& text, const std::string& of_what) const {
    const double value = file_.at(
        where, [&] { return Expression(text, scope_).value(); }, of_what);
    if (!std::isfinite(value))
      fail(where, fmt::format("{}: '{}' is {}; it must be a finite number", of_what, text, show(value)));
    return value;
  }

  double number_or(const Tree& item, const char* key, double otherwise, const std::string& title) const {
    const Tree* const given = item.find(key);
    if (!given) return otherwise;
    const std::string of_what = fmt::format("'{}' of {}", key, title);
    file_.require(*given, Tree::Kind::text, "a number or an expression", of_what);
    return number(*given, given->text, of_what);
  }

  Eigen::VectorXd numbers(const Tree& tree, const std::string& of_what) const {
    const std::vector<std::string> parts = file_.parts_of(tree, of_what);
    Eigen::VectorXd values(std::ssize(parts));
    for (std::size_t k = 0; k < parts.size(); ++k)
      values[static_cast<Eigen::Index>(k)] = number(tree, parts[k], of_what);
    return values;
  }

  /// A list of rows. A single list is a column where one is needed, and a row otherwise.
  Eigen::MatrixXd matrix(const Tree& item, const char* key, bool is_column, const std::string& title) const {
    const Tree& tree = *item.find(key);
    const std::string of_what = fmt::format("'{}' of {}", key, title);
    const bool has_rows =
        tree.kind == Tree::Kind::list && !tree.items.empty() && tree.items[0].kind != Tree::Kind::text;
    if (!has_rows) {
      const Eigen::VectorXd values = numbers(tree, of_what);
      return is_column ? Eigen::MatrixXd(values) : Eigen::MatrixXd(values.transpose());
    }
    const auto count = std::ssize(tree.items);
    Eigen::MatrixXd made;
    for (Eigen::Index i = 0; i < count; ++i) {
      const Tree& row = tree.items[static_cast<std::size_t>(i)];
      const Eigen::VectorXd values = numbers(row, of_what);
      if (i == 0) made.resize(count, values.size());
      if (values.size() != made.cols())
        fail(row, fmt::format("row {} of {} has {} numbers, the first one has {}", i + 1, of_what, values.size(),
                              made.cols()));
      made.row(i) = values.transpose();
    }
    return made;
  }

  // ----- blocks

  Controller block(const ControllerKind& kind, const Tree& item, const std::string& title, std::ptrdiff_t from,
                   std::ptrdiff_t to) const {
    if (kind.keyword == "pid")
      return pid({number_or(item, "kp", 0, title), number_or(item, "ki", 0, title), number_or(item, "kd", 0, title),
                  number_or(item, "filter_time", 0, title)});
    if (kind.keyword == "transfer_function")
      return transfer_function(numbers(*item.find("numerator"), "'numerator' of " + title),
                               numbers(*item.find("denominator"), "'denominator' of " + title));
    if (kind.keyword == "state_space")
      return item.find("file") ? from_file(item, title) : given_block(item, title, from, to);
    return gain(matrix(item, kind.keyword == "gain" ? "value" : "gain", from == 1 && to > 1, title));
  }

  Controller given_block(const Tree& item, const std::string& title, std::ptrdiff_t from, std::ptrdiff_t to) const {
    for (const char* const key : {"A", "B", "C"}) {
      if (!item.find(key)) fail(item, fmt::format("{} lacks '{}' (or 'file', which has all matrices)", title, key));
    }
    const Tree* const states = item.find("states");
    const Eigen::MatrixXd D = item.find("D") ? matrix(item, "D", from == 1, title) : Eigen::MatrixXd::Zero(to, from);
    return state_space_block(matrix(item, "A", false, title), matrix(item, "B", from == 1, title),
                             matrix(item, "C", false, title), D,
                             states ? file_.parts_of(*states, "'states' of " + title) : std::vector<std::string>());
  }

  Controller from_file(const Tree& item, const std::string& title) const {
    for (const char* const key : {"A", "B", "C", "D", "states"}) {
      if (const Tree* const also = item.find(key))
        fail(*also, fmt::format("{} has a 'file', so that '{}' is not needed", title, key));
    }
    const Tree& name = *item.find("file");
    file_.require(name, Tree::Kind::text, "a path", "'file' of " + title);
    const std::string path = (std::filesystem::path(file_.name()).parent_path() / name.text).string();
    const Json plant = read_json(path);
    try {
      const bool fits = plant.at("schema") == "stillpoint.plant/1" && plant.contains("A") &&
                        (!plant.contains("E") || plant.at("E").empty());
      if (!fits) throw Error("it is no plant with A, B, C and D: export the form state-space or modal as .json");
      return state_space_block(full_matrix_of(plant.at("A")), full_matrix_of(plant.at("B")),
                               full_matrix_of(plant.at("C")), full_matrix_of(plant.at("D")),
                               plant.at("StateName").get<std::vector<std::string>>());
    } catch (const Json::exception& problem) {
      fail(name, fmt::format("{}: {} is no plant of 'stillpoint export' ({})", title, path, problem.what()));
    } catch (const Error& problem) {
      fail(name, fmt::format("{}: {}: {}", title, path, problem.message()));
    }
  }

  /// A list of rows, or an object of triplets with a shape.
  static Eigen::MatrixXd full_matrix_of(const Json& json) {
    if (json.is_object()) {
      const auto shape = json.at("shape").get<std::vector<Eigen::Index>>();
      const auto rows = json.at("rows").get<std::vector<Eigen::Index>>();
      const auto columns = json.at("columns").get<std::vector<Eigen::Index>>();
      const auto values = json.at("values").get<std::vector<double>>();
      Eigen::MatrixXd made = Eigen::MatrixXd::Zero(shape.at(0), shape.at(1));
      for (std::size_t k = 0; k < values.size(); ++k) {
        const bool is_inside =
            rows.at(k) >= 0 && rows.at(k) < made.rows() && columns.at(k) >= 0 && columns.at(k) < made.cols();
        if (!is_inside) throw Error("an entry of a matrix is outside of its shape");
        made(rows.at(k), columns.at(k)) = values[k];
      }
      return made;
    }
    const auto rows = json.get<std::vector<std::vector<double>>>();
    Eigen::MatrixXd made(std::ssize(rows), rows.empty() ? 0 : std::ssize(rows.front()));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (std::ssize(rows[i]) != made.cols()) throw Error("the rows of a matrix have different lengths");
      for (std::size_t j = 0; j < rows[i].size(); ++j)
        made(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = rows[i][j];
    }
    return made;
  }

  Controller delayed(Controller made, const Tree& item, const std::string& title) const {
    const double delay = number_or(item, "delay", 0, title);
    const double order = number_or(item, "delay_order", usual_delay_order, title);
    if (order != std::floor(order) || order < 1 || order > highest_delay_order)
      fail(*item.find("delay_order"), fmt::format("'delay_order' of {} is {}; it must be a whole number from 1 to {}",
                                                  title, order, highest_delay_order));
    return delay == 0 ? made : with_delay(made, delay, static_cast<int>(order));
  }

  const Scope& scope_;
  const SourceFile& file_;
  ChannelNames known_;
};

// Parsing large files takes long, so it is done only where the word stands in the text.
std::optional<Tree> tree_with_controllers(const std::string& text, const std::string& file) {
  if (text.find("controllers") == std::string::npos) return {};
  Tree root = parse_tree(text, file);
  return root.find("controllers") ? std::optional(std::move(root)) : std::nullopt;
}

// compile_model refuses controllers in what can be read only once.
std::string text_to_read_again(const std::string& file) { return is_stream(file) ? "" : text_of_model_file(file); }

}  // namespace

bool has_controllers(const std::string& path) {
  const std::string file = find_model_file(path);
  return tree_with_controllers(text_to_read_again(file), file).has_value();
}

std::vector<Controller> read_controllers(const std::string& path, const Model& model, const Parameters& parameters,
                                         const ReadOptions& options) {
  const std::string file = find_model_file(path);
  return controllers_from_text(text_to_read_again(file), file, model, parameters, options);
}

std::vector<Controller> controllers_from_text(const std::string& text, const std::string& file, const Model& model,
                                              const Parameters& parameters, const ReadOptions& options) {
  const std::optional<Tree> root = tree_with_controllers(text, file);
  if (!root) return {};
  const std::unique_ptr<ModelTemplate> compiled = compile_model(*root, file, options.more_types);
  parameters_of(*compiled, parameters);  // gives the scope their values
  return ControllerReader(*compiled, model).read(*root->find("controllers"));
}

}  // namespace stillpoint
