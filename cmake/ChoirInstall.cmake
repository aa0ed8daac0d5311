# `cmake --install` lays down the program, the public headers and a package that
# find_package(choir) understands: choir::kernel, ..., and choir::choir for all rooms.
include(CMakePackageConfigHelpers)

get_property(rooms GLOBAL PROPERTY CHOIR_ROOMS)
list(TRANSFORM rooms PREPEND choir_ OUTPUT_VARIABLE room_targets)

add_library(choir_library INTERFACE)
add_library(choir::choir ALIAS choir_library)
set_target_properties(choir_library PROPERTIES EXPORT_NAME choir)
target_link_libraries(choir_library INTERFACE ${room_targets})

include(ChoirShared)

# What find_package(choir) has to find for each room.
set(choir_room_table "set(choir_all_components ${rooms} ${shared_components})\n")
foreach(room ${rooms} ${shared_components})
  get_property(seen GLOBAL PROPERTY CHOIR_ROOMS_OF_${room})
  get_property(libraries GLOBAL PROPERTY CHOIR_LIBRARIES_OF_${room})
  string(APPEND choir_room_table "set(choir_rooms_of_${room} ${seen})\nset(choir_libraries_of_${room} ${libraries})\n")
endforeach()
string(REGEX REPLACE ";" " " choir_room_table "${choir_room_table}")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/choir)
install(TARGETS ${room_targets} choir_library ${shared_targets} EXPORT choirTargets)
install(TARGETS choir RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
set(header_list ${PROJECT_SOURCE_DIR}/choir/public_headers.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header_list})
file(STRINGS ${header_list} headers REGEX "^choir/")
foreach(header ${headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(EXPORT choirTargets NAMESPACE choir:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/choirConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/choirConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/choirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/choirConfig.cmake ${PROJECT_BINARY_DIR}/choirConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/ChoirDependencies.cmake DESTINATION ${package_dir})
