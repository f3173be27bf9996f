#include "stillpoint/model_family.h"

#include <mutex>
#include <utility>

#include "read/compile_model.h"
#include "read/expand_model.h"
#include "read/find_model_file.h"

namespace stillpoint {

// A compiled file is expanded by one thread at a time. A thread that finds none idle compiles the tree anew, so that
// there are as many as threads have ever worked at a time. One whose expansion has failed is not used again.
struct ModelFamily::Parts {
  Tree root;
  std::string file;
  Parameters settings;
  ReadOptions options;
  std::mutex mutex;
  std::vector<std::unique_ptr<ModelTemplate>> idle;

  std::unique_ptr<ModelTemplate> compile() const { return compile_model(root, file, options.more_types); }

  std::unique_ptr<ModelTemplate> take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        auto taken = std::move(idle.back());
        idle.pop_back();
        return taken;
      }
    }
    return compile();
  }

  void give_back(std::unique_ptr<ModelTemplate> compiled) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(compiled));
  }
};

namespace {

// The settings of the family and behind them, so that they count, other values.
Parameters joined(Parameters settings, const Parameters& others) {
  settings.insert(settings.end(), others.begin(), others.end());
  return settings;
}

}  // namespace

ModelFamily::ModelFamily(std::shared_ptr<Parts> parts) : parts_(std::move(parts)) {
  auto compiled = parts_->compile();
  refuse_unknown(*compiled, parts_->settings);
  parts_->give_back(std::move(compiled));
}

ModelFamily ModelFamily::from_text(const std::string& text, const std::string& file, const Parameters& settings,
                                   const ReadOptions& options) {
  auto parts = std::make_shared<Parts>();
  parts->root = parse_tree(text, file);
  parts->file = file;
  parts->settings = settings;
  parts->options = options;
  return ModelFamily(std::move(parts));
}

ModelFamily::ModelFamily(const std::string& path, const Parameters& settings, const ReadOptions& options) {
  const std::string file = find_model_file(path);
  *this = from_text(text_of_model_file(file), file, settings, options);
}

Model ModelFamily::at(const Parameters& parameters) const {
  auto compiled = parts_->take();
  Model model = expand(*compiled, joined(parts_->settings, parameters), parts_->options.most_things);
  parts_->give_back(std::move(compiled));
  return model;
}

std::vector<ModelParameter> ModelFamily::parameters(const Parameters& parameters) const {
  auto compiled = parts_->take();
  auto all = parameters_of(*compiled, joined(parts_->settings, parameters));
  parts_->give_back(std::move(compiled));
  return all;
}

}  // namespace stillpoint
