#include "installation/installation.h"

#include <Spectra/Util/Version.h>
#include <SuiteSparse_config.h>
#include <amd.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <klu.h>
#include <langinfo.h>
#include <link.h>
#include <locale.h>
#include <unistd.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "installation/self_check.h"
#include "stillpoint/sparsity.h"
#include "stillpoint/threads.h"
#include "stillpoint/version.h"

extern "C" void ilaver_(int* major, int* minor, int* patch);

namespace stillpoint {

namespace {

std::string dotted(int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); }

// ---------------------------------------------------------------------------------------------------------------------
// Libraries

/// The file from which a function was loaded, with links resolved; empty if it is part of the program or not there.
std::string file_with(const char* function) {
  void* const address = dlsym(RTLD_DEFAULT, function);
  Dl_info info{};
  if (!address || dladdr(address, &info) == 0 || !info.dli_fname) return {};
  std::error_code failed;
  const std::filesystem::path file = std::filesystem::canonical(info.dli_fname, failed);
  const bool is_program = !failed && file == std::filesystem::canonical("/proc/self/exe", failed);
  return failed || is_program ? std::string() : file.string();
}

/// The file of the loaded library whose name begins so ("libfmt.so"), with links resolved; empty if there is none.
std::string loaded_library(const std::string& name) {
  struct Search {
    const std::string& name;
    std::string file;
  } search{name, {}};
  const auto visit = [](dl_phdr_info* info, std::size_t, void* data) {
    Search& wanted = *static_cast<Search*>(data);
    const std::filesystem::path file(info->dlpi_name);
    const bool is_found = file.filename().string().starts_with(wanted.name);
    std::error_code failed;
    if (is_found) wanted.file = std::filesystem::canonical(file, failed).string();
    return is_found ? 1 : 0;
  };
  dl_iterate_phdr(visit, &search);
  return search.file;
}

template <class Function>
Function* optional_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// "OpenBLAS 0.3.21 NO_LAPACKE ..." → "0.3.21"
std::string second_word(const std::string& text) {
  std::istringstream words(text);
  std::string first, second;
  words >> first >> second;
  return second;
}

BlasFacts blas_facts() {
  BlasFacts facts;
  facts.blas_file = file_with("dgemm_");
  facts.lapack_file = file_with("dsyevd_");
  if (const auto config = optional_function<char*()>("openblas_get_config"))
    facts.openblas_version = second_word(config());
  if (const auto core = optional_function<char*()>("openblas_get_corename")) facts.kernels = core();
  if (const auto parallel = optional_function<int()>("openblas_get_parallel")) facts.has_threads = parallel() != 0;
  return facts;
}

std::string lapack_version() {
  int major = 0, minor = 0, patch = 0;
  ilaver_(&major, &minor, &patch);
  return dotted(major, minor, patch);
}

std::vector<SoftwarePart> libraries_with(const BlasFacts& blas) {
  const std::string blas_version =
      blas.openblas_version.empty() ? "" : fmt::format("OpenBLAS {}, {} kernels", blas.openblas_version, blas.kernels);
  constexpr int thousand = 1000, hundred = 100;
  return {
      {"BLAS", blas_version, blas.blas_file, "products of dense matrices"},
      {"LAPACK", lapack_version(), blas.lapack_file, "dense eigenvalues"},
      {"SuiteSparse", dotted(SUITESPARSE_MAIN_VERSION, SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION), "",
       "sparse LU factors and orderings: KLU, AMD, BTF"},
      {"KLU", dotted(KLU_MAIN_VERSION, KLU_SUB_VERSION, KLU_SUBSUB_VERSION), loaded_library("libklu.so"),
       "of SuiteSparse"},
      {"AMD", dotted(AMD_MAIN_VERSION, AMD_SUB_VERSION, AMD_SUBSUB_VERSION), loaded_library("libamd.so"),
       "of SuiteSparse"},
      {"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION), "", "matrices"},
      {"Spectra", dotted(SPECTRA_MAJOR_VERSION, SPECTRA_MINOR_VERSION, SPECTRA_PATCH_VERSION), "", "--engine spectra"},
      {"fmt", dotted(FMT_VERSION / thousand / 10, FMT_VERSION / hundred % hundred, FMT_VERSION % hundred),
       loaded_library("libfmt.so"), "texts"},
      {"yaml-cpp", "", loaded_library("libyaml-cpp.so"), "model files"},
      {"nlohmann/json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH),
       "", "JSON"}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Optional parts

/// What a command prints, or nothing if it fails or takes longer than ten seconds.
std::string printed_by(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(
      popen(("{ timeout 10 " + command + "; } 2>/dev/null").c_str(), "r"), pclose);
  std::string text;
  char buffer[512];
  while (pipe) {
    const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe.get());
    if (count == 0) break;
    text.append(buffer, count);
  }
  return text;
}

SoftwarePart cholmod_part() {
  const std::string name = cholesky_library(), word = "CHOLMOD ";
  SoftwarePart part{"CHOLMOD", name.starts_with(word) ? name.substr(word.size()) : name,
                    loaded_library("libcholmod.so"), "Cholesky factors in the report of 'sparsity'", !name.empty()};
  if (!part.is_there) part.note += "; this program was built without it, so that it is free of the GPL";
  return part;
}

/// Starts `python3` in the folder /, so that a folder of this name where the user works is not taken for the module.
SoftwarePart python_part() {
  const std::string script =
      "import sys, stillpoint; print(getattr(stillpoint, \"__version__\", \"?\")); print(stillpoint.__file__)";
  std::istringstream lines(printed_by("sh -c 'cd / && exec python3 -c \"$1\"' sh '" + script + "'"));
  SoftwarePart part{"Python module", "", "", "'import stillpoint' in python3", false};
  std::getline(lines, part.version);
  std::getline(lines, part.place);
  part.is_there = !part.place.empty();
  if (!part.is_there) part.version.clear();
  if (!part.is_there) part.note += ": the python3 that the shell finds has no such module";
  return part;
}

std::vector<SoftwarePart> optional_parts() {
  return {cholmod_part(),
          python_part(),
          {"SUNDIALS", "", "", "this version integrates motions by methods of its own", false}};
}

// ---------------------------------------------------------------------------------------------------------------------
// The machine

/// The value of the first line "KEY<separator>VALUE" of a file, without quotes; empty if there is none.
std::string value_in_file(const char* path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    std::string value = line.substr(std::min(line.size(), line.find(separator) + 1));
    std::erase(value, '"');
    const std::size_t first = value.find_first_not_of(" \t");
    return first == std::string::npos ? std::string() : value.substr(first);
  }
  return {};
}

std::string compiler_name() {
#ifdef __clang__
  return "clang " + dotted(__clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return "GCC " + dotted(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

double physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(pages) * static_cast<double>(size);
}

bool processor_has_avx2() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

/// Of the locale that the environment names; the program itself keeps to the locale C, in which numbers have points.
bool locale_is_utf8() {
  const locale_t locale = newlocale(LC_CTYPE_MASK, "", static_cast<locale_t>(nullptr));
  if (!locale) return false;
  const std::string name = nl_langinfo_l(CODESET, locale);
  freelocale(locale);
  return name == "UTF-8";
}

}  // namespace

Installation inspect_installation() {
  Installation found;
  found.version = version();
  found.compiler = compiler_name();
  found.system = value_in_file("/etc/os-release", "PRETTY_NAME", '=');
  found.processor = value_in_file("/proc/cpuinfo", "model name", ':');
  found.memory = physical_memory();
  found.processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  found.threads = most_threads();
  found.has_avx2 = processor_has_avx2();
  found.is_utf8 = locale_is_utf8();
  found.blas = blas_facts();
  found.libraries = libraries_with(found.blas);
  found.optional = optional_parts();
  for (const SoftwarePart& part : found.optional) {
    if (part.name == "Python module" && part.is_there) found.python_version = part.version;
  }
  found.check = check_against_known_answers();
  return found;
}

}  // namespace stillpoint
