// Where a model file lies, and what is in it.
#pragma once

#include <string>

namespace stillpoint {

/// The path of a model file, or of model.yaml in a folder. Throws Error if there is none.
std::string find_model_file(const std::string& path);

/// Returns whether it is a pipe or the like, which can be read only once.
bool is_stream(const std::string& file);

std::string text_of_model_file(const std::string& file);

}  // namespace stillpoint
