/* What an instruction set provides, all of it: a table for each subject, described in the subject's own header. The
 * files of the instruction sets are in kernel/isa/. */
#ifndef PT_INSTRUCTIONS_H
#define PT_INSTRUCTIONS_H

#include "kernel/algebra.h"
#include "kernel/block.h"
#include "kernel/columns.h"
#include "kernel/exact.h"
#include "kernel/pass.h"

typedef struct pt_instruction_set {
    pt_block_ops block;     /* kernel values and their sums */
    pt_pass_ops pass;       /* passes of the solvers */
    pt_algebra_ops algebra; /* linear algebra in double, for low rank */
    pt_exact_ops exact;     /* kernel values in double */
    pt_columns_ops columns; /* products of columns with vectors */
} pt_instruction_set;

extern const pt_instruction_set pt_instructions_reference;
extern const pt_instruction_set pt_instructions_portable;
#if defined(PT_HAVE_X86_ISA)
extern const pt_instruction_set pt_instructions_avx2;
extern const pt_instruction_set pt_instructions_avx512;
#endif

#endif
