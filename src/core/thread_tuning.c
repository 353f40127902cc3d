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
#define OTHER     1.4  /* times longer or shorter pieces are others, of which nothing is known but at home */

/* While other programs use the cores: */
#define CROWDED_TRIAL 0.025 /* seconds that a trial takes */
#define CROWDED_REST  0.25  /* and that there are between trials */
#define FEWER         1.15  /* times as long as at home may pieces take by fewer threads, which disturb others less, */
#define MORE          0.87  /* and must they take by more */

/* All threads at first: on an idle machine that is the right number, and elsewhere fewer are tried soon. */
void pt_tuning_init(pt_tuning *tuning, const partan_context *context)
{
    *tuning = (pt_tuning){.context = context, .levels = 1, .toward = -1, .interval = SHORTEST_INTERVAL};
    for (int threads = 1; threads < context->threads && tuning->levels < PT_TUNING_LEVELS; threads *= 2)
        tuning->levels++;
    tuning->home = tuning->level = tuning->levels - 1;
}

static int threads_at(const pt_tuning *tuning, int level)
{
    return level + 1 < tuning->levels ? 1 << level : tuning->context->threads;
}

/* Longer pieces are worth more threads: what was found of other numbers for shorter ones says nothing of them. */
static void forget(pt_tuning *tuning, double nanoseconds)
{
    if (nanoseconds < OTHER * tuning->nanoseconds && tuning->nanoseconds < OTHER * nanoseconds)
        return;
    tuning->nanoseconds = nanoseconds;
    for (int level = 0; level < tuning->levels; level++)
        if (level != tuning->home)
            tuning->seconds[level] = 0;
}

int pt_tuning_begin(pt_tuning *tuning, double nanoseconds)
{
    forget(tuning, nanoseconds);
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
    tuning->trial_time = tuning->trial_work = 0;
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

/* Times as long as at home that pieces may take at a level which is to be used instead. */
static double allowed(const pt_tuning *tuning, int level)
{
    return !tuning->crowded ? 1 : level < tuning->home ? FEWER : MORE;
}

/* The trial is over. While more threads are faster, still more are tried at once, and so with fewer. A short trial may
 * be lucky: what was known before counts as much. */
static void judge(pt_tuning *tuning, double found)
{
    int level = tuning->level, home = tuning->home;
    double *seconds = &tuning->seconds[level];
    bool faster = false;
    if (found > 0) {
        *seconds = *seconds > 0 && !tuning->crowded ? (*seconds + found) / 2 : found;
        faster = level == home || *seconds < allowed(tuning, level) * tuning->seconds[home];
    }
    settle(tuning, faster ? level : home, faster ? 1 : LOST);
    tuning->toward = faster ? tuning->toward : -tuning->toward;
    int next = level + tuning->toward;
    if (faster && next >= 0 && next < tuning->levels)
        begin_trial(tuning, next);
}

/* A median, or nothing where it is clear without one. */
static void end_short_trial_piece(pt_tuning *tuning, double time)
{
    double home = tuning->seconds[tuning->home];
    tuning->times[tuning->tried++] = time;
    tuning->slow += home > 0 && time > VERY_SLOW * home;
    if (tuning->slow == 2 || tuning->tried == PT_TUNING_TRIAL)
        judge(tuning, tuning->tried == PT_TUNING_TRIAL ? median(tuning->times) : 0);
}

static void end_trial_piece(pt_tuning *tuning, double time, double work, double now)
{
    if (!tuning->crowded) {
        end_short_trial_piece(tuning, time);
        return;
    }
    tuning->trial_time += time * work;
    tuning->trial_work += work;
    if (tuning->trial_time < CROWDED_TRIAL)
        return;
    tuning->rest = now + CROWDED_REST;
    judge(tuning, tuning->trial_time / tuning->trial_work);
}

/* Whether a neighbour was faster than the home has become. */
static bool has_faster(const pt_tuning *tuning, int neighbour)
{
    return neighbour >= 0 && neighbour < tuning->levels && tuning->seconds[neighbour] > 0
           && tuning->seconds[neighbour] < allowed(tuning, neighbour) * tuning->seconds[tuning->home];
}

/* Others have come, or gone: what was found before says little, and when they come, fewer threads are tried at once. */
static void turn(pt_tuning *tuning, bool crowded)
{
    tuning->crowded = crowded;
    for (int level = 0; level < tuning->levels; level++)
        if (level != tuning->home)
            tuning->seconds[level] = 0;
    tuning->interval = SHORTEST_INTERVAL;
    settle(tuning, tuning->home, 1);
    tuning->toward = crowded ? -1 : 1;
    if (crowded && tuning->home > 0)
        begin_trial(tuning, tuning->home - 1);
}

void pt_tuning_end(pt_tuning *tuning, double work)
{
    if (!tuning->timed)
        return;
    int home = tuning->home;
    double now = pt_clock(), time = (now - tuning->start) / work, *mean = &tuning->seconds[home];
    bool crowded = pt_crowd_look(&tuning->crowd, now);
    if (tuning->level != home || *mean == 0) {
        end_trial_piece(tuning, time, work, now);
        return;
    }
    double weight = *mean * work / MEMORY;
    *mean += (weight < FRESH ? weight : FRESH) * (time - *mean);
    if (crowded != tuning->crowded)
        turn(tuning, crowded);
    else if (has_faster(tuning, home - 1))
        settle(tuning, home - 1, FAILED);
    else if (has_faster(tuning, home + 1))
        settle(tuning, home + 1, FAILED);
    else if ((tuning->left == 0 || --tuning->left == 0) && (!crowded || now >= tuning->rest))
        try_neighbour(tuning);
}
