/*
 * Every limit on what a file may demand of the program. A number from a file never sizes an
 * allocation; what exceeds a limit is left out and reported (a finding, "and N more").
 */
#ifndef TNAV_BASE_LIMITS_H
#define TNAV_BASE_LIMITS_H

#define LIMIT_TYPES		(1u << 20)	/* event types in a trace */
#define LIMIT_ANY_FILE		(1u << 15)	/* types, and threads, allowed in any file */
#define LIMIT_ENTRY_BYTES	512u		/* ... plus one per so many bytes of the file; */
#define LIMIT_DECL_BYTES	64u		/* ... declarations of threads: per so many */
#define LIMIT_FIELDS		4096u		/* fields in a type, nested ones included */
#define LIMIT_NESTING		32u		/* objects in arrays in objects ... */
#define LIMIT_VALUES		100000u		/* values decoded in one event */
#define LIMIT_STACK_FRAMES	4096u		/* frames of a stack that are returned */
#define LIMIT_THREADS		(4u << 20)	/* threads in a trace */
#define LIMIT_INCARNATIONS	64u		/* open at one time, for one thread id */
#define LIMIT_GAPS		(1u << 17)	/* gaps kept one by one; the sums stay exact */
#define LIMIT_FINDINGS		1000u		/* findings kept one by one; counts stay exact */
#define LIMIT_TEXT_SHOWN	4096u		/* bytes of one string shown on a screen */
#define LIMIT_NAME		65536u		/* bytes of a name that is kept */
#define LIMIT_LABELS		256u		/* labels of one event that are returned */
#define LIMIT_ATTRIBUTE_NAMES	65536u		/* attribute names that are listed, by type */
#define LIMIT_ATTRIBUTE_NAME	4096u		/* bytes of such a name */
#define LIMIT_EPOCHS		256u		/* changes of the epoch in a Heph trace */
#define LIMIT_KEY_VALUES	4096u		/* key/values of a trace */
#define LIMIT_FILTER_DEPTH	64u		/* nesting of a filter expression */
#define LIMIT_FILTER_LEN	65536u		/* bytes of a filter expression */
#define LIMIT_PATTERN		4096u		/* bytes of a regular expression */
#define LIMIT_REGEX_STEPS	1000000u	/* steps of regular expressions on one event */
#define LIMIT_REGEX_BYTE	16u		/* ... and for each byte of its texts */
#define LIMIT_REGEX_BOUND	4000000u	/* ... and of those with a known bound */
#define LIMIT_BOMB_FREE		((uint64_t)1 << 30)	/* decompressed bytes always allowed; */
#define LIMIT_BOMB_RATIO	2000u		/* ... beyond: so many per compressed byte */
#define LIMIT_KEY_BYTES		((size_t)512 << 20)	/* of keys that events are counted by */
#define LIMIT_SAMPLE_FEW	1000u		/* numbers of a group whose percentiles are exact */
#define LIMIT_SAMPLE_GROUP	1000000u	/* ... so many, if all groups together ... */
#define LIMIT_SAMPLE_ALL	4000000u	/* ... have no more than this */
#define LIMIT_DIFF_ROWS		(1u << 18)	/* keys of a comparison of two sides, ... */
#define LIMIT_DIFF_KEY		(64u << 10)	/* ... bytes of one that are compared, ... */
#define LIMIT_DIFF_NUMBERS	(1u << 16)	/* ... durations of one and a side that are kept,
						   from here on a sample, ... */
#define LIMIT_DIFF_ALL_NUMBERS	(1u << 22)	/* ... and of all together */
#define LIMIT_DIFF_PROVIDERS	4096u		/* ... of a trace */
#define LIMIT_DISTINCT		(2u << 20)	/* different values, of all groups together */
#define LIMIT_SPAN_NAMES	(1u << 16)	/* different names of spans */
#define LIMIT_SPANS_OPEN	(1u << 20)	/* spans that are open at one time */
#define LIMIT_SPAN_KEYS		((size_t)64 << 20)	/* bytes of their keys */
#define LIMIT_ACTIVITIES	(1u << 20)	/* ids of activities that are kept */
#define LIMIT_ACTIVITY_LINKS	(4u << 20)	/* ... with their threads and related ones */
#define LIMIT_REPORT_ROWS	(1u << 20)	/* rows of a report */
#define LIMIT_REPORT_EVENTS	(4u << 20)	/* events of a report that wait for their pair */
#define LIMIT_REPORT_GROUPS	(1u << 18)	/* keys by which it groups */
#define LIMIT_REPORT_TEXTS	((size_t)256 << 20)	/* bytes of their texts */
#define LIMIT_CALL_NODES	(1u << 20)	/* different calls of a call tree */
#define LIMIT_CALL_ADDRESSES	(1u << 16)	/* its frames that have no name */
#define LIMIT_CALL_CELLS	(1u << 20)	/* pairs of a call and a thread in it */
#define LIMIT_REDACT_TEXTS	((size_t)256 << 20)	/* bytes of redacted texts that are looked
						   for in all others */
#define LIMIT_RETIRED		32u		/* passes and the like, given up but not ended */
#define LIMIT_TEMPORARIES	64u		/* files that have a temporary name at one time */
#define LIMIT_REPEATS		(4u << 20)	/* events of joined files that may be in two of
						   them */
#define LIMIT_WORKERS		64u

#endif
