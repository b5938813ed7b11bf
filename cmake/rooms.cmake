# Flags for our own code: every warning is an error. Left out: -Wmissing-field-initializers, which dislikes designated
# initialisers, and -Wrestrict, which g++ 12 raises falsely on std::string (its bug 105651).
function(sunder_own_code target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                           -Wextra-semi -Wcast-qual -Wno-missing-field-initializers -Wdouble-promotion -Werror
                                           $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(SUNDER_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${SUNDER_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${SUNDER_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
      # What the address sanitizer sees anyway, or the processor: these checks sit at every access and cost half of the
      # time of a build. Nor does a fuzzer learn its way from the branches of Eigen and the standard library.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,vptr,object-size,pointer-overflow)
      if(SUNDER_SANITIZE MATCHES fuzzer)
        target_compile_options(${target} PRIVATE -Wno-unused-command-line-argument
          -fsanitize-coverage-ignorelist=${CMAKE_SOURCE_DIR}/tests/fuzz/foreign_headers.txt)
      endif()
    endif()
  endif()
endfunction()

# sunder_room(NAME [ROOMS other...] [LIBRARIES third-party...]): the library sunder_NAME of src/NAME.
# A room sees the rooms named here and what they see, nothing else.
function(sunder_room name)
  cmake_parse_arguments(ARG "" "" "ROOMS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
  list(TRANSFORM ARG_ROOMS PREPEND sunder_)
  if(sources)
    add_library(sunder_${name} STATIC ${sources})
    target_include_directories(sunder_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(sunder_${name} PUBLIC ${ARG_ROOMS} ${ARG_LIBRARIES})
    sunder_own_code(sunder_${name})
    sunder_use_pch(sunder_${name} sunder_pch)
  else()
    add_library(sunder_${name} INTERFACE)
    target_include_directories(sunder_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(sunder_${name} INTERFACE ${ARG_ROOMS} ${ARG_LIBRARIES})
  endif()
endfunction()

# Headers that most files read, read once: a build with sanitizers takes half the time. Off elsewhere, because it hides
# an #include that a file forgot. sunder_pch is for the rooms, sunder_test_pch for the tests; a file whose options
# differ must set SKIP_PRECOMPILE_HEADERS.
option(SUNDER_PCH "Precompiled headers" OFF)
function(sunder_pch target)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;HEADERS" ${ARGN})
  if(SUNDER_PCH)
    file(WRITE ${CMAKE_BINARY_DIR}/${target}.cpp "")
    add_library(${target} OBJECT ${CMAKE_BINARY_DIR}/${target}.cpp)
    target_link_libraries(${target} PRIVATE Eigen3::Eigen fmt::fmt ${ARG_LIBRARIES})
    target_precompile_headers(${target} PRIVATE <Eigen/Dense> <fmt/format.h> <algorithm> <array> <cmath> <cstdint>
      <filesystem> <functional> <map> <memory> <optional> <span> <string> <string_view> <unordered_map> <vector>
      ${ARG_HEADERS})
    sunder_own_code(${target})
  endif()
endfunction()

function(sunder_use_pch target from)
  if(SUNDER_PCH)
    target_precompile_headers(${target} REUSE_FROM ${from})
  endif()
endfunction()
