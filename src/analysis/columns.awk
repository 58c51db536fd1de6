# Make the numbers of the columns of tables and reports, or with -v header=HEADER, which has these
# numbers, the tables of their columns, parts and plots, and totals. columns.tsv says what its cells mean. Of all files
# but the last one, only the columns that many tables have are taken.
# Usage: awk -f columns.awk columns.tsv [reports/columns.tsv] >columns.h
# A row that is wrong ends it: what C would take for something else is tested here.
BEGIN {
	FS = "\t"
	print "/* Made by columns.awk from columns.tsv; do not edit. */"
	if (!header)
		print "#pragma once"
	include(header ? header : "tnav/analysis/table.h")
}

function wrong(why) {
	print FILENAME ":" FNR ": " why >"/dev/stderr"
	failed = 1
	exit 1
}

function quoted(text) {
	return "\"" text "\""
}

function include(name) {
	if (!(name in included))
		print "#include " quoted(name)
	included[name]
}

function is_none(cell) {
	return cell == "" || cell == "-"
}

# width=24 flags=EXTRA,ID -> , .width = 24, .flags = COLUMN_EXTRA | COLUMN_ID
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
	if (is_none($3)) {
		if (NF > 4 || ($2 != "" && !($2 in common)))
			wrong("without a kind, " $2 " is no column that many tables have")
		return common[$2] members($4)
	}
	out = ".name = " quoted($2) ", .kind = CELL_" $3 members($4)
	if (!is_none($5))
		out = out ", .title = " quoted($5)
	if (!is_none($6))
		out = out ", .printed = " quoted($6 == "=" ? $5 : $6)
	return out
}

function add_column(number, name, text) {
	if (name in id || parts != "" || (name != "" && cells < n))
		wrong("the column " name " is there twice, or after parts or columns without a name")
	if (n == 0) {
		prefix = number
		sub(/_.*/, "", prefix)
	}
	numbers = numbers "\t" number " = " n++ ",\n"
	if (name == "") {
		unnamed[number]
		return
	}
	id[name] = number
	kind[name] = text
	columns = columns "\t[" number "] = { " text " },\n"
	cells = n
}

# Those that every report has: after the kind, and after what is shown.
function add_source() {
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

function number_of(name) {
	if (!(name in id))
		wrong("this names a column " name ", which the report has not")
	return id[name]
}

# The numbers of these columns; k: how many.
function numbers_of(names,   name, i, out) {
	k = split(names, name, " ")
	for (i = 1; i <= k; i++)
		out = out number_of(name[i]) ", "
	return "{ " out "REPORT_END }"
}

function add_part() {
	parts = parts "\t{ " quoted($2 == "*" ? "" : $2) ", " (is_none($3) ? "NULL" : quoted($3)) ", " \
	    numbers_of($5) ", " (is_none($4) ? "TABLE_UNSORTED" : number_of($4)) " },\n"
	if (NF != 5 || k == 0)
		wrong("the part " $2 " has no columns")
	nparts++
	most = k > most ? k : most
}

function add_plot() {
	plots = plots "\t{ " quoted($3) ", " quoted($2) ", " number_of($5) ", PLOT_" $4 ", " numbers_of($6) " },\n"
	layers = k > layers ? k : layers
}

# {name and [?name are cells.
function add_total(   text, name) {
	total = total $2
	for (text = $2; match(text, /([{]|\[[?!+0])[A-Za-z0-9]+/); text = substr(text, RSTART + RLENGTH)) {
		name = substr(text, RSTART, RLENGTH)
		sub(/^([{]|\[.)/, "", name)
		number_of(name)
	}
}

# The number of a column: by its name, or by its id without the prefix if it has no name; -: none.
function any_number(name) {
	if (name == "-")
		return 0
	return prefix "_" name in unnamed ? prefix "_" name : number_of(name)
}

function any_numbers(names,   name, n, i, out) {
	n = split(names, name, ",")
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? ", " : "") any_number(name[i])
	return out
}

# open=COUNT:state=open -> { X_OPEN, FIGURE_COUNT, X_STATE, "open" }, and a group is wait.byTid for byTid of wait.
function figures(words,   word, n, i, part, from, out) {
	n = split(words, word, " ")
	for (i = 1; i <= n; i++) {
		if (word[i] in figures_of) {
			out = out figures(figures_of[word[i]])
			continue
		}
		split(word[i], part, "[=:]")
		from = part[3]
		from = sub(/[.]/, "_", from) ? table "_" from : any_number(from == "" ? "-" : from)
		out = out "{ " any_number(part[1]) ", FIGURE_" part[2] ", " from ", " \
		    (part[4] == "" ? "NULL" : quoted(part[4])) " }, "
		nfigures++
	}
	return out
}

# key=tier,background best=dur after -> , .key = { X_TIER, X_BACKGROUND }, .best = X_DUR, .after = true
function members_of(how,   word, n, i, part, out) {
	n = split(how, word, " ")
	for (i = 1; i <= n; i++) {
		split(word[i], part, "=")
		if (part[1] == "key" && kind[part[2]] ~ /CELL_TEXT/)
			wrong("no rows have the text " part[2] " as the key of a group")
		out = out ", ." part[1] " = " (part[2] == "" ? "true" : part[1] ~ /^(key|shown|sort)$/ ? \
		    "{ " any_numbers(part[2]) " }" : any_number(part[2]))
	}
	return out
}

function add_group() {
	if (NF < 4 || NF > 5)
		wrong("not the cells of a group")
	nfigures = 0
	group_ids = group_ids table "_" (is_none($3) ? "all" : $3) "_" $2 ", "
	group[ngroups++] = ".kind = " quoted($1 == "group" ? $2 : "") (is_none($3) ? "" : ", .of = " quoted($3)) \
	    ", .figure = { " figures($4) "}" members_of($5)
	figures_most = nfigures > figures_most ? nfigures : figures_most
}

# What the group of the rows before has, too.
function add_to_group(text) {
	if (ngroups == 0)
		wrong("there is no group before this")
	group[ngroups - 1] = group[ngroups - 1] ", " text
}

function put_groups(   i) {
	print "enum { " group_ids table "_GROUPS };"
	print "const struct grouping\t" table "_groups[] = {"
	for (i = 0; i < ngroups; i++)
		print "\t{ " group[i] " },"
	print "\t{ .kind = NULL },\n};"
}

function at_most(number, limit, of) {
	print "_Static_assert(" number " <= " limit ", \"" table ": " of "\");"
}

function end_table() {
	if (!header) {
		print "\nenum " table "_column {\n" numbers "\t" prefix "_COLUMNS,\n};"
		print "extern const struct table_column\t" table "_columns[" prefix "_COLUMNS];"
		return
	}
	print ""
	at_most(prefix "_COLUMNS", "TABLE_MOST", "columns of a table")
	print "const struct table_column\t" table "_columns[" prefix "_COLUMNS] = {\n" columns "};"
}

function end_report(   name) {
	if (nparts == 0)
		wrong("the report " table ", which ends here, has no part")
	if (!header) {
		include("analysis/group.h")
		include("analysis/pairs.h")
		include("tnav/analysis/report.h")
		print "\nenum {\n" numbers "\t" prefix "_COLUMNS = " shown ",\n\t" prefix "_CELLS = " cells ",\n};"
		print "extern const struct table_column\t" table "_columns[];"
		print "extern const struct report_part\t" table "_parts[];"
		print "extern const struct report_plot_def\t" table "_plots[];"
		print "extern const struct grouping\t" table "_groups[];"
		for (name in pair)
			print "extern const struct pair_columns\t" table "_" name ";"
		print "extern const char\t" table "_total[];"
		return
	}
	include("analysis/reports/rows.h")
	print ""
	at_most(prefix "_COLUMNS", "TABLE_MOST", "columns of a table")
	at_most(n, "ROW_CELLS", "cells of a row")
	at_most(nparts, "REPORT_PARTS", "parts")
	at_most(most, "PART_COLUMNS", "columns of a part")
	at_most(figures_most, "FIGURES_MOST", "figures of a group")
	at_most(layers, "PLOT_LAYERS", "layers of a plot")
	print "const struct table_column\t" table "_columns[] = {\n" columns "};"
	print "const struct report_part\t" table "_parts[REPORT_PARTS + 1] = {\n" parts "};"
	print "const struct report_plot_def\t" table "_plots[] = {\n" plots "\t{ .title = NULL },\n};"
	put_groups()
	for (name in pair)
		print "const struct pair_columns\t" table "_" name " = { " substr(pair[name], 3) " };"
	print "const char\t" table "_total[] = " quoted(total) ";"
}

# Write what is of the table or report, whose numbers begin with its prefix.
function end() {
	if (n > 0 && is_report)
		end_report()
	else if (n > 0)
		end_table()
}

/^#: / {
	end()
	split($0, word, " ")
	is_report = word[2] == "report"
	table = word[3]
	source = word[4] != "" ? word[4] : "source"
	numbers = columns = parts = plots = total = group_ids = ""
	n = shown = cells = nparts = most = layers = figures_most = ngroups = 0
	split("", id)
	split("", unnamed)
	split("", pair)
	split("", figures_of)
}

/^#/ { next }
$1 == "total" && NF == 2 { add_total(); next }
$1 == "pair" && NF == 3 { add_loss(); pair[$2] = members_of($3); next }
$1 == "figures" && NF == 3 { figures_of[$2] = $3; next }
$1 == "group" || $1 == "members" { add_loss(); add_group(); next }
$1 == "filter" && NF == 3 { add_to_group(".filter = " quoted($3 " = ") ", .filter_by = " any_number($2)); next }
($1 == "beyond" || $1 == "uncounted") && NF == 2 { add_to_group("." $1 " = " quoted($2)); next }
NF > 6 || (NF > 1 && $2 !~ /^([A-Za-z][A-Za-z0-9]*|\*)$/) || / $/ { wrong("not the cells of a column or a part") }
$1 == "*" { common[$2] = column(); next }
FILENAME != ARGV[ARGC - 1] { next }
$1 == "hidden" { add_loss(); next }
$1 == "part" { add_loss(); add_part(); next }
$1 == "plot" { add_plot(); next }
{ add_column($1, $2, column()) }
is_report && $2 == "kind" { add_source() }
END {
	if (!failed)
		end()
}
