#include "stillpoint/read_model.h"

#include "stillpoint/model_family.h"

namespace stillpoint {

Model read_model_text(const std::string& text, const std::string& file, const Parameters& parameters,
                      const ReadOptions& options) {
  return ModelFamily::from_text(text, file, {}, options).at(parameters);
}

Model read_model(const std::string& path, const Parameters& parameters, const ReadOptions& options) {
  return ModelFamily(path, {}, options).at(parameters);
}

}  // namespace stillpoint
