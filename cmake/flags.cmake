# How everything in this project is compiled: the language, warnings, sanitizers.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

add_library(partan_flags INTERFACE)
target_compile_options(partan_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes)
target_compile_definitions(partan_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
if(NOT PARTAN_THREADS) # internal headers too depend on it
  target_compile_definitions(partan_flags INTERFACE PT_NO_THREADS)
endif()
if(PARTAN_WERROR)
  target_compile_options(partan_flags INTERFACE -Werror)
endif()

# Sanitizers go into every object and every link; a report is a failure.
if(PARTAN_SANITIZE)
  add_compile_options(-fsanitize=${PARTAN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${PARTAN_SANITIZE})
endif()
if(PARTAN_BUILD_FUZZERS)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "The fuzz targets use libFuzzer: configure with clang (cmake --preset fuzz).")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
