// Folders of files that are written completely or not at all.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/unfinished.h"

namespace stillpoint {

/// A folder in the making: it stands beside the target until `finish` exchanges the two. A target that exists is
/// unchanged before, and after it holds the new files and those of the old ones that are not ours.
class WholeFolder {
 public:
  /// Throws Error if the folder cannot be made.
  WholeFolder(const std::string& target, std::function<bool(const std::string& file)> is_ours);
  /// Removes what was not finished.
  ~WholeFolder();
  WholeFolder(const WholeFolder&) = delete;
  WholeFolder& operator=(const WholeFolder&) = delete;

  /// Calls `write` with the path at which a file is to be written; its errors are reported under the final name.
  void write(const std::string& file, const std::function<void(const std::string& path)>& write);
  /// Puts the folder in the place of the target. Throws Error; the target is then unchanged.
  void finish();

 private:
  std::vector<std::filesystem::path> keep_foreign_files() const;
  void replace_files() const;
  bool is_in_use() const;

  std::string name_;  // as the user writes it
  std::function<bool(const std::string&)> is_ours_;
  std::filesystem::path target_, made_;  // made_ is empty once it has become the target
  std::deque<Unfinished> unfinished_;
};

}  // namespace stillpoint
