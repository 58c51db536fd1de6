# Declare the functions that tables name: those whose names begin with prefix.
# Usage: awk -v prefix=cmd_ -v type=void -v arguments=... -f functions.awk TABLE... >functions.h
BEGIN {
	print "/* Made by functions.awk from tables that name them; do not edit. */"
	print "#pragma once\n#include <stdbool.h>\n"
	for (rest = arguments; match(rest, /struct [a-z_]+/); rest = substr(rest, RSTART + RLENGTH))
		print substr(rest, RSTART, RLENGTH) ";"
}

match($0, prefix "[a-z_]+") {
	name = substr($0, RSTART, RLENGTH)
	if (!(name in is_declared))
		print type "\t" name "(" arguments ");"
	is_declared[name] = 1
}
