#include "read/expand_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "model/validation.h"

namespace stillpoint {

namespace {

// --- Parameters

double finite_value(const SourceFile& file, const NumbersTemplate& number) {
  const double value = number.numbers.front().value();
  if (std::isfinite(value)) return value;
  file.fail(*number.source, fmt::format("{} is {}; it must be a finite number", number.title, show(value)));
}

void check_range(const SourceFile& file, const ParameterTemplate& parameter, const ModelParameter& now) {
  const std::string& title = parameter.title;
  const auto refuse = [&](const std::string& problem) {
    file.fail(*parameter.details, fmt::format("{} is {}; it must be {}", title, now.value, problem));
  };
  if (now.least > now.most) {
    file.fail(*parameter.least->source,
              fmt::format("min of {} is {} and max is {}; no value fits", title, now.least, now.most));
  }
  if (now.value < now.least) refuse(fmt::format("at least {}", now.least));
  if (now.value > now.most) refuse(fmt::format("at most {}", now.most));
}

// The parameter with the value that is given, or else the one of the file.
ModelParameter parameter_now(const SourceFile& file, const ParameterTemplate& parameter, const Parameters& given) {
  ModelParameter now{.name = parameter.name, .value = finite_value(file, parameter.value)};
  for (const auto& [name, value] : given) {
    if (name == parameter.name) now.value = value;
  }
  if (!std::isfinite(now.value)) {
    file.fail(*parameter.source, fmt::format("{} is {}; it must be a finite number", parameter.title, show(now.value)));
  }
  now.is_integer = parameter.is_integer;
  if (now.is_integer && now.value != std::floor(now.value)) {
    file.fail(*parameter.details, fmt::format("{} is {}; it must be a whole number", parameter.title, now.value));
  }
  if (parameter.least) now.least = finite_value(file, *parameter.least);
  if (parameter.most) now.most = finite_value(file, *parameter.most);
  check_range(file, parameter, now);
  return now;
}

// ---------------------------------------------------------------------------------------------------------------------

class ModelExpansion {
 public:
  ModelExpansion(ModelTemplate& compiled, std::int64_t most_things)
      : compiled_(compiled), most_things_(most_things), builder_(compiled.name) {
    if (compiled.update && !compiled.update->model) find_updated(compiled.update->steps);
  }

  Model model(const std::vector<ModelParameter>& parameters) {
    for (const ModelParameter& parameter : parameters) builder_.parameter(parameter.name, parameter.value);
    if (compiled_.gravity) set_gravity(*compiled_.gravity);
    if (compiled_.angular_velocity) set_angular_velocity(*compiled_.angular_velocity);
    for (const EntryType::Stage stage : stages) carry_out(compiled_.mechanism, stage);
    return builder_.model();
  }

 private:
  [[noreturn]] void fail(const Tree& where, const std::string& message) const { compiled_.file.fail(where, message); }

  void set_gravity(const NumbersTemplate& gravity) {
    const auto& g = gravity.numbers;
    compiled_.file.at(*gravity.source, [&] {
      builder_.gravity({g[0].value(), g[1].value(), g.size() > 2 ? g[2].value() : 0});
    });
  }

  void set_angular_velocity(const NumbersTemplate& velocity) {
    const auto& w = velocity.numbers;
    const bool in_space = w.size() == 3;
    compiled_.file.at(*velocity.source, [&] {
      builder_.angular_velocity(in_space ? Vec3<double>{w[0].value(), w[1].value(), w[2].value()}
                                         : Vec3<double>{0, 0, w[0].value()});
    });
  }

  void carry_out(const Templates& templates, EntryType::Stage stage) {
    for (const Template& item : templates) {
      if (const auto* const entry = std::get_if<EntryTemplate>(&item)) {
        if (entry->type->stage == stage) carry_out(*entry);
      } else {
        const LoopTemplate& loop = *std::get<std::unique_ptr<LoopTemplate>>(item);
        if (loop.has[static_cast<std::size_t>(stage)]) carry_out(loop, stage);
      }
    }
  }

  void carry_out(const LoopTemplate& loop, EntryType::Stage stage) {
    const double first = bound(loop, loop.first), last = bound(loop, loop.last);
    if (last - first + 1 > static_cast<double>(most_things_)) {
      fail(*loop.source, fmt::format("'{}' repeats {:.4g} times; a model may have at most {} parts", loop.source->text,
                                     last - first + 1, most_things_));
    }
    const std::size_t depth = loops_.size();
    loops_.push_back(&loop);
    for (double i = first; i <= last; ++i) {
      loop.variable->value = i;
      const std::int64_t before = builder_.size();
      carry_out(loop.body, stage);
      if (builder_.size() == before && ++idle_rounds_ > most_things_) {
        fail(*loop.source, fmt::format("repetitions made no entry more than {} times", most_things_));
      }
    }
    loops_.resize(depth);
  }

  double bound(const LoopTemplate& loop, const Expression& expression) const {
    const double value = expression.value();
    if (!(std::abs(value) <= 1e15) || value != std::floor(value)) {
      fail(*loop.source, fmt::format("'{}' in the range '{}' is {}; it must be a whole number{}", expression.text(),
                                     loop.source->text, show(value), loop_state()));
    }
    return value;
  }

  void carry_out(const EntryTemplate& entry) {
    if (builder_.size() >= most_things_) {
      fail(*entry.source, fmt::format("the mechanism has more than {} parts", most_things_));
    }
    const Tree* where = entry.source;
    try {
      for (const FieldTemplate& field : entry.fields) {
        where = field.source;
        field.field->store(entry.entry.get(), evaluate(entry, field));
      }
      where = entry.source;
      entry.type->add(builder_, entry.name.name(), entry.entry.get());
      if (updated_.contains(&entry)) compiled_.update->elements.push_back(builder_.last_element());
    } catch (const FieldError& error) {
      for (const FieldTemplate& field : entry.fields) {
        if (field.field->key == error.field()) where = field.source;
      }
      fail(*where, named(entry, error.message()) + loop_state());
    } catch (const Error& error) {
      fail(*where, named(entry, error.message()) + hint_at_order(entry, *where) + loop_state());
    }
  }

  // Adds the entry to an error message that does not name it. Elements that an entry adds without a name belong to the
  // entry.
  static std::string named(const EntryTemplate& entry, const std::string& message) {
    const std::string nameless = describe(entry.type->info->keyword, {});
    std::string title;
    try {
      title = describe(entry.type->info->keyword, entry.name.name());
    } catch (const Error&) {  // an index of the name itself is wrong
      title = fmt::format("{} '{}'", entry.type->info->keyword, entry.source->text);
    }
    if (message.starts_with(title)) return message;
    if (message.starts_with(nameless + ": ")) return title + message.substr(nameless.size());
    return title + ": " + message;
  }

  // A marker on a marker, or a node on a body, needs its carrier above it in the file.
  std::string hint_at_order(const EntryTemplate& entry, const Tree& where) const {
    const bool is_carrier = std::any_of(entry.fields.begin(), entry.fields.end(), [&](const FieldTemplate& field) {
      return field.source == &where && field.field->key == "on";
    });
    if (is_carrier && entry.type->info->keyword == "node") return "; a node stands below its body";
    const bool sits_on_marker = entry.type->stage == EntryType::Stage::markers && &where != entry.source &&
                                compiled_.markers.contains(word_before_bracket(where.text));
    return sits_on_marker ? "; a marker stands below the marker that it sits on" : "";
  }

  [[noreturn]] static void refuse_number(const EntryTemplate& entry, const FieldTemplate& field,
                                         const Expression& number) {
    throw Error(fmt::format("{}: {} '{}' is {}; it must be a finite number",
                            describe(entry.type->info->keyword, entry.name.name()), field.field->key, number.text(),
                            show(number.value())));
  }

  FieldValue evaluate(const EntryTemplate& entry, const FieldTemplate& field) {
    FieldValue value;
    for (const Expression& number : field.numbers) {
      value.numbers[value.count] = number.value();
      if (!std::isfinite(value.numbers[value.count++])) refuse_number(entry, field, number);
    }
    if (field.field->kind == FieldKind::folder || field.field->kind == FieldKind::text) {
      value.text = field.text;
      value.count = 1;
    }
    if (field.field->kind == FieldKind::flag) value.numbers[value.count++] = field.text == "true" ? 1 : 0;
    for (const Reference& reference : field.references) value.references[value.count++] = reference.resolve(builder_);
    if (field.references.size() > 1) refuse_same(field, value);
    return value;
  }

  // Two different places or coordinates are required: an element between a place and itself has no meaning.
  void refuse_same(const FieldTemplate& field, const FieldValue& value) const {
    const auto begin = value.references.begin();
    for (std::size_t i = 1; i < value.count; ++i) {
      if (std::find(begin, begin + static_cast<std::ptrdiff_t>(i), value.references[i]) == begin + i) continue;
      const std::string& key = std::string(field.field->key);
      throw Error(fmt::format("{} names '{}' twice", key, compiled_.file.parts_of(*field.source, key)[i]));
    }
  }

  std::string loop_state() const {
    std::string text;
    for (const LoopTemplate* const loop : loops_) {
      const std::string name = trimmed(loop->source->text.substr(0, loop->source->text.find(" in ")));
      text += fmt::format("{}{} = {}", text.empty() ? " (with " : ", ", name, loop->variable->value);
    }
    return text.empty() ? "" : text + ")";
  }

  // The entries whose places the model must keep for an update.
  void find_updated(const std::vector<UpdateStep>& steps) {
    for (const UpdateStep& step : steps) {
      if (step.entry) updated_.insert(step.entry);
      find_updated(step.body);
    }
  }

  ModelTemplate& compiled_;
  std::set<const EntryTemplate*> updated_;
  std::int64_t most_things_;
  std::vector<const LoopTemplate*> loops_;
  std::int64_t idle_rounds_ = 0;  // rounds of repetitions without an entry, because the inner repetitions are empty
  ModelBuilder builder_;
};

}  // namespace

void refuse_unknown(const ModelTemplate& compiled, const Parameters& given) {
  for (const auto& [name, value] : given) {
    const auto has_name = [&name = name](const ParameterTemplate& parameter) { return parameter.name == name; };
    if (std::any_of(compiled.parameters.begin(), compiled.parameters.end(), has_name)) continue;
    std::vector<std::string> all;
    for (const ParameterTemplate& parameter : compiled.parameters) all.push_back(parameter.name);
    const std::string known = all.empty() ? "the model has none" : fmt::format("there are {}", fmt::join(all, ", "));
    throw Error({compiled.file.name(), 0, 0},
                fmt::format("there is no parameter '{}'{}; {}", name, did_you_mean(name, all), known));
  }
}

namespace {

// Without their units and what they mean.
std::vector<ModelParameter> set_parameters(ModelTemplate& compiled, const Parameters& given) {
  std::vector<ModelParameter> parameters;
  for (const ParameterTemplate& parameter : compiled.parameters) {
    parameters.push_back(parameter_now(compiled.file, parameter, given));
    compiled.scope.set(parameter.name, {parameters.back().value, {}});
  }
  refuse_unknown(compiled, given);
  return parameters;
}

std::vector<double> values_of(const std::vector<ModelParameter>& parameters) {
  std::vector<double> values;
  for (const ModelParameter& parameter : parameters) values.push_back(parameter.value);
  return values;
}

// Finds the entries that depend on variables, and whether these are elements by whose numbers alone they do.
class UpdatePlan {
 public:
  explicit UpdatePlan(std::vector<const Scope::Variable*> varied) : varied_(std::move(varied)) {}

  bool is_possible() const { return is_possible_; }

  void head(const std::optional<NumbersTemplate>& numbers) {
    if (numbers && uses_any(numbers->numbers)) is_possible_ = false;
  }

  std::vector<UpdateStep> steps(const Templates& templates) {
    std::vector<UpdateStep> found;
    for (const Template& item : templates) {
      UpdateStep step;
      if (const auto* const entry = std::get_if<EntryTemplate>(&item)) {
        step = of(*entry);
        if (step.entry) found.push_back(std::move(step));
      } else {
        const LoopTemplate& loop = *std::get<std::unique_ptr<LoopTemplate>>(item);
        if (loop.first.uses(varied_) || loop.last.uses(varied_)) is_possible_ = false;
        step.loop = &loop;
        step.body = steps(loop.body);
        if (!step.body.empty()) found.push_back(std::move(step));
      }
    }
    return found;
  }

 private:
  template <class Parts>
  bool uses_any(const Parts& parts) const {
    return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.uses(varied_); });
  }

  // What preload chooses depends on other numbers.
  UpdateStep of(const EntryTemplate& entry) {
    UpdateStep step;
    bool is_preloaded = false;
    if (entry.name.uses(varied_)) is_possible_ = false;
    for (const FieldTemplate& field : entry.fields) {
      if (uses_any(field.references)) is_possible_ = false;
      if (uses_any(field.numbers)) step.fields.push_back(&field);
      is_preloaded = is_preloaded || field.field->key == "preload";
    }
    if (step.fields.empty()) return step;
    if (!entry.type->is_element || is_preloaded) is_possible_ = false;
    step.entry = &entry;
    return step;
  }

  std::vector<const Scope::Variable*> varied_;
  bool is_possible_ = true;
};

// Elements in a rotating frame stand in other arrays than those to which they were added.
ModelUpdate planned_update(const ModelTemplate& compiled, const std::vector<double>& values) {
  ModelUpdate update{.varied = std::vector<bool>(values.size()), .values = values};
  std::vector<const Scope::Variable*> varied;
  for (std::size_t i = 0; i < values.size(); ++i) {
    update.varied[i] = values[i] != compiled.last_values[i];
    if (update.varied[i]) varied.push_back(compiled.scope.variables().at(compiled.parameters[i].name).get());
  }
  UpdatePlan plan(std::move(varied));
  plan.head(compiled.gravity);
  update.steps = plan.steps(compiled.mechanism);
  update.is_possible = plan.is_possible() && !compiled.angular_velocity;
  if (!update.is_possible) update.steps.clear();
  return update;
}

// Evaluates the numbers of the elements that an update changes, as their expansion does.
class UpdatedFields {
 public:
  explicit UpdatedFields(const ModelUpdate& update) : next_(update.elements.begin()) { carry_out(update.steps); }

  bool are_allowed() const { return are_allowed_; }
  const std::vector<ElementField>& fields() const { return fields_; }

 private:
  void carry_out(const std::vector<UpdateStep>& steps) {
    for (const UpdateStep& step : steps) {
      if (step.entry) carry_out(step);
      else repeat(step);
    }
  }

  void repeat(const UpdateStep& step) {
    const double first = step.loop->first.value(), last = step.loop->last.value();
    for (double i = first; i <= last; ++i) {
      step.loop->variable->value = i;
      carry_out(step.body);
    }
  }

  void carry_out(const UpdateStep& step) {
    const auto [array, element] = *next_++;
    for (const FieldTemplate* const field : step.fields) {
      ElementField& changed = fields_.emplace_back(ElementField{array, element, field->field, {}});
      FieldValue& value = changed.value;
      for (const Expression& number : field->numbers) {
        value.numbers[value.count] = number.value();
        are_allowed_ = are_allowed_ && std::isfinite(value.numbers[value.count++]);
      }
      are_allowed_ =
          are_allowed_ && problem_with(field->field->allowed, std::span(value.numbers).first(value.count)).empty();
    }
  }

  std::vector<std::pair<std::size_t, Index>>::const_iterator next_;
  std::vector<ElementField> fields_;
  bool are_allowed_ = true;
};

// Empty if it must be expanded: because other parameters changed, or to say what is not allowed.
std::optional<Model> updated(const ModelTemplate& compiled, const std::vector<ModelParameter>& parameters) {
  if (!compiled.update || !compiled.update->model) return {};
  const ModelUpdate& update = *compiled.update;
  std::vector<std::pair<std::string, double>> now;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!update.varied[i] && parameters[i].value != update.values[i]) return {};
    now.emplace_back(parameters[i].name, parameters[i].value);
  }
  const UpdatedFields numbers(update);
  if (!numbers.are_allowed()) return {};
  return update.model->with(numbers.fields(), std::move(now));
}

// A plan that is there serves if no other parameters changed.
void plan_update(ModelTemplate& compiled, const std::vector<double>& values) {
  if (compiled.last_values.empty() || compiled.last_values == values) return;
  if (compiled.update) {
    bool is_planned = true;
    for (std::size_t i = 0; i < values.size(); ++i)
      is_planned = is_planned && (compiled.update->varied[i] || values[i] == compiled.update->values[i]);
    if (is_planned) return;
  }
  compiled.update = planned_update(compiled, values);
}

}  // namespace

Model expand(ModelTemplate& compiled, const Parameters& given, std::int64_t most_things) {
  constexpr Index very_large = 500'000;  // coordinates: a model that is kept would take the memory
  const std::vector<ModelParameter> parameters = set_parameters(compiled, given);
  if (auto made = updated(compiled, parameters)) return *std::move(made);
  const std::vector<double> values = values_of(parameters);
  plan_update(compiled, values);
  Model model = ModelExpansion(compiled, most_things).model(parameters);
  compiled.last_values = values;
  if (compiled.update && compiled.update->is_possible && !compiled.update->model) {
    if (model.coordinates() > very_large) compiled.update.reset();
    else compiled.update->model = model;
  }
  return model;
}

std::vector<ModelParameter> parameters_of(ModelTemplate& compiled, const Parameters& given) {
  std::vector<ModelParameter> parameters = set_parameters(compiled, given);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].unit = compiled.parameters[i].unit;
    parameters[i].help = compiled.parameters[i].help;
  }
  return parameters;
}

}  // namespace stillpoint
