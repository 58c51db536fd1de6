/*
 * The words of the model: what the small enumerations are called where people read them.
 *
 * Invariant: every name is a constant; out of range is never undefined.
 */
#include "tnav/model/type.h"

#include <stddef.h>

#include "tnav/model/info.h"

#define COUNT(a)	(sizeof (a) / sizeof (a)[0])

static const char *const	source_words[] = {
	[SCHEMA_TRACE] = "the trace's own description",
	[SCHEMA_BUILTIN] = "built-in table",
	[SCHEMA_OLDER] = "built-in table, an older version",
	[SCHEMA_NONE] = "no schema",
};

static const char *const	level_names[] = {
	"LogAlways", "critical", "error", "warning", "informational", "verbose",
};

static const char *const	gap_whys[] = {
	[GAP_NUMBERS] = "gap",
	[GAP_START] = "start",
	[GAP_BARRIER] = "barrier",
	[GAP_REMOVE] = "remove",
};

const char *
schema_source_words(enum schema_source s)
{
	return (size_t)s < COUNT(source_words) ? source_words[s] : "?";
}

const char *
level_name(unsigned level)
{
	return level < COUNT(level_names) ? level_names[level] : NULL;
}

const char *
gap_why_name(enum gap_why w)
{
	return (size_t)w < COUNT(gap_whys) ? gap_whys[w] : "?";
}

const char *
opcode_name(unsigned opcode)
{
	static const char *const	names[] = {
		"Info", "Start", "Stop", "DCStart", "DCStop", "Extension", "Reply", "Resume",
		"Suspend", "Send",
	};

	if (opcode == 240)
		return "Receive";
	return opcode < sizeof names / sizeof names[0] ? names[opcode] : NULL;
}
