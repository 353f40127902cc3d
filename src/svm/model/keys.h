/* The header of a native SVM model file. */
#ifndef PT_SVM_KEYS_H
#define PT_SVM_KEYS_H

#include "model/header.h"

extern const pt_header pt_svm_header; /* over partan_model */

#endif
