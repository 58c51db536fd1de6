/* The tables of profiles and of groups of events: src/model/clr/profiles.tsv and groups.tsv. */
#ifndef LIVE_TABLES_H
#define LIVE_TABLES_H

#include <stddef.h>
#include <stdint.h>

/* One provider of a profile. The rows of a profile stand together. */
struct profile_row {
	const char	*name;
	uint64_t	 rundown;	/* keywords of the rundown */
	const char	*provider;
	uint64_t	 keywords;
	uint32_t	 level;
	const char	*arguments;	/* or NULL */
};
extern const struct profile_row	profile_rows[];
extern const size_t		profile_nrows;

/* Events of the runtime's provider, as --clrevents names them. */
struct runtime_group {
	const char	*name;
	uint64_t	 keywords;
};
extern const struct runtime_group	runtime_groups[];
extern const size_t			runtime_ngroups;

#endif
