# C without what is not code: comments become blanks, strings and characters lose what is in them.
# Lines keep their numbers. #include lines stay as they are. With -v to=FOLDER/ each file is written to
# its place there.
function put(line) {
	if (to == "")
		print line
	else
		print line > file
}

FNR == 1 {
	comment = 0
	quote = ""
	if (to != "") {
		close(file)
		file = to FILENAME
	}
}

!comment && quote == "" && (/^[ \t]*#[ \t]*include/ || !/["\047]|\/\*/) {
	put($0)
	next
}

{
	out = ""
	n = length($0)
	for (i = 1; i <= n; i++) {
		c = substr($0, i, 1)
		two = substr($0, i, 2)
		if (comment) {
			if (two == "*/") {
				comment = 0
				i++
			}
		} else if (quote != "") {
			if (c == "\\")
				i++
			else if (c == quote) {
				quote = ""
				out = out c
			}
		} else if (two == "/*") {
			comment = 1
			out = out " "
			i++
		} else {
			if (c == "\"" || c == "'")
				quote = c
			out = out c
		}
	}
	put(out)
}
