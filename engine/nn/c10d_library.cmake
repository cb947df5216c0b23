# Which of c10d's groups the target `torch` has for us: PACELINE_C10D_GLOO, in CUDA builds PACELINE_C10D_NCCL. Some are built without; headers of Gloo itself are those of
# libgloo-dev. A check is compiled and linked once a build folder (10 s).
include(CheckCXXSourceCompiles)

function(paceline_check_c10d result macro group)
  set(CMAKE_REQUIRED_LIBRARIES torch ${ARGN})
  set(CMAKE_REQUIRED_DEFINITIONS -D${macro} -DNDEBUG)
  set(CMAKE_REQUIRED_LINK_OPTIONS LINKER:--allow-shlib-undefined)  # what LibTorch's own libraries lack is found when they are loaded
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("
#include <torch/csrc/distributed/c10d/${group}.hpp>
int main() {
  const auto options = c10d::${group}::Options::create();
  options->timeout = std::chrono::seconds(1);
  const auto group = c10::make_intrusive<c10d::${group}>(c10::intrusive_ptr<c10d::Store>(), 0, 1, options);
  std::vector<at::Tensor> tensors;
  return group->allreduce(tensors)->wait() ? 0 : 1;
}
" ${result})
endfunction()

# Wheels have a Gloo of their own in libtorch_cpu, under the names of the other version that paceline_comm links: in one program each would call into the other (it ends in
# "double free or corruption"). Debian's LibTorch uses the same libgloo as we do.
get_target_property(torch_cpu_file torch_cpu LOCATION)
execute_process(COMMAND ${CMAKE_NM} -D --defined-only ${torch_cpu_file} COMMAND grep -c _ZN4gloo9transport3tcp12CreateDevice OUTPUT_VARIABLE own_gloo OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(own_gloo EQUAL 0)
  paceline_check_c10d(PACELINE_C10D_GLOO USE_C10D_GLOO ProcessGroupGloo)
else()
  set(PACELINE_C10D_GLOO OFF)  # whatever was found of another LibTorch
endif()
if(PACELINE_CUDA)
  paceline_check_c10d(PACELINE_C10D_NCCL USE_C10D_NCCL ProcessGroupNCCL paceline_nccl)
else()
  set(PACELINE_C10D_NCCL OFF)
endif()
set(c10d_groups "")
foreach(group Gloo NCCL)
  string(TOUPPER ${group} macro)
  if(PACELINE_C10D_${macro})
    list(APPEND c10d_groups ${group})
    set_property(SOURCE c10d.cpp APPEND PROPERTY COMPILE_DEFINITIONS USE_C10D_${macro})
  endif()
endforeach()
if(c10d_groups)
  list(JOIN c10d_groups " and " c10d_words)
  message(STATUS "LibTorch: c10d with ${c10d_words}")
else()
  message(STATUS "LibTorch: no c10d that we can link, so aggregations lack the engine c10d")
endif()
