/* The header of a native SVM model file. */
#ifndef PT_SVM_KEYS_H
#define PT_SVM_KEYS_H

#include "model/header.h"

extern const pt_header pt_svm_header;     /* over partan_model, of two classes */
extern const pt_header pt_problem_header; /* of problems other than classification */
extern const pt_header pt_many_header;    /* of more, */
extern const pt_header pt_machine_header; /* and of their machines */

#endif
