# Declare the functions of commands that the table of commands and the table of panes name.
# Usage: awk -f functions.awk commands.tsv pane.h >functions.h
BEGIN {
	print "/* Made by functions.awk from commands.tsv and pane.h; do not edit. */"
	print "struct command_call;\nstruct ui;"
}

match($0, /cmd_[a-z_]+/) {
	name = substr($0, RSTART, RLENGTH)
	if (!(name in is_declared))
		print "void\t" name "(struct ui *ui, const struct command_call *call);"
	is_declared[name] = 1
}
