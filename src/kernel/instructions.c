#include "kernel/instructions.h"

static const pt_instruction_set *instructions_for(pt_isa isa)
{
    switch (isa) {
#if defined(PT_HAVE_X86_ISA)
    case PT_ISA_AVX512:
        return &pt_instructions_avx512;
    case PT_ISA_AVX2:
        return &pt_instructions_avx2;
#endif
    case PT_ISA_PORTABLE:
        return &pt_instructions_portable;
    default:
        return &pt_instructions_reference;
    }
}

const pt_block_ops *pt_block_ops_for(pt_isa isa)
{
    return &instructions_for(isa)->block;
}

const pt_pass_ops *pt_pass_ops_for(pt_isa isa)
{
    return &instructions_for(isa)->pass;
}

const pt_algebra_ops *pt_algebra_ops_for(pt_isa isa)
{
    return &instructions_for(isa)->algebra;
}

const pt_exact_ops *pt_exact_ops_for(pt_isa isa)
{
    return &instructions_for(isa)->exact;
}

const pt_columns_ops *pt_columns_ops_for(pt_isa isa)
{
    return &instructions_for(isa)->columns;
}
