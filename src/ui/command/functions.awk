# Declare the functions that tables name: the first of each line whose name is one of these.
# Usage: awk -v names='cmd_[a-z_]+' -v type=void -v arguments=... -f functions.awk TABLE... >functions.h
BEGIN {
	print "/* Made by functions.awk from tables that name them; do not edit. */"
	print "#pragma once\n#include <stdbool.h>\n"
	for (rest = arguments; match(rest, /struct [a-z_]+/); rest = substr(rest, RSTART + RLENGTH))
		print substr(rest, RSTART, RLENGTH) ";"
}

match($0, names) {
	name = substr($0, RSTART, RLENGTH)
	if (!(name in is_declared))
		print type "\t" name "(" arguments ");"
	is_declared[name] = 1
}
