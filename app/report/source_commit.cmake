# Writes OUTPUT with the commit of SOURCE, "-changed" behind it where files differ from it; only when that is another one than before.
find_program(GIT git)
set(commit "")
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty=-changed OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "namespace paceline {
extern const char* const kSourceCommit;
const char* const kSourceCommit = \"${commit}\";
}  // namespace paceline
" @ONLY)
