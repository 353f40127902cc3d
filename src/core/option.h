/* Tables of options: bounds with a meaning. */
#ifndef PT_OPTION_H
#define PT_OPTION_H

#define PT_NO_LIMIT 9.2e18 /* as `most` of an integer: as large as the type holds, and not worth a word */

#endif
