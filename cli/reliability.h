/* Reliability diagrams: how often what was predicted with a probability is so. */
#ifndef CLI_RELIABILITY_H
#define CLI_RELIABILITY_H

#include "command.h"

enum { RELIABILITY_BINS = 10 };

/* The first line of a table of the bins. */
#define RELIABILITY_HEAD "least,probability,observed,rows,hits"

void reliability_plot(const partan_reliability_bin *bins, size_t count, FILE *file);

#endif
