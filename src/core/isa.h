/* Instruction sets: which the kernels can be compiled for, and which this machine has. */
#ifndef PT_ISA_H
#define PT_ISA_H

#include <stdbool.h>

typedef enum pt_isa { PT_ISA_REFERENCE = 0, PT_ISA_PORTABLE = 1, PT_ISA_AVX2 = 2, PT_ISA_AVX512 = 3 } pt_isa;
enum { PT_ISA_COUNT = 4 };

const char *pt_isa_name(pt_isa isa);
bool pt_isa_from_name(const char *name, pt_isa *isa);
bool pt_isa_available(pt_isa isa); /* compiled in, and the processor has it */
pt_isa pt_isa_best(void);

#endif
