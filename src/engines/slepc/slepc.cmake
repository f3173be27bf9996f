# stillpoint-slepc-real and stillpoint-slepc-complex: one source, two programs, as PETSc's numbers are of one type.
#
# They are programs of their own, so that nothing else depends on MPI; Debian's PETSc links libraries under the GPL,
# whose terms hold for these two programs then.

find_package(MPI REQUIRED COMPONENTS CXX)
find_package(PkgConfig REQUIRED)
file(GLOB engine_sources CONFIGURE_DEPENDS src/engines/slepc/*.cpp)
foreach(scalar real complex)
  # Debian keeps both beside each other. One pkg-config path with both of them mixes them without a word.
  file(GLOB slepc_root LIST_DIRECTORIES true /usr/lib/slepcdir/slepc3*/*-${scalar})
  file(GLOB petsc_root LIST_DIRECTORIES true /usr/lib/petscdir/petsc3*/*-${scalar})
  set(STILLPOINT_SLEPC_${scalar} "${slepc_root}" CACHE PATH "Where SLEPc with ${scalar} numbers is")
  set(STILLPOINT_PETSC_${scalar} "${petsc_root}" CACHE PATH "Where PETSc with ${scalar} numbers is")
  find_library(SLEPC_LIBRARY_${scalar} slepc_${scalar} PATHS "${STILLPOINT_SLEPC_${scalar}}/lib" NO_DEFAULT_PATH REQUIRED)
  find_library(PETSC_LIBRARY_${scalar} petsc_${scalar} PATHS "${STILLPOINT_PETSC_${scalar}}/lib" NO_DEFAULT_PATH REQUIRED)
  set(program stillpoint-slepc-${scalar})
  add_executable(${program} ${engine_sources})
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_compile_features(${program} PRIVATE cxx_std_20)
  target_include_directories(${program} PRIVATE src)
  target_include_directories(${program} SYSTEM PRIVATE
    "${STILLPOINT_SLEPC_${scalar}}/include" "${STILLPOINT_PETSC_${scalar}}/include")
  target_link_libraries(${program} PRIVATE
    "${SLEPC_LIBRARY_${scalar}}" "${PETSC_LIBRARY_${scalar}}" MPI::MPI_CXX nlohmann_json::nlohmann_json)
  add_custom_command(TARGET ${program} POST_BUILD
    COMMAND sh "${PROJECT_SOURCE_DIR}/src/engines/slepc/one_scalar.sh" "$<TARGET_FILE:${program}>" ${scalar} VERBATIM)
  install(TARGETS ${program} COMPONENT stillpoint-slepc)
endforeach()
