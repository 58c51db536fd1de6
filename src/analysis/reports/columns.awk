# Make the numbers of the columns of reports from columns.tsv, or with -v tables=1 the tables of their
# columns and parts. columns.tsv says what its cells mean.
# Usage: awk -f columns.awk columns.tsv >columns.h
BEGIN {
	FS = "\t"
	print "/* Made by columns.awk from columns.tsv; do not edit. */"
	print "#include " quoted(tables ? "analysis/reports/columns.h" : "tnav/analysis/report.h")
	if (tables)
		print "#include " quoted("analysis/reports/rows.h")
}

function quoted(text) {
	return "\"" text "\""
}

function is_none(cell) {
	return cell == "" || cell == "-"
}

# width=24 flags=ASKED,ID -> , .width = 24, .flags = COLUMN_ASKED | COLUMN_ID
function members(how,   word, n, i, name, value, out) {
	n = is_none(how) ? 0 : split(how, word, " ")
	for (i = 1; i <= n; i++) {
		name = value = word[i]
		sub(/=.*/, "", name)
		sub(/[^=]*=/, "", value)
		gsub(/,/, " | COLUMN_", value)
		if (name == "flags")
			value = "COLUMN_" value
		else if (name == "tone")
			value = "TONE_" value
		else if (name == "unit")
			value = quoted(value)
		out = out ", ." name " = " value
	}
	return out
}

# The members of the column of this line, whose name may be that of a common one.
function column(   out) {
	if (is_none($3))
		return common[$2] members($4)
	out = ".name = " quoted($2) ", .kind = CELL_" $3 members($4)
	if (!is_none($5))
		out = out ", .title = " quoted($5)
	if (!is_none($6))
		out = out ", .printed = " quoted($6 == "=" ? $5 : $6)
	return out
}

function add_column(number, name, text) {
	id[name] = number
	numbers = numbers "\t" number " = " n++ ",\n"
	if (name == "")
		return
	columns = columns "\t[" number "] = { " text " },\n"
	cells = n
}

# Those that every report has: after the kind, and after what is shown.
function add_source() {
	prefix = $1
	sub(/_KIND$/, "", prefix)
	add_column(prefix "_FILE", "file", common["file"])
	add_column(prefix "_NUMBER_OF_FILE", source, common[source])
}

function add_loss() {
	if (shown == 0) {
		add_column(prefix "_LOST", "lost", common["lost"])
		add_column(prefix "_GAPS", "gaps", common["gaps"])
		shown = n
	}
}

function add_part(   name, k, i) {
	parts = parts "\t{ " quoted($2 == "*" ? "" : $2) ", " (is_none($3) ? "NULL" : quoted($3)) ", { "
	k = split($5, name, " ")
	for (i = 1; i <= k; i++)
		parts = parts id[name[i]] ", "
	parts = parts "REPORT_END }, " (is_none($4) ? "TABLE_UNSORTED" : id[$4]) " },\n"
}

# Write what is of the report, whose numbers begin with its prefix.
function end_report() {
	if (n == 0)
		return
	if (!tables) {
		print "\nenum {\n" numbers "\t" prefix "_COLUMNS = " shown ",\n\t" prefix "_CELLS = " cells ",\n};"
		print "extern const struct table_column\t" report "_columns[];"
		print "extern const struct report_part\t" report "_parts[];"
		return
	}
	print "\n_Static_assert(" prefix "_COLUMNS <= TABLE_MOST, \"a table has so many\");"
	print "_Static_assert(" n " <= ROW_CELLS, \"a row has so many\");"
	print "const struct table_column\t" report "_columns[] = {\n" columns "};"
	print "const struct report_part\t" report "_parts[REPORT_PARTS + 1] = {\n" parts "};"
}

/^#: / {
	end_report()
	split($0, word, " ")
	report = word[2]
	source = word[3] != "" ? word[3] : "source"
	numbers = columns = parts = ""
	n = shown = cells = 0
	split("", id)
}

/^#/ { next }
$1 == "*" { common[$2] = column(); next }
$1 == "hidden" { add_loss(); next }
$1 == "part" { add_loss(); add_part(); next }
{ add_column($1, $2, column()) }
$2 == "kind" { add_source() }
END { end_report() }
