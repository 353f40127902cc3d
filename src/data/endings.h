/* What the ending of a file's name says, in either case of its letters. */
#ifndef PT_ENDINGS_H
#define PT_ENDINGS_H

#include "partan/partan.h"

/* The data format by .csv, .tsv or .tab, which may stand before the ending of a compression; AUTO: it says nothing. */
partan_format pt_format_by_ending(const char *path);

#endif
