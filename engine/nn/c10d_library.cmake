# Whether the target `torch` has c10d's Gloo, and in CUDA builds its NCCL: PACELINE_C10D_GLOO, PACELINE_C10D_NCCL. Some are built without, and wheels bring no headers of
# Gloo's own: those of libgloo-dev do. A check is compiled and linked once a build folder (10 s).
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

paceline_check_c10d(PACELINE_C10D_GLOO USE_C10D_GLOO ProcessGroupGloo)
if(PACELINE_C10D_GLOO AND PACELINE_CUDA)
  paceline_check_c10d(PACELINE_C10D_NCCL USE_C10D_NCCL ProcessGroupNCCL paceline_nccl)
endif()
set(c10d_groups "")
if(PACELINE_C10D_GLOO)
  list(APPEND c10d_groups Gloo)
endif()
if(PACELINE_C10D_NCCL)
  list(APPEND c10d_groups NCCL)
endif()
if(c10d_groups)
  list(JOIN c10d_groups " and " c10d_words)
  message(STATUS "LibTorch: c10d with ${c10d_words}")
else()
  message(STATUS "LibTorch: without c10d's Gloo, so aggregations have no engine c10d")
endif()
