/* Sparse rows of which most features are empty, without these: indices may be far apart (hashes, identities), and what
 * works on rows has arrays as long as there are features. The features that are there keep their order, so sums over
 * them are the same. */
#ifndef PT_KEPT_H
#define PT_KEPT_H

#include "data/storage/matrix.h"

typedef struct pt_kept pt_kept;

/* Whether it is worth it: sparse, with many more features than nonzeros. */
bool pt_is_hollow(const pt_matrix *matrix);

/* The features that one of two sparse matrices has a nonzero of; the second may be NULL. */
partan_status pt_kept_make(partan_context *context, const pt_matrix *a, const pt_matrix *b, pt_kept **kept);
void pt_kept_free(pt_kept *kept);
size_t pt_kept_count(const pt_kept *kept);
void pt_kept_list(const pt_kept *kept, int32_t *features);  /* all of them, ascending */
int64_t pt_kept_rank(const pt_kept *kept, int64_t feature); /* its number among them, from 0; -1: it is not kept */

/* A matrix of the kept features, numbered from 0, whose other contents are the source's: it must not outlive it, and is
 * freed by pt_kept_view_free. All nonzeros of the source are of kept features. */
partan_status pt_kept_view(const pt_kept *kept, const pt_matrix *source, pt_matrix *view);
void pt_kept_view_free(pt_matrix *view);

#endif
