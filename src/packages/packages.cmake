# Debian packages by CPack: stillpoint, libstillpoint-dev and, where the Python module is built, python3-stillpoint.
# `./dev packages` makes them with STILLPOINT_CHOLMOD=OFF, so that they are free of the GPL (docs/dependencies.md).

set(packages stillpoint libstillpoint-dev)
if(STILLPOINT_PYTHON)
  list(APPEND packages python3-stillpoint)
endif()

# --- What Debian wants beside the files: copyright and changelogs, not part of `cmake --install` ----------------------

find_program(GZIP_PROGRAM gzip REQUIRED)
set(release 1)  # of the package of this version
set(maintainer "stillpoint authors <stillpoint@users.noreply.github.com>")
if(DEFINED ENV{DEBEMAIL} AND DEFINED ENV{DEBFULLNAME})  # where Debian's tools look for who makes a package
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(STILLPOINT_MAINTAINER "${maintainer}" CACHE STRING "Maintainer that the Debian packages name")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # or that of SOURCE_DATE_EPOCH

file(READ LICENSE license)
string(REGEX REPLACE "^.*\n\nRedistribution" "Redistribution" license "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n+$" "" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
configure_file(src/packages/copyright.in packages/copyright @ONLY)

function(compress source target)
  execute_process(COMMAND "${GZIP_PROGRAM}" -9nc "${source}" OUTPUT_FILE "${target}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

compress("${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_BINARY_DIR}/packages/changelog.gz")
foreach(package IN LISTS packages)
  set(folder "${PROJECT_BINARY_DIR}/packages/${package}")
  file(CONFIGURE OUTPUT "${folder}/changelog" @ONLY CONTENT [[
stillpoint (@PROJECT_VERSION@-@release@) unstable; urgency=medium

  * Version @PROJECT_VERSION@: see changelog.gz of the package stillpoint.

 -- @STILLPOINT_MAINTAINER@  @date@
]])
  compress("${folder}/changelog" "${folder}/changelog.Debian.gz")
  install(FILES "${PROJECT_BINARY_DIR}/packages/copyright" "${folder}/changelog.Debian.gz"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" COMPONENT ${package} EXCLUDE_FROM_ALL)
endforeach()
install(FILES "${PROJECT_BINARY_DIR}/packages/changelog.gz"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/stillpoint" COMPONENT stillpoint EXCLUDE_FROM_ALL)

# Where Debian's python3 looks for modules of packages; below /usr/local it looks elsewhere.
if(STILLPOINT_PYTHON)
  install(TARGETS stillpoint-python
    LIBRARY DESTINATION lib/python3/dist-packages/stillpoint COMPONENT python3-stillpoint EXCLUDE_FROM_ALL)
  install(DIRECTORY "${python_package}/" DESTINATION lib/python3/dist-packages/stillpoint
    COMPONENT python3-stillpoint EXCLUDE_FROM_ALL
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN __pycache__ EXCLUDE)
endif()

# --- CPack -----------------------------------------------------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME stillpoint)
set(CPACK_PACKAGE_VENDOR "stillpoint authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has one of its own
set(CPACK_PACKAGE_CONTACT "${STILLPOINT_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)  # as many as there are processors compress
set(CPACK_COMPONENTS_ALL ${packages})
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${release})
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${STILLPOINT_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# The short description and its explanation; a line " ." is an empty one.
function(describe package short)
  string(TOUPPER ${package} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package} PARENT_SCOPE)
  list(JOIN ARGN "\n" text)
  set(CPACK_COMPONENT_${name}_DESCRIPTION "${short}\n${text}" PARENT_SCOPE)
endfunction()

describe(stillpoint "linearization and modal analysis of multibody systems"
  "stillpoint finds equilibria of constrained multibody systems, judges their"
  "stability, computes their modes with an error bound beside every eigenvalue,"
  "follows them over parameters, integrates the motion, and makes linear models"
  "for control design."
  "."
  "This package has the command-line tool, its manual pages, and completion for"
  "bash, zsh and fish.")
set(CPACK_DEBIAN_STILLPOINT_PACKAGE_SECTION science)
set(CPACK_DEBIAN_STILLPOINT_PACKAGE_RECOMMENDS libopenblas0-pthread)
set(CPACK_DEBIAN_STILLPOINT_PACKAGE_SUGGESTS "octave, python3-scipy")

describe(libstillpoint-dev "linearization and modal analysis of multibody systems (development)"
  "stillpoint finds equilibria of constrained multibody systems, judges their"
  "stability, computes their modes, and makes linear models for control design."
  "."
  "This package has the static library, its headers, and a CMake package for"
  "find_package(stillpoint).")
set(CPACK_DEBIAN_LIBSTILLPOINT-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBSTILLPOINT-DEV_PACKAGE_DEPENDS
  "libeigen3-dev (>= 3.4), libfmt-dev, libyaml-cpp-dev, libsuitesparse-dev, liblapack-dev, libblas-dev")
set(CPACK_DEBIAN_LIBSTILLPOINT-DEV_PACKAGE_SHLIBDEPS OFF)  # a static library needs none until it is linked

if(STILLPOINT_PYTHON)
  describe(python3-stillpoint "linearization and modal analysis of multibody systems (Python 3)"
    "stillpoint finds equilibria of constrained multibody systems, judges their"
    "stability, computes their modes, and makes linear models for control design."
    "."
    "This package has the Python module, with matrices as those of SciPy.")
  set(CPACK_DEBIAN_PYTHON3-STILLPOINT_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON3-STILLPOINT_PACKAGE_CONTROL_EXTRA
    "${PROJECT_SOURCE_DIR}/src/packages/python3/postinst;${PROJECT_SOURCE_DIR}/src/packages/python3/prerm")
  set(CPACK_DEBIAN_PYTHON3-STILLPOINT_PACKAGE_CONTROL_STRICT_PERMISSION ON)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON3-STILLPOINT_PACKAGE_DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}), \
python3 (<< 3.${next_minor}), python3-numpy, python3-scipy")
endif()

include(CPack)
