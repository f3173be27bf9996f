// What a model offers for completion: parameters, coordinates, inputs, outputs, springs.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/read_model.h"

namespace stillpoint::cli {

enum class WordKind { parameter, coordinate, input, output, spring, varied_input };

struct ModelWord {
  std::string name;
  std::string meaning;  ///< a few words; empty if there is nothing to say
  std::string value;    ///< the present value; empty if it has none
};

/// The words of these kinds of a model file or a folder of matrices, in their order there. Nothing is read, and nothing
/// returned, of files beyond 1 MB: completion must not wait. Throws Error as the reader of models does.
std::vector<ModelWord> words_of_model(const std::string& path, const Parameters& settings,
                                      const std::vector<WordKind>& kinds);

}  // namespace stillpoint::cli
