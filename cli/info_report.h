/* A data file in words and as JSON. */
#ifndef CLI_INFO_REPORT_H
#define CLI_INFO_REPORT_H

#include "command.h"

enum { INFO_CLASSES = 20, INFO_COLUMNS = 20 }; /* listed one by one */

typedef struct class_info {
    double label;
    const char *word; /* NULL: the label is a number */
    uint64_t rows;
} class_info;

typedef struct column_info {
    partan_column counts; /* its name is the next field */
    char name[64];
} column_info;

typedef struct data_info {
    const char *path;
    partan_data *data;
    partan_file_survey survey;
    partan_data_summary summary;
    class_info classes[INFO_CLASSES]; /* the first ones */
    size_t class_count;
    double last_label;
    double narrowest, widest; /* ranges of features that are not constant */
    bool list_features;       /* --features */
    partan_feature *features;
    size_t feature_count;
    bool full;        /* memory is out: features are missing */
    double gammas[2]; /* auto and scale */

    /* Of a table that was not read: columns with missing values or, other than the label, with words. */
    column_info columns[INFO_COLUMNS];
    size_t column_count;
    uint64_t missing;
    char error[1024]; /* the reader's sentence */
} data_info;

void info_data_text(invocation *run, const data_info *at);
void info_data_json(const data_info *at);
void info_unread_text(const data_info *at);
void info_unread_json(const data_info *at);

#endif
