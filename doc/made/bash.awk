# Completion for bash, made of `tnav help --tables`.
BEGIN { FS = "\t" }

$1 == "command" {
	n++
	name[n] = $2; operand[n] = $6
	columns[$2] = $7 == "yes" ? "EVENTS" ($8 != "" ? " " $8 : "") : $8
	groups[$2] = $9
	if ($2 != "") {
		commands = commands (commands != "" ? " " : "") $2
		if (operand[n] == "process")
			programs = programs (programs != "" ? "|" : "") $2
	}
}

$1 == "option" {
	long = "--" $2 ($3 != "" ? " -" $3 : "")
	taken = split($8, taker, " ")
	for (i = 1; i <= taken; i++) {
		c = taker[i] == "viewer" ? "" : taker[i]
		words[c] = words[c] (words[c] != "" ? " " : "") long
		grouped[c] = grouped[c] || $2 == "by"
	}
	if ($5 != "")
		action[++actions] = ($3 != "" ? "-" $3 "|" : "") "--" $2 "\t" $2 "\t" $5 "\t" $6
}

$1 == "key" { events = events (events != "" ? " " : "") $2 }
$1 == "format" { formats = formats (formats != "" ? " " : "") $2 }

function command_words(c) {
	sub(/EVENTS/, events, columns[c])
	printf "\t%s) words='%s'\n\t\tfields='%s", c == "" ? "*" : c, words[c], columns[c]
	if (grouped[c])
		printf "'\n\t\tgroups='%s", groups[c]
	print "' ;;"
}

# The words for running programs. Shells expand these words, and a program can have any name, so only
# letters, digits and a few other characters pass.
function running(what) {
	return "$(\"${COMP_WORDS[0]}\" ps -e " what " --format tsv 2>/dev/null | tail -n +2 |\n" \
	    "\t\t\ttr -cd 'A-Za-z0-9._\\t\\n-' | tr '\\t' '\\n')"
}

function reply(list) { return "COMPREPLY=($(compgen -W " list " -- \"$cur\"))" }

function argument(option, kind, choices) {
	if (option == "process-id" || option == "name")
		return reply("\"" running(option == "name" ? "name" : "pid") "\"")
	if (kind == "choice")
		return reply("'" choices "'")
	if (kind == "format")
		return reply("'" formats "'")
	if (kind == "column")
		return reply("\"$fields\"")
	if (kind == "file")
		return "COMPREPLY=($(compgen -f -- \"$cur\"))"
	if (kind != "fields")
		return ":"
	return "[[ $cur == *,* ]] && head=${cur%,*},\n\t\tCOMPREPLY=($(compgen -P \"$head\" -W " \
	    (option == "by" ? "\"$groups\"" : option == "fields" ? "\"$fields\"" : "'" events "'") \
	    " -- \"${cur##*,}\"))\n\t\tcompopt -o nospace"
}

END {
	print "# bash completion for tnav(1), made by doc/made/bash.awk."
	print "_tnav()\n{\n\tlocal cur=$2 prev=$3 command= head= words= fields= groups= w"
	print "\tCOMPREPLY=()"
	# The shell splits words at "=": --format=js is "--format", "=", "js".
	print "\t[[ $cur == = ]] && cur=\n\t[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}"
	print "\tfor w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n\t\tif [[ $w == -- ]]; then"
	print "\t\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n\t\t\tcompopt -o filenames\n\t\t\treturn\n\t\tfi"
	print "\t\t[[ -z $command && ' " commands " ' == *\" $w \"* ]] && command=$w\n\tdone"
	print "\tcase $command in"
	# The pattern of the viewer, which has no name, matches everything, so it comes last.
	for (i = 1; i <= n; i++)
		if (name[i] != "")
			command_words(name[i])
	command_words("")
	print "\tesac\n\tcase $prev in"
	for (i = 1; i <= actions; i++) {
		split(action[i], a, "\t")
		print "\t" a[1] ")\n\t\t" argument(a[2], a[3], a[4]) "\n\t\treturn ;;"
	}
	print "\tesac\n\tif [[ $cur == -* ]]; then\n\t\t" reply("\"$words\"") "\n\t\treturn\n\tfi"
	print "\tif [[ $command == help ]]; then\n\t\t" reply("'" commands " filter formats'")
	print "\t\treturn\n\tfi\n\tcase $command in\n\t" programs ")\n\t\t" reply("\"" running("pid,name") "\"")
	print "\t\treturn ;;\n\tesac\n\tCOMPREPLY=($(compgen -f -- \"$cur\"))"
	print "\t[[ -z $command ]] && COMPREPLY+=($(compgen -W '" commands "' -- \"$cur\"))"
	print "\tcompopt -o filenames\n}\ncomplete -F _tnav tnav"
}
