# The static library with no names but the public ones: all objects are linked to one, in which every other name is made
# local, so that a program may have a pt_alloc of its own. Link-time optimisation ends there: the one object is machine
# code, whatever compiler made it. Tests see internals by an archive of the objects as they are.

add_library(partan_objects_archive STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:partan_objects>)

if(PARTAN_SANITIZE) # sanitizers have names of their own that must meet, and nobody installs what they watch
  add_library(partan_static STATIC $<TARGET_OBJECTS:partan_objects>)
  return()
endif()
if(NOT CMAKE_OBJCOPY)
  message(FATAL_ERROR "objcopy was not found, which makes names local: it belongs to binutils, or to LLVM's tools.")
endif()

set(partan_archive_object ${PROJECT_BINARY_DIR}/partan_public.o)
string(TOUPPER "${CMAKE_BUILD_TYPE}" partan_config)
separate_arguments(partan_relink_flags UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${partan_config}}")
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  list(APPEND partan_relink_flags ${CMAKE_C_COMPILE_OPTIONS_IPO})
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  list(APPEND partan_relink_flags -flinker-output=nolto-rel)
endif()
add_custom_command(OUTPUT ${partan_archive_object}
  COMMAND ${CMAKE_C_COMPILER} ${partan_relink_flags} -r -nostdlib -o ${partan_archive_object}
    $<TARGET_OBJECTS:partan_objects>
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=partan_* ${partan_archive_object}
  DEPENDS partan_objects $<TARGET_OBJECTS:partan_objects>
  COMMENT "Linking the library's objects to one, with public names only"
  COMMAND_EXPAND_LISTS VERBATIM)
set_source_files_properties(${partan_archive_object} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
add_library(partan_static STATIC ${partan_archive_object})
set_target_properties(partan_static PROPERTIES LINKER_LANGUAGE C)
