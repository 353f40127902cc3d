/* Lists of names, such as those of an enum's values, which count from 0. A list ends with NULL. */
#ifndef PT_NAMES_H
#define PT_NAMES_H

const char *pt_name(const char *const *names, int value); /* NULL when there is none */

extern const char *const pt_success_names[]; /* of the statuses from PARTAN_OK up, which a model may have */

#endif
