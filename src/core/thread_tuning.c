#include "core/thread_tuning.h"

#include "core/clock.h"

/* Pieces between trials, first and at most. A neighbour that was disturbed for a moment comes back soon; one that loses
 * again and again is tried ever more rarely. */
enum {
    SHORTEST_INTERVAL = 64,
    LONGEST_INTERVAL = 1 << 12,
    LOST = 2,  /* times the interval, after a neighbour that was slower in its trial; */
    FAILED = 4 /* and after one that was faster in its trial, and slower in the end */
};

#define LONG 10e6 /* nanoseconds, from which on a piece gets all threads: trying others would cost too much */
#define LENIENCE                                                                                                       \
    5.0 /* times fewer nanoseconds than elsewhere are worth a thread: it is timed, and often still awake               \
         */
#define MEMORY    0.03 /* seconds of work that the running mean goes over: several turns of the scheduler */
#define FRESH     0.05 /* the most that one piece weighs in it */
#define VERY_SLOW 4.0  /* times the time at home: two such pieces end a trial */

void pt_tuning_init(pt_tuning *tuning, const partan_context *context)
{
    *tuning = (pt_tuning){.context = context, .levels = 1, .toward = 1, .interval = SHORTEST_INTERVAL};
    for (int threads = 1; threads < context->threads && tuning->levels < PT_TUNING_LEVELS; threads *= 2)
        tuning->levels++;
}

static int threads_at(const pt_tuning *tuning, int level)
{
    return level + 1 < tuning->levels ? 1 << level : tuning->context->threads;
}

int pt_tuning_begin(pt_tuning *tuning, double nanoseconds)
{
    int most = pt_team_for(tuning->context, LENIENCE * nanoseconds), threads = threads_at(tuning, tuning->level);
    tuning->timed = most >= threads && most > 1 && nanoseconds < LONG;
    if (tuning->timed)
        tuning->start = pt_clock();
    return nanoseconds >= LONG || most < threads ? most : threads;
}

static void begin_trial(pt_tuning *tuning, int level)
{
    tuning->level = level;
    tuning->tried = tuning->slow = 0;
}

/* Stays at a level until the next trial, which comes the later, the more was lost by the last one. */
static void settle(pt_tuning *tuning, int level, uint32_t later)
{
    tuning->interval = tuning->interval < LONGEST_INTERVAL / later ? tuning->interval * later : LONGEST_INTERVAL;
    tuning->home = tuning->level = level;
    tuning->left = tuning->interval;
}

/* The next neighbour in turn; at either end there is only one. */
static void try_neighbour(pt_tuning *tuning)
{
    int level = tuning->home + tuning->toward;
    if (level < 0 || level == tuning->levels) {
        tuning->toward = -tuning->toward;
        level = tuning->home + tuning->toward;
    }
    begin_trial(tuning, level);
}

/* The first piece of a trial may have to wake threads, and any may be disturbed. */
static double median(double *times)
{
    for (int i = 1; i < PT_TUNING_TRIAL; i++)
        for (int k = i; k > 0 && times[k] < times[k - 1]; k--) {
            double swap = times[k];
            times[k] = times[k - 1];
            times[k - 1] = swap;
        }
    return times[PT_TUNING_TRIAL / 2];
}

/* The trial is over. While more threads are faster, still more are tried at once. A trial is short and may be lucky:
 * what was known before counts as much. */
static void judge(pt_tuning *tuning)
{
    int level = tuning->level, home = tuning->home;
    double *seconds = &tuning->seconds[level];
    bool faster = false;
    if (tuning->tried == PT_TUNING_TRIAL) {
        *seconds = *seconds > 0 ? (*seconds + median(tuning->times)) / 2 : median(tuning->times);
        faster = level == home || *seconds < tuning->seconds[home];
    }
    settle(tuning, faster ? level : home, faster ? 1 : LOST);
    tuning->toward = faster ? tuning->toward : -tuning->toward;
    if (faster && tuning->toward > 0 && level + 1 < tuning->levels)
        begin_trial(tuning, level + 1);
}

static void end_trial_piece(pt_tuning *tuning, double time)
{
    double home = tuning->seconds[tuning->home];
    tuning->times[tuning->tried++] = time;
    tuning->slow += home > 0 && time > VERY_SLOW * home;
    if (tuning->slow == 2 || tuning->tried == PT_TUNING_TRIAL)
        judge(tuning);
}

/* Whether a neighbour was faster than the home has become. */
static bool has_faster(const pt_tuning *tuning, int neighbour)
{
    return neighbour >= 0 && neighbour < tuning->levels && tuning->seconds[neighbour] > 0
           && tuning->seconds[neighbour] < tuning->seconds[tuning->home];
}

void pt_tuning_end(pt_tuning *tuning, double work)
{
    if (!tuning->timed)
        return;
    int home = tuning->home;
    double time = (pt_clock() - tuning->start) / work, *mean = &tuning->seconds[home];
    if (tuning->level != home || *mean == 0) {
        end_trial_piece(tuning, time);
        return;
    }
    double weight = *mean * work / MEMORY;
    *mean += (weight < FRESH ? weight : FRESH) * (time - *mean);
    if (has_faster(tuning, home - 1))
        settle(tuning, home - 1, FAILED);
    else if (has_faster(tuning, home + 1))
        settle(tuning, home + 1, FAILED);
    else if (--tuning->left == 0)
        try_neighbour(tuning);
}
