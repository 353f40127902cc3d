/* A lock, for what several threads of a team have in common. Where there are no threads it is nothing. */
#ifndef PT_LOCK_H
#define PT_LOCK_H

#if defined(PT_NO_THREADS)

typedef char pt_lock;
#define PT_LOCK_STATIC 0 /* the value of one that needs no pt_lock_init */

static inline void pt_lock_init(pt_lock *lock)
{
    *lock = 0;
}

static inline void pt_lock_take(pt_lock *lock)
{
    (void)lock;
}

static inline void pt_lock_give(pt_lock *lock)
{
    (void)lock;
}

static inline void pt_lock_end(pt_lock *lock)
{
    (void)lock;
}

#else

#include <pthread.h>

typedef pthread_mutex_t pt_lock;
#define PT_LOCK_STATIC PTHREAD_MUTEX_INITIALIZER

static inline void pt_lock_init(pt_lock *lock)
{
    pthread_mutex_init(lock, NULL);
}

static inline void pt_lock_take(pt_lock *lock)
{
    pthread_mutex_lock(lock);
}

static inline void pt_lock_give(pt_lock *lock)
{
    pthread_mutex_unlock(lock);
}

static inline void pt_lock_end(pt_lock *lock)
{
    pthread_mutex_destroy(lock);
}

#endif

#endif
