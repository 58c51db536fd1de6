/*
 * Memory whose size we choose. These functions never return NULL: if the machine has no memory
 * left, the program ends with exit code 4, after the hook has restored the terminal. A length from
 * a file is never passed here without a limit.
 */
#ifndef TNAV_BASE_MEM_H
#define TNAV_BASE_MEM_H

#include <stddef.h>

void	*mem_alloc(size_t len);			/* not cleared */
void	*mem_zalloc(size_t n, size_t size);	/* cleared; n * size is checked */
/* Cleared by writing it: for memory that is read before it is written, and all of it is used. A
   page that is read first costs another fault when it is written. */
void	*mem_cleared(size_t len);
void	*mem_realloc(void *p, size_t n, size_t size);
char	*mem_strdup(const char *s);
char	*mem_strndup(const char *s, size_t len);	/* len bytes and a NUL */
void	 mem_free(void *p);

/* At the program's start: large pieces go back to the system when they are freed. */
void	 mem_init(void);

/*
 * Make room for one more element of an array that grows by half:
 *	a = mem_grow(a, &cap, n + 1, sizeof *a);
 */
void	*mem_grow(void *p, size_t *cap, size_t need, size_t size);

/* Append a value to an array of n elements. */
#define ARRAY_ADD(v, n, cap, ...)						\
	do {									\
		(v) = mem_grow((v), &(cap), (n) + 1, sizeof *(v));		\
		(v)[(n)] = __VA_ARGS__;						\
		(n)++;								\
	} while (0)

/*
 * End the program because memory is exhausted: call the hook, write a line to standard error, exit
 * with code 4. Also for a caller whose library call failed for lack of memory. A second thread that
 * calls this waits for the first.
 */
_Noreturn void	mem_exhausted(void);
/* The same without the hook: for the hook itself, and for handlers. */
_Noreturn void	mem_end(void);

/* Called once, by the thread that got no memory, before the program ends. */
typedef void	(*mem_hook)(void);
void	 mem_on_exhausted(mem_hook hook);

#endif
