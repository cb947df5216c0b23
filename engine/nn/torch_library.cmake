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
endif()
# The library is a release build, and some of its headers' classes are laid out by this (at::RecordFunction).
set_property(TARGET torch APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS NDEBUG)
