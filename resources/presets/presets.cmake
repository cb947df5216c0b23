# The documents that the workbench and `paceline new` offer: NAME.json beside this file.
set(PACELINE_PRESETS dgs_slow_link esync_heterogeneous grouping_two_speeds pdmm_ring published_dgs_cifar10 published_ecl_8of10 published_mxnetg_cifar10 published_ps_pytorch
  quick_synthetic ssgd_straggler standalone_baseline)
