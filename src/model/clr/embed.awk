# Turn tables into C: each FILE.tsv becomes a string `const char clr_FILE_tsv[]`, one literal a
# line. Usage: awk -f embed.awk events.tsv maps.tsv >clr_data.c
BEGIN {
	print "/* Made by embed.awk from src/model/clr/; do not edit. */"
	print "#include \"model/clr_data.h\""
}

FNR == 1 {
	if (NR > 1)
		print ";"
	name = FILENAME
	sub(/^.*\//, "", name)
	sub(/\.tsv$/, "", name)
	print ""
	print "const char clr_" name "_tsv[] ="
}

{
	gsub(/\\/, "\\\\")
	gsub(/"/, "\\\"")
	gsub(/\?/, "\\?")	# no trigraphs
	gsub(/\t/, "\\t")
	print "\t\"" $0 "\\n\""
}

END {
	print ";"
}
