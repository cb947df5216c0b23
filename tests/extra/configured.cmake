# What the project's configuration asks of a folder of parts, without a project.
cmake_minimum_required(VERSION 3.25)
include(${EXTRA})
paceline_check_extra()
paceline_extra(files ids algorithms ssgd asgd)
paceline_extra(more names models lenet)
message("${ids}${names}")
