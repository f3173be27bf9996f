#include "base/whole_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& name, const std::string& what, const std::string& why) {
  throw Error({name, 0, 0}, fmt::format("{}: {}", what, why));
}

/// An absolute path without "." and without a slash at the end; links are followed as far as they exist.
fs::path resolved(const std::string& name) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(name, failed);
  if (failed) fail(name, "cannot be found from here", failed.message());
  fs::path path = fs::weakly_canonical(absolute, failed);
  if (failed) path = absolute.lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    entries.push_back(entry->path());
  if (failed) fail(folder.string(), "cannot be read", failed.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// Makes what was written last, even if the power fails.
void synchronise(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

WholeFolder::WholeFolder(const std::string& target, std::function<bool(const std::string&)> is_ours)
    : name_(target), is_ours_(std::move(is_ours)), target_(resolved(target)) {
  remove_abandoned(target_);
  made_ = target_;
  made_ += fmt::format(".{}.part", getpid());
  std::error_code failed;
  fs::create_directories(target_.parent_path(), failed);
  if (!failed) {
    unfinished_.emplace_back(made_.string());
    fs::create_directory(made_, failed);
  }
  if (failed) fail(name_, "cannot be created", failed.message());
  if (fs::exists(target_, failed) && !fs::is_directory(target_, failed)) {
    fs::remove(made_, failed);
    fail(name_, "cannot be created", "a file of this name exists");
  }
}

WholeFolder::~WholeFolder() {
  if (made_.empty()) return;
  std::error_code none;
  fs::remove_all(made_, none);
}

void WholeFolder::write(const std::string& file, const std::function<void(const std::string&)>& write) {
  const std::string path = (made_ / file).string();
  unfinished_.emplace_back(path);
  try {
    write(path);
  } catch (const Error& error) {
    throw Error({(fs::path(name_) / file).string(), 0, 0}, error.message());
  }
}

/// Links files that are not ours into the new folder, and returns the folders, which cannot be linked. Throws Error
/// where that is impossible.
std::vector<fs::path> WholeFolder::keep_foreign_files() const {
  std::vector<fs::path> folders;
  for (const fs::path& entry : entries_of(target_)) {
    const std::string name = entry.filename().string();
    std::error_code none;
    if (is_ours_(name)) continue;
    if (fs::is_directory(fs::symlink_status(entry, none))) folders.push_back(entry.filename());
    else if (linkat(AT_FDCWD, entry.c_str(), AT_FDCWD, (made_ / name).c_str(), 0) != 0)
      fail(name_, fmt::format("cannot be replaced, for its file '{}' cannot be kept", name), std::strerror(errno));
  }
  return folders;
}

/// Whether a program stands in the folder: this one, or the shell that started it.
bool WholeFolder::is_in_use() const {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  return !failed && std::mismatch(target_.begin(), target_.end(), here.begin(), here.end()).first == target_.end();
}

/// Moves one file after the other, where the folder itself must remain.
void WholeFolder::replace_files() const {
  const std::vector<fs::path> files = entries_of(made_);
  const auto is_new = [&](const fs::path& name) {
    return std::any_of(files.begin(), files.end(), [&](const fs::path& file) { return file.filename() == name; });
  };
  std::error_code failed;
  for (const fs::path& file : files) {
    fs::rename(file, target_ / file.filename(), failed);
    if (failed) fail((fs::path(name_) / file.filename()).string(), "cannot be written", failed.message());
  }
  for (const fs::path& entry : entries_of(target_)) {
    if (!is_ours_(entry.filename().string()) || is_new(entry.filename())) continue;
    fs::remove(entry, failed);
    if (failed) fail((fs::path(name_) / entry.filename()).string(), "cannot be removed", failed.message());
  }
}

void WholeFolder::finish() {
  const Uninterrupted moment;
  std::error_code failed;
  synchronise(made_);
  if (!fs::exists(target_, failed)) {
    fs::rename(made_, target_, failed);
    if (failed) fail(name_, "cannot be created", failed.message());
    synchronise(target_.parent_path());
    return;
  }
  if (is_in_use()) return replace_files();
  fs::permissions(made_, fs::status(target_, failed).permissions(), failed);
  const std::vector<fs::path> folders = keep_foreign_files();
  if (renameat2(AT_FDCWD, made_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
    const bool is_unknown_here = errno == EINVAL || errno == ENOSYS || errno == EXDEV;  // to the file system
    if (is_unknown_here) return replace_files();
    fail(name_, "cannot be replaced", std::strerror(errno));
  }
  synchronise(target_.parent_path());
  const fs::path old = std::exchange(made_, {});
  for (const fs::path& name : folders) {
    fs::rename(old / name, target_ / name, failed);
    if (failed)
      fail(name_, fmt::format("is written, but its folder '{}' is now in {}", name.string(), old.string()),
           failed.message());
  }
  fs::remove_all(old, failed);
  if (failed)
    fail(name_, fmt::format("is written, but what it replaced remains as {}", old.string()), failed.message());
}

}  // namespace stillpoint
