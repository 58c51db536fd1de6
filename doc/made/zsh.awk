# Completion for zsh, made of `tnav help --tables`.
BEGIN { FS = "\t" }

$1 == "command" {
	n++
	name[n] = $2; summary[n] = $4; operand[n] = $6; groups[$2] = $9
	columns[$2] = $7 == "yes" ? "EVENTS" ($8 != "" ? " " $8 : "") : $8
}

$1 == "option" { option[++options] = $0 }
$1 == "key" { events = events (events != "" ? " " : "") $2 }
$1 == "format" { formats = formats (formats != "" ? " " : "") $2 }

# Text inside '...' of an _arguments specification: quotes, colons and brackets are marked.
function marked(s,   i, c, made) {
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		made = made (c == "'" ? "'\\'" : index(":[]\\", c) ? "\\" : "") c
	}
	return made
}

function argument(c, long, kind, choices) {
	if (kind == "choice")
		return "(" choices ")"
	if (kind == "format")
		return "(" formats ")"
	if (kind == "column")
		return "(" columns[c] ")"
	if (kind == "file")
		return "_files"
	if (kind != "fields")
		return " "
	return "_sequence compadd - " (long == "fields" ? columns[c] : long == "by" ? groups[c] : events)
}

function takes(c, takers) { return index(" " takers " ", " " (c != "" ? c : "viewer") " ") > 0 }

function command_options(c,   i, a, more) {
	sub(/EVENTS/, events, columns[c])
	print "\t" (c == "" ? "*" : c) ")\n\t\targs+=("
	for (i = 1; i <= options; i++) {
		split(option[i], a, "\t")
		if (!takes(c, a[8]))
			continue
		more = a[5] != "" ? "=" : ""
		printf "\t\t"
		if (a[3] != "")
			printf "'(-%s --%s)'{-%s%s,--%s%s}'[", a[3], a[2], a[3], more != "" ? "+" : "", a[2], more
		else
			printf "'--%s%s[", a[2], more
		printf "%s]", marked(a[7])
		if (more != "")
			printf ":%s:%s", a[4], argument(c, a[2], a[5], a[6])
		print "'"
	}
	print "\t\t) ;;"
}

END {
	print "#compdef tnav\n# Made by doc/made/zsh.awk."
	print "_tnav()\n{\n\tlocal -a commands args programs\n\tlocal command= w\n\tcommands=("
	for (i = 1; i <= n; i++) {
		if (name[i] != "")
			print "\t\t'" name[i] ":" marked(summary[i]) "'"
		if (operand[i] == "process")
			programs = programs (programs != "" ? "|" : "") name[i]
	}
	print "\t)\n\tfor w in ${words[2,CURRENT-1]}; do"
	print "\t\t(( ${commands[(I)$w:*]} )) && { command=$w; break }\n\tdone"
	print "\tcase $command in\n\thelp)\n\t\t_describe command commands\n\t\tcompadd filter formats\n\t\treturn ;;"
	for (i = 1; i <= n; i++)
		if (name[i] != "" && operand[i] != "topic")
			command_options(name[i])
	command_options("")
	print "\tesac\n\tif [[ -z $command ]]; then"
	print "\t\t_arguments -s -S $args '*: :{ _describe command commands; _files }'"
	print "\telif [[ $command == (" programs ") ]]; then"
	# Only letters, digits and a few other characters of a program's name pass.
	print "\t\tprograms=(${(f)\"$(${words[1]} ps -e pid,name --format tsv 2>/dev/null | tail -n +2 |"
	print "\t\t\ttr -cd 'A-Za-z0-9._\\t\\n-' | tr '\\t' '\\n')\"})"
	print "\t\t_arguments -s -S $args \"*:process:($programs)\""
	print "\telse\n\t\t_arguments -s -S $args \"*:file:_files\"\n\tfi\n}\n_tnav \"$@\""
}
