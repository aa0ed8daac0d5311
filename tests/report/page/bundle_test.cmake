# cmake -DROOT=... -P bundle_test.cmake: the hashes stored beside the bundle are those of the sources.
execute_process(COMMAND ${ROOT}/tools/page-bundle --sources OUTPUT_VARIABLE sources COMMAND_ERROR_IS_FATAL ANY)
file(READ ${ROOT}/choir/report/page/bundle/sources.sha256 stored)
if(NOT sources MATCHES "source/main.js" OR NOT sources STREQUAL stored)
  message(FATAL_ERROR "the page's sources are not those the bundle was made from; run tools/page-bundle")
endif()
