# Number the options, in the order of their table.
# Usage: awk -f option_ids.awk options.tsv >option_ids.h
BEGIN {
	FS = "\t"
	print "/* Made by option_ids.awk from options.tsv; do not edit. */\n#pragma once\n\nenum option_id {"
}
!/^#/ { print "\tOPT_" toupper($1) "," }
END { print "\tOPT_N\n};" }
