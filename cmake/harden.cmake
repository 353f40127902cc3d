# Hardening of everything that is built: what an attacker could do with a mistake in the code is made harder. Flags that
# a compiler or linker does not have are left out. Sanitizers watch more than this does and do not go with it.

option(PARTAN_HARDEN "Harden programs and libraries: stack protector, fortified calls, PIE, read-only relocations" ON)
if(NOT PARTAN_HARDEN OR PARTAN_SANITIZE)
  set(partan_hardened OFF)
  return()
endif()
set(partan_hardened ON)

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER partan_has${flag} known)
  # Compilers warn of flags that mean nothing on their processor, so a warning is a no.
  set(CMAKE_REQUIRED_FLAGS -Werror)
  check_c_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()

# Calls of the C library that know how much room there is. Level 3 also knows sizes that are computed at run time. It
# needs optimisation; a distribution's own flags may have set another level.
set(CMAKE_REQUIRED_FLAGS "-Werror -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
check_c_source_compiles("#include <stdio.h>
#if !defined(__USE_FORTIFY_LEVEL) || __USE_FORTIFY_LEVEL < 3
#error not level 3
#endif
int main(void) { return 0; }" partan_has_fortify_3)
set(CMAKE_REQUIRED_FLAGS)
if(partan_has_fortify_3)
  set(partan_fortify 3)
else()
  set(partan_fortify 2)
endif()
add_compile_options("$<$<NOT:$<CONFIG:Debug>>:SHELL:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${partan_fortify}>")

# Tables of addresses are resolved at the start and read-only afterwards; the stack is not executable.
foreach(flag relro now noexecstack)
  check_linker_flag(C LINKER:-z,${flag} partan_has_z_${flag})
  if(partan_has_z_${flag})
    add_link_options(LINKER:-z,${flag})
  endif()
endforeach()

# Programs can be loaded anywhere.
check_pie_supported(LANGUAGES C OUTPUT_VARIABLE partan_pie_output)
if(CMAKE_C_LINK_PIE_SUPPORTED)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
else()
  message(STATUS "programs are not position independent: ${partan_pie_output}")
endif()
