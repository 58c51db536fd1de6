# The man page: doc/tnav.1.in, whose lines such as @options@ are replaced by what `tnav help --tables`
# says. Usage: awk -f man.awk TABLES doc/tnav.1.in
BEGIN {
	FS = "\t"
	roff_of["\\"] = "\\e"; roff_of["-"] = "\\-"; roff_of["'"] = "\\(aq"; roff_of["`"] = "\\(ga"
	roff_of["~"] = "\\(ti"; roff_of["^"] = "\\(ha"; roff_of["\""] = "\\(dq"
}

# What troff would interpret. A - becomes a minus that can be copied.
function roff(s,   i, c, made) {
	made = s ~ /^[.']/ ? "\\&" : ""
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		made = made (c in roff_of ? roff_of[c] : c)
	}
	return made
}

function sentence(s) { return toupper(substr(s, 1, 1)) roff(substr(s, 2)) "." }

function item(part, term, text) { made[part] = made[part] ".TP\n.B " roff(term) "\n" roff(text) "\n" }

FNR == NR && $1 == "command" {
	made["commands"] = made["commands"] ".TP\n.B " roff("tnav " $2 ($2 != "" ? " " : "") $3) "\n" \
	    sentence($4) "\n" ($5 != "" ? roff($5) "\n" : "")
	gsub(/ /, ", ", $8)
	if ($8 != "")
		made["commands"] = made["commands"] "Columns: " $8 ".\n"
}

FNR == NR && $1 == "option" {
	gsub(/ /, ", ", $8)
	made["options"] = made["options"] ".TP\n" ($3 != "" ? "\\fB\\-" $3 "\\fR, " : "") \
	    "\\fB\\-\\-" roff($2) "\\fR" \
	    ($4 == "" ? "" : $5 == "maybe" ? "[=\\fI" $4 "\\fR]" : " \\fI" $4 "\\fR") "\n" roff($7) "\n" \
	    ($6 != "" ? "One of: " $6 ".\n" : "") "(" $8 ")\n"
}

FNR == NR && $1 == "field" { item("fields", $2, $3) }
FNR == NR && $1 == "operator" { item("operators", $2, $3) }
FNR == NR && $1 == "exit" { item("exit-codes", $2, $3) }
FNR == NR && $1 == "format" { item("formats", $2, $3) }
FNR == NR && $1 == "key" { keys = keys (keys != "" ? ", " : "") $2 }

FNR == NR && $1 == "viewer" {
	if ($2 != group)
		made["keys"] = made["keys"] ".SS " $2 "\n"
	group = $2
	made["keys"] = made["keys"] ".TP\n.B \"" roff($3) ($3 != "" ? "  " : "") ":" roff($4) \
	    ($5 != "" ? " " roff($5) : "") "\"\n" roff($6) "\n"
}

FNR == NR { next }

FNR == 1 {
	made["json-keys"] = keys ".\n"
	print ".\\\" Made of doc/tnav.1.in by doc/made/man.awk; do not edit."
}

/^@[a-z-]+@$/ {
	part = substr($0, 2, length($0) - 2)
	if (!(part in made)) {
		print FILENAME ": no part " part >"/dev/stderr"
		exit 1
	}
	printf "%s", made[part]
	next
}

!/^\.\\"/ { print }
