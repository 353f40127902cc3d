/* Files beside the one that they will replace: their names, how they are made, and the rights that they take over.
 * Where the file system can do it, such a file has no name until it is complete. Functions that return int or char *
 * leave errno when they fail, with -1 or NULL. */
#ifndef PT_ASIDE_H
#define PT_ASIDE_H

#include "core/context.h"

/* The file that a chain of links leads to, there or not: links stay what they are. */
char *pt_follow_links(partan_context *context, const char *path);

/* A name beside the target, cut where it would be longer than names may be; its letters are drawn by those below. */
char *pt_aside_name(partan_context *context, const char *target);

/* A descriptor to write to: of a file with that name, or of one without, which gets it by pt_aside_link. The latter
 * fails where there are no such files, or where they could get no name later. */
int pt_aside_create(char *temporary);
int pt_aside_unnamed(char *temporary);
int pt_aside_link(int descriptor, char *temporary);

/* A file that takes another's place has its rights and, where the process may give them, its owner and group. One that
 * must not be written is not replaced either: -1. */
int pt_keep_rights(const char *target, int descriptor);

#endif
