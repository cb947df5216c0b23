# What a folder of somebody else's parts is refused for, a sentence each: cmake -DSOURCE=... -DWORK=... -P refusals.cmake
file(REMOVE_RECURSE ${WORK})

function(refused name sentence)
  execute_process(COMMAND ${CMAKE_COMMAND} -DPACELINE_EXTRA=${WORK}/${name} -DEXTRA=${SOURCE}/engine/extra.cmake -P ${CMAKE_CURRENT_LIST_DIR}/configured.cmake
                  RESULT_VARIABLE code ERROR_VARIABLE said OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${sentence}" at)
  if(at EQUAL -1 OR code EQUAL 0)
    message(FATAL_ERROR "${name}: wanted \"${sentence}\", got ${code} \"${said}\"")
  endif()
endfunction()

file(MAKE_DIRECTORY ${WORK}/empty ${WORK}/file_none/algorithms)
file(WRITE ${WORK}/bad_name/models/My-Net.cpp "")
file(WRITE ${WORK}/taken/algorithms/ssgd.cpp "")
file(WRITE ${WORK}/good/algorithms/mine.cpp "")
refused(nowhere "nowhere is no folder")
refused(empty "empty has no file .cpp in any of its sub-folders algorithms, models, partitions, figures")
refused(file_none "file_none has no file .cpp in any of its sub-folders")
refused(bad_name "My-Net.cpp: its name is that of its function and must be of lower-case letters, digits and _, a letter first")
refused(taken "ssgd.cpp: algorithms of Paceline's own have one called ssgd; choose another name for the file, its function and its id")
execute_process(COMMAND ${CMAKE_COMMAND} -DPACELINE_EXTRA=${WORK}/good -DEXTRA=${SOURCE}/engine/extra.cmake -P ${CMAKE_CURRENT_LIST_DIR}/configured.cmake
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT code EQUAL 0 OR NOT said MATCHES "mine\n$")
  message(FATAL_ERROR "good: ${code} ${said}")
endif()
