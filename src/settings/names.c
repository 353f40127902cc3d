/* Names of the public enumerators by their values. */
#include "settings/names.h"

#include <stddef.h>

#include "partan/partan.h"

#define LISTED(name) name,

const char *const pt_kernel_names[] = {PT_KERNEL_NAMES(LISTED) NULL};
const char *const pt_solver_names[] = {PT_SOLVER_NAMES(LISTED) NULL};
const char *const pt_step_names[] = {PT_STEP_NAMES(LISTED) NULL};
const char *const pt_stop_names[] = {PT_STOP_NAMES(LISTED) NULL};
const char *const pt_init_names[] = {PT_INIT_NAMES(LISTED) NULL};
const char *const pt_scale_names[] = {PT_SCALE_NAMES(LISTED) NULL};
const char *const pt_multiclass_names[] = {PT_MULTICLASS_NAMES(LISTED) NULL};
const char *const pt_problem_names[] = {PT_PROBLEM_NAMES(LISTED) NULL};
const char *const pt_gamma_rule_names[] = {"value", PT_GAMMA_NAMES(LISTED) NULL};
const char *const pt_storage_names[] = {PT_STORAGE_NAMES(LISTED) NULL};
const char *const pt_format_names[] = {PT_FORMAT_NAMES(LISTED) NULL};
static const char *const step_type_names[] = {PT_STEP_TYPE_NAMES(LISTED) NULL};

const char *partan_kernel_name(partan_kernel kernel)
{
    return pt_name(pt_kernel_names, (int)kernel);
}

const char *partan_solver_name(partan_solver solver)
{
    return pt_name(pt_solver_names, (int)solver);
}

const char *partan_step_name(partan_step step)
{
    return pt_name(pt_step_names, (int)step);
}

const char *partan_stop_name(partan_stop stop)
{
    return pt_name(pt_stop_names, (int)stop);
}

const char *partan_init_name(partan_init init)
{
    return pt_name(pt_init_names, (int)init);
}

const char *partan_problem_name(partan_problem problem)
{
    return pt_name(pt_problem_names, (int)problem);
}

const char *partan_multiclass_name(partan_multiclass multiclass)
{
    return pt_name(pt_multiclass_names, (int)multiclass);
}

const char *partan_scale_name(partan_scale scale)
{
    return pt_name(pt_scale_names, (int)scale);
}

const char *partan_storage_name(partan_storage storage)
{
    return pt_name(pt_storage_names, (int)storage);
}

const char *partan_format_name(partan_format format)
{
    return pt_name(pt_format_names, (int)format);
}

const char *partan_step_type_name(partan_step_type type)
{
    return pt_name(step_type_names, (int)type);
}
