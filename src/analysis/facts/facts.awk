# Make the tables of facts, and the names of their kinds and fields, from facts.tsv, which says what its cells
# mean. X_FACTS are the entries of an array of struct fact_def, X_KINDS and X_FIELDS are for an enum.
# FACT_FIELDS is the number of fields of the fact that has most.
# Usage: awk -f facts.awk facts.tsv >tables.h
# A row that is wrong ends it.
BEGIN {
	FS = "\t"
	print "/* Made by facts.awk from facts.tsv; do not edit. */"
	print "#pragma once"
}

function wrong(why) {
	print FILENAME ":" FNR ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

function quoted(text) {
	return text == "-" || text == "" ? "NULL" : "\"" text "\""
}

# START=MethodStartAddress SIZE=MethodSize: the paths; their numbers are noted under their names.
function paths(words,   word, n, i, name, out) {
	n = split(words, word, " ")
	for (i = 1; i <= n; i++) {
		if (word[i] in fields_of) {
			out = out paths(fields_of[word[i]])
			continue
		}
		if (word[i] !~ /^([A-Z][A-Z_0-9]*=)?[A-Za-z_][^=]*$/ || word[i] ~ /^[A-Z_0-9]+$/)
			wrong("neither a field nor the name of fields: " word[i])
		if (word[i] ~ /=/) {
			name = word[i]
			sub(/=.*/, "", name)
			if (name in number && number[name] != nfields)
				wrong("the field " name " has two numbers")
			if (!(name in number))
				names = names ", \\\n\t" name " = " nfields
			number[name] = nfields
		}
		sub(/.*=/, "", word[i])
		out = out quoted(word[i]) ", "
		nfields++
	}
	return out
}

# An entry for each id, or without ids for each name of an event.
function add_facts(   id, event, n, i, by_id, field, flags) {
	by_id = $3 != "-"
	n = split(by_id ? $3 : $4, id, " ")
	if (prefix == "" || n == 0 || id[1] == "-")
		wrong("a fact without a reader, or without an id or a name")
	if ($4 != "" && $4 != "-" && split($4, event, " ") != n)
		wrong("not a name for each id")
	if ($2 ~ /^[A-Z_0-9]+$/ && !($2 in provider))
		wrong("no name of a provider: " $2)
	nfields = 0
	field = paths($5 == "-" ? "" : $5) "NULL"
	most = nfields > most ? nfields : most
	flags = $6 == "" || $6 == "-" ? "0" : "FACT_" $6
	gsub(/,/, " | FACT_", flags)
	for (i = 1; i <= n; i++)
		facts = facts "\t{ " $1 ", " quoted($2 in provider ? provider[$2] : $2) ", " (by_id ? id[i] : "FACT_BY_NAME") \
		    ", " quoted(event[i]) ", { " field " }, " flags ", " ($7 == "" ? "NULL" : $7) " }, \\\n"
	if ($1 ~ /^[A-Z][A-Z_0-9]*$/ && !($1 in is_kind))
		kinds = kinds (kinds == "" ? "" : ", ") "\\\n\t" $1
	is_kind[$1]
}

function end() {
	if (prefix == "")
		return
	print "\n#define " prefix "_FACTS \\\n" facts "\t{ .provider = NULL }"
	print "#define " prefix "_KINDS " kinds
	sub(/^, /, "", names)
	print "#define " prefix "_FIELDS " names
}

/^#: / {
	end()
	split($0, word, " ")
	prefix = word[2]
	facts = kinds = names = ""
	split("", number)
	split("", is_kind)
	split("", fields_of)
}

/^#/ { next }
$1 == "provider" && NF == 3 { provider[$2] = $3; next }
$1 == "fields" && NF == 3 { fields_of[$2] = $3; next }
NF < 3 || NF > 7 || / $/ { wrong("not the cells of a fact") }
{ add_facts() }
END {
	if (!failed) {
		end()
		print "\n#define FACT_FIELDS " most "u"
	}
}
