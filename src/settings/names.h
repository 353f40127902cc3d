/* The names of the public enumerators, each in one place: the command line, its help and completions, messages, model
 * files and functions like partan_kernel_name all take them from here. A list follows its enum in the public headers,
 * value by value from 0; NAME is put around every name. */
#ifndef PT_SETTINGS_NAMES_H
#define PT_SETTINGS_NAMES_H

#include "core/names.h"
#include "solvers.h"

#define PT_KERNEL_NAMES(NAME)                                                                                          \
    NAME("linear") NAME("polynomial") NAME("rbf") NAME("sigmoid") NAME("precomputed") NAME("laplacian")
#define PT_SOLVER_NAMES(NAME)     PT_SOLVERS(PT_VARIANT_NAME, PT_OWN_NAME, NAME)
#define PT_STEP_NAMES(NAME)       NAME("exact") NAME("classic")
#define PT_STOP_NAMES(NAME)       NAME("confirmed") NAME("sampled")
#define PT_INIT_NAMES(NAME)       NAME("first") NAME("random")
#define PT_SCALE_NAMES(NAME)      NAME("none") NAME("minmax") NAME("standard")
#define PT_MULTICLASS_NAMES(NAME) NAME("ovo") NAME("ovr")
#define PT_PROBLEM_NAMES(NAME)    NAME("classification") NAME("regression") NAME("outlier")
#define PT_GAMMA_NAMES(NAME)      NAME("auto") NAME("scale") /* from PARTAN_GAMMA_AUTO on: those that stand for a number */
#define PT_STORAGE_NAMES(NAME)    NAME("auto") NAME("dense") NAME("sparse") NAME("bits") NAME("bytes")
#define PT_FORMAT_NAMES(NAME)     NAME("auto") NAME("libsvm") NAME("csv") NAME("tsv")
#define PT_STEP_TYPE_NAMES(NAME)  NAME("start") NAME("toward") NAME("away") NAME("swap") NAME("partan")

#define PT_VARIANT_NAME(NAME, SOLVER, name, previous, classic) NAME(#name)
#define PT_OWN_NAME(NAME, SOLVER, name)                        NAME(#name)

/* The same as choices of an option: "linear|polynomial|...". */
#define PT_CHOICE(name)  "|" name
#define PT_CHOICES(list) (&(list(PT_CHOICE))[1])

/* And for look-up by pt_name. */
extern const char *const pt_kernel_names[];
extern const char *const pt_solver_names[];
extern const char *const pt_step_names[];
extern const char *const pt_stop_names[];
extern const char *const pt_init_names[];
extern const char *const pt_scale_names[];
extern const char *const pt_multiclass_names[];
extern const char *const pt_problem_names[];
extern const char *const pt_gamma_rule_names[];
extern const char *const pt_storage_names[];
extern const char *const pt_format_names[];

#endif
