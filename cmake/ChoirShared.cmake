# The same objects as shared libraries: libchoir-core is what applies models, libchoir the rest. Nothing is compiled twice.
# Only namespace choir is visible from outside (libchoir.map).
set(shared_targets "")
set(shared_components "")
option(CHOIR_SHARED "Shared libraries beside the static ones" ON)
if(NOT CHOIR_SHARED OR CHOIR_SANITIZE)
  return()
endif()

set(core_rooms base crypto linalg kernel codec model)
set(other_rooms ${rooms})
list(REMOVE_ITEM other_rooms ${core_rooms})

function(choir_shared_library name output)
  set(objects "")
  set(libraries "")
  foreach(room ${ARGN})
    list(APPEND objects $<TARGET_OBJECTS:choir_${room}>)
    get_property(found GLOBAL PROPERTY CHOIR_LIBRARIES_OF_${room})
    list(APPEND libraries ${found})
  endforeach()
  list(REMOVE_DUPLICATES libraries)
  add_library(choir_${name} SHARED ${objects})
  add_library(choir::${name} ALIAS choir_${name})
  set_target_properties(choir_${name} PROPERTIES
    EXPORT_NAME ${name} OUTPUT_NAME ${output} LINKER_LANGUAGE CXX INSTALL_RPATH "\$ORIGIN"
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}  # 0.x breaks with every minor one
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/libchoir.map)
  choir_same_runpath(choir_${name})
  target_compile_features(choir_${name} PUBLIC cxx_std_20)
  target_include_directories(choir_${name} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                     $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_options(choir_${name} PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/libchoir.map LINKER:--no-undefined
                                            LINKER:--as-needed)
  target_link_libraries(choir_${name} PRIVATE ${libraries} $<BUILD_INTERFACE:choir_flags>)
endfunction()

# What their headers include.
set(header_libraries Eigen3::Eigen PkgConfig::openblas fmt::fmt nlohmann_json::nlohmann_json)
get_target_property(eigen_settings choir_linalg INTERFACE_COMPILE_DEFINITIONS)

choir_shared_library(core_shared choir-core ${core_rooms})
target_link_libraries(choir_core_shared INTERFACE ${header_libraries})
target_compile_definitions(choir_core_shared INTERFACE ${eigen_settings})
choir_shared_library(shared choir ${other_rooms})
target_link_libraries(choir_shared PUBLIC choir_core_shared)

set(shared_targets choir_core_shared choir_shared)
set(shared_components core_shared shared)
choir_needs(core_shared LIBRARIES ${header_libraries})
choir_needs(shared ROOMS core_shared)

# The files say where they are by their own place, so that a package may be installed anywhere.
file(RELATIVE_PATH include_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix/${CMAKE_INSTALL_INCLUDEDIR})
list(TRANSFORM eigen_settings PREPEND -D OUTPUT_VARIABLE eigen_flags)
list(JOIN eigen_flags " " eigen_flags)
foreach(package choir choir-core)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
