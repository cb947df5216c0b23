# The target `torch`: Debian's libtorch-dev, or the LibTorch that CMAKE_PREFIX_PATH points to; the wheel from PyPI holds one.
#
# A LibTorch that was built with CUDA brings a TorchConfig.cmake that asks for the CUDA toolkit, compiler included, even of those who want
# its CPU half only, and sets compiler flags for code that is not its own. We take what we need ourselves: the headers and the libraries.
set(given_torch "")
foreach(prefix ${CMAKE_PREFIX_PATH} $ENV{CMAKE_PREFIX_PATH})
  foreach(folder . Torch share/cmake/Torch)
    if(NOT given_torch AND EXISTS ${prefix}/${folder}/TorchConfig.cmake)
      get_filename_component(given_torch ${prefix}/${folder}/../../.. REALPATH)
    endif()
  endforeach()
endforeach()

set(parts c10 torch_cpu)
if(PACELINE_CUDA)
  if(NOT EXISTS "${given_torch}/lib/libtorch_cuda.so")
    message(FATAL_ERROR "PACELINE_CUDA needs a LibTorch that was built with CUDA; CMAKE_PREFIX_PATH (${CMAKE_PREFIX_PATH}) leads to "
                        "\"${given_torch}\", which has no lib/libtorch_cuda.so")
  endif()
  list(APPEND parts c10_cuda torch_cuda)
endif()

if(EXISTS "${given_torch}/lib/libtorch_cpu.so")
  message(STATUS "LibTorch: ${given_torch} (${parts})")
  foreach(part ${parts})
    add_library(${part} SHARED IMPORTED GLOBAL)
    set_target_properties(${part} PROPERTIES IMPORTED_LOCATION ${given_torch}/lib/lib${part}.so)
  endforeach()
  add_library(torch INTERFACE IMPORTED GLOBAL)
  target_include_directories(torch SYSTEM INTERFACE ${given_torch}/include ${given_torch}/include/torch/csrc/api/include)
  # Its kernels register themselves when it is loaded: needed whether or not a symbol says so.
  target_link_libraries(torch INTERFACE -Wl,--push-state,--no-as-needed ${parts} -Wl,--pop-state)
else()
  find_package(Torch REQUIRED GLOBAL)
  # Debian's libtorch_cpu names OpenCV and FFmpeg, which bring 200 libraries, and uses no symbol of them: loading them takes half of the time and memory of a program that starts.
  # Empty libraries of those names stand in for them. LibTorch itself has no search path, so the program's is asked (DT_RPATH; DT_RUNPATH would count for the program alone).
  get_target_property(torch_cpu_file torch_cpu LOCATION)
  set(stand_ins ${CMAKE_BINARY_DIR}/stand-ins)
  execute_process(COMMAND ldd -u ${torch_cpu_file} OUTPUT_VARIABLE unused ERROR_QUIET)
  string(REGEX MATCHALL "lib(opencv_[a-z0-9]+|avcodec|avformat|avutil|swscale|swresample)\\.so\\.[0-9]+" unused "${unused}")
  foreach(library ${unused})
    if(NOT EXISTS ${stand_ins}/${library})
      file(MAKE_DIRECTORY ${stand_ins})
      execute_process(COMMAND ${CMAKE_C_COMPILER} -shared -nostdlib -x c /dev/null -Wl,-soname,${library} -o ${stand_ins}/${library} COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
  if(unused)
    list(LENGTH unused count)
    message(STATUS "LibTorch: ${count} libraries that it names and does not use are not loaded")
    target_link_options(torch INTERFACE LINKER:--disable-new-dtags,-rpath,${stand_ins})
  endif()
endif()
# The library is a release build, and some of its headers' classes are laid out by this (at::RecordFunction).
set_property(TARGET torch APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS NDEBUG)
