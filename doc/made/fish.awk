# Completion for fish, made of `tnav help --tables`.
BEGIN { FS = "\t" }

$1 == "command" && $2 != "" {
	n++
	name[n] = $2; summary[n] = $4
	commands = commands (commands != "" ? " " : "") $2
	if ($6 == "process")
		programs = programs (programs != "" ? " " : "") $2
}

$1 == "option" { option[++options] = $0 }
$1 == "format" { formats = formats (formats != "" ? " " : "") $2 }

# A word of fish: between single quotes, only these and the backslash are special.
function quoted(s,   i, c, made) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		made = made (c == "'" || c == "\\" ? "\\" : "") c
	}
	return "'" made "'"
}

# The first sentence, without its full stop.
function first(s) {
	if (match(s, /\. /))
		s = substr(s, 1, RSTART)
	sub(/\.$/, "", s)
	return s
}

function condition(takers,   names) {
	names = " " takers " "
	if (sub(/ viewer /, " ", names))
		return names ~ /^ *$/ ? "not __fish_seen_subcommand_from $tnav_commands" : \
		    "not __fish_seen_subcommand_from $tnav_commands; or __fish_seen_subcommand_from" \
		    substr(names, 1, length(names) - 1)
	return "__fish_seen_subcommand_from " takers
}

function argument(kind, choices) {
	if (kind == "choice" || kind == "format")
		return " -x -a " quoted(kind == "choice" ? choices : formats)
	return kind == "" ? "" : kind == "file" ? " -r" : " -x"
}

END {
	print "# fish completion for tnav(1), made by doc/made/fish.awk."
	print "set -l tnav_commands " commands
	# Only letters, digits and a few other characters of a program's name pass.
	print "function __tnav_programs\n\ttnav ps -e pid,name --format tsv 2>/dev/null | tail -n +2 |"
	print "\t\ttr -cd 'A-Za-z0-9._\\t\\n-'\nend"
	for (i = 1; i <= n; i++)
		printf "complete -c tnav -n \"not __fish_seen_subcommand_from $tnav_commands\" -a %s -d %s\n",
		    name[i], quoted(summary[i])
	print "complete -c tnav -n '__fish_seen_subcommand_from help' -x -a \"$tnav_commands filter formats\""
	print "complete -c tnav -n '__fish_seen_subcommand_from " programs "' -x -a '(__tnav_programs)'"
	for (i = 1; i <= options; i++) {
		split(option[i], a, "\t")
		printf "complete -c tnav -n \"%s\" -l %s%s%s -d %s\n", condition(a[8]), a[2],
		    a[3] != "" ? " -s " a[3] : "", argument(a[5], a[6]), quoted(first(a[7]))
	}
}
