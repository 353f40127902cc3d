/* A training in parts, for those who do it more than once on the same data: training itself, and the path over C. */
#ifndef PT_TRAINING_H
#define PT_TRAINING_H

#include "active/solver.h"
#include "data/storage/kept.h"
#include "fw/solve.h"
#include "simplex/vertices.h"
#include "svm/model/model.h"
#include "svm/scaled.h"

/* What a training works with, beside the data. */
typedef struct pt_training {
    partan_context *context;
    const partan_data *data; /* scaled, if the settings say so, and with hashes of its rows, if these are wanted */
    partan_settings settings;
    const partan_data *original; /* as it was given */
    partan_scaling *scaling;     /* NULL: none */
    partan_data *scaled;
    partan_data hashed; /* the original, where rows have hashes */
    pt_kernel kernel;
    pt_points points;
    pt_matrix compact; /* what the points are, where most features of the data are empty */
    pt_classes classes;
    float *signs;
    partan_data *weighty; /* the rows of weight above 0, where others have none; NULL: all */
    int64_t *rows;        /* their numbers in the original data; NULL: all, in order */
    bool weighted;        /* the rows have weights, wherever they are */
    double *cost_weights; /* C of each vertex / C; NULL: 1 each */
    double *linear;       /* regression: the linear terms of the vertices, */
    double offset;        /* the mean of the labels, which is added to predictions, */
    double losses;        /* the sum of the rows' weights, and of losses at w = 0, squared, */
    double squared_losses;
    double total;         /* and what weights of vertices are multiplied by (pose_regression.c) */
    bool settled;         /* the solution is w = 0 */
    pt_share *share;      /* where rows live in several processes, of which `data` has one's; NULL: all are there */
    uint64_t first, all;  /* then the number of the first of the original rows here, and of all how many there are */
    pt_dual dual;         /* as it was posed last */
    uint64_t fingerprint; /* of the original data; PT_NO_FINGERPRINT: asked to stop before it was known */
    double deadline;      /* of several solves that share a time limit; 0: each has the settings' */

    /* The active-set method's, from one solve to the next. */
    pt_vertices vertices;
    pt_active_set *set;

    /* The solution. */
    pt_iterate iterate; /* the weights of the rows */
    pt_solution solution;
    int64_t iterations;
    pt_counters counters;
    double start;
    double earlier_seconds; /* that runs before this one took, from whose checkpoint it goes on */
} pt_training;

/* How a training is solved. */
typedef struct pt_way {
    bool continues; /* one solve makes the next one, at another cost, shorter without making it another one */
    partan_status (*solve)(pt_training *training, pt_start start); /* leaves the solution; there is none yet */
    void (*close)(pt_training *training);                          /* frees what it kept for the next; NULL: nothing */
} pt_way;

extern const pt_way pt_by_variant;    /* by_variant.c */
extern const pt_way pt_by_active_set; /* by_active_set.c */

/* That of the settings' solver (fw/variants.h). */
const pt_way *pt_way_of(const partan_settings *settings);

/* Checks settings and data, finds the classes, resolves the kernel. To be closed also on failure. */
partan_status pt_training_open(pt_training *training, partan_context *context, const partan_data *data,
                               const partan_settings *settings);
void pt_training_close(pt_training *training);
void pt_training_forget_hashes(pt_training *training); /* nobody will look for equal rows any more */

/* The settings' kernel for these rows, gamma resolved. */
partan_status pt_training_kernel(partan_context *context, const partan_settings *settings, const pt_matrix *rows,
                                 pt_kernel *kernel);

/* The dual at the settings' cost, of all vertices that are here. */
partan_status pt_training_pose(pt_training *training);

/* The weight of a row by its sign, that of its vertices together. */
double pt_training_weight(const pt_training *training, int64_t row);

/* Those of the processes that train together; NULL: there is one. */
static inline pt_comm *pt_training_comm(const pt_training *training)
{
    return training->share ? training->share->comm : NULL;
}

/* How many rows of how many processes there are, and the number of the first here. */
static inline size_t pt_training_rows(const pt_training *training)
{
    return training->share ? pt_share_all(training->share) : training->data->matrix.rows;
}

static inline int64_t pt_training_first(const pt_training *training)
{
    return training->share ? pt_share_first(training->share) : 0;
}

/* Solves at the settings' cost, from `start`; NULL: from the last solution or, at first, a row by the settings' rule.
 */
partan_status pt_training_solve(pt_training *training, const pt_start *start);

/* The same from a model's support vectors (NULL: as above), or from where the checkpoint has it (NULL: there is none).
 */
typedef struct pt_checkpoint pt_checkpoint;
partan_status pt_training_solve_from(pt_training *training, const partan_model *model, pt_checkpoint *checkpoint);

/* Of partan_train_with. */
partan_status pt_train_options_check(partan_context *context, const partan_train_options *options);

/* There is no solve to come: frees what one would use. */
void pt_training_finish(pt_training *training);

/* partan_train_with, partan_train and partan_path, without a word about the data. `comm`: of processes that each have a
 * part of the data and call together, with settings that pt_train_together has checked; NULL: one has all. */
partan_status pt_train_with(partan_context *context, pt_comm *comm, const partan_data *data,
                            const partan_settings *settings, const partan_train_options *options, partan_model **model);
partan_status pt_train(partan_context *context, const partan_data *data, const partan_settings *settings,
                       const partan_model *start, partan_model **model);
partan_status pt_path(partan_context *context, const partan_data *data, const partan_settings *settings,
                      const double *costs, size_t count, partan_path_callback point, void *user);

/* Whether a model was trained on this data, so that its support vectors' numbers are those of rows. */
bool pt_training_known(const pt_training *training, const partan_model *model);

/* The solution as a model. */
partan_status pt_training_model(pt_training *training, partan_model **model);

#endif
