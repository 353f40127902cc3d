/* What partan info says about a data file. */
#ifndef CLI_INFO_DATA_H
#define CLI_INFO_DATA_H

#include "command.h"

int info_data(invocation *run, const char *path); /* returns an exit code */

#endif
