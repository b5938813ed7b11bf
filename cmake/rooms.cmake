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
  else()
    add_library(sunder_${name} INTERFACE)
    target_include_directories(sunder_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(sunder_${name} INTERFACE ${ARG_ROOMS} ${ARG_LIBRARIES})
  endif()
endfunction()
