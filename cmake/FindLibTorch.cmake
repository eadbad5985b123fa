# LibTorch from the Python package `torch`, for the CPU: the imported targets torch_cpu and c10. Its own CMake
# package asks for a CUDA toolkit. scripts/setup.sh --train installs it.
#
#   LibTorch_FOUND, and as a cache variable UCMOH_VENV, the virtual environment to look in.
set(UCMOH_VENV ${CMAKE_SOURCE_DIR}/.venv CACHE PATH "Virtual environment that has the Python package torch")
file(GLOB site_packages ${UCMOH_VENV}/lib/python3*/site-packages)
find_path(LibTorch_INCLUDE torch/torch.h NO_DEFAULT_PATH
  PATHS ${site_packages}/torch/include/torch/csrc/api/include)
find_library(LibTorch_LIBRARY torch_cpu NO_DEFAULT_PATH PATHS ${site_packages}/torch/lib)
find_library(LibTorch_C10 c10 NO_DEFAULT_PATH PATHS ${site_packages}/torch/lib)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_LIBRARY LibTorch_C10 LibTorch_INCLUDE
  REASON_FAILURE_MESSAGE "scripts/setup.sh --train installs it into .venv")

if(LibTorch_FOUND AND NOT TARGET torch_cpu)
  foreach(name torch_cpu c10)
    add_library(${name} SHARED IMPORTED)
    set_target_properties(${name} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
      "${LibTorch_INCLUDE};${site_packages}/torch/include")
  endforeach()
  set_target_properties(torch_cpu PROPERTIES IMPORTED_LOCATION ${LibTorch_LIBRARY})
  set_target_properties(c10 PROPERTIES IMPORTED_LOCATION ${LibTorch_C10})
  # libtorch_cpu names libraries of CUDA that lie in packages of their own; of their symbols none is called.
  set_target_properties(torch_cpu PROPERTIES INTERFACE_LINK_OPTIONS
    "LINKER:--allow-shlib-undefined;LINKER:-rpath,${site_packages}/torch/lib;LINKER:-rpath,${site_packages}/nvidia/cu13/lib;LINKER:--disable-new-dtags")
endif()
