# Turn tables into arrays of structs. A line of a table says how:
#	#: struct runtime_group runtime_groups "live/tables.h" text number
# A cell becomes a text (NULL for -, "-" for \-), a number or an expression, or with any other word a
# name that begins with it. A word that begins with a point is the member that the text is. A line that
# begins with = is C between the rows. The name of the number of rows has an n after the first underscore:
# runtime_ngroups. With static instead of struct, and - instead of a header, the array is for the file that
# includes what is made. A row without all cells, or with more, ends it.
# Usage: awk -f rows.awk profiles.tsv groups.tsv >tables.c
BEGIN { FS = "\t"; print "/* Made by rows.awk from tables; do not edit. */" }

function end_array() {
	if (array == "")
		return
	print "};"
	if (is_static)
		return
	count = array
	sub(/_/, "_n", count)
	print "const size_t\t" count " = sizeof " array " / sizeof *" array ";"
}

/^#: / {
	end_array()
	n = split($0, word, " ")
	array = word[4]
	is_static = word[2] == "static"
	if (!is_static && !(word[5] in included))
		print "#include " word[5]
	included[word[5]]
	print "\n" (is_static ? "static " : "") "const struct " word[3] "\t" array "[] = {"
}

/^=/ { print substr($0, 2) }

/^[#=]/ { next }

NF != n - 5 {
	print FILENAME ":" FNR ": not the " n - 5 " cells of " array >"/dev/stderr"
	exit 1
}

{
	line = ""
	for (i = 1; i <= n - 5; i++) {
		kind = word[5 + i]
		member = kind ~ /^[.]/ ? kind " = " : ""
		if (kind == "number")
			cell = $i
		else if (kind != "text" && member == "")
			cell = kind toupper($i)
		else if ($i == "-")
			cell = "NULL"
		else {
			cell = $i
			sub(/^\\-$/, "-", cell)
			gsub(/"/, "\\\"", cell)
			cell = "\"" cell "\""
		}
		line = line (i > 1 ? ", " : "") member cell
	}
	print "{ " line " },"
}

END { end_array() }
