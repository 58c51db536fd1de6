/*
 * The writer of rows and the output below it: the same rows in each format, files that appear only
 * when they are complete, reported failures.
 */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/test.h"
#include <zlib.h>
#include <zstd.h>

#include "tnav/base/err.h"
#include "tnav/io/file.h"
#include "tnav/out/table.h"

static char	dir[] = "/tmp/tnav-test-XXXXXX";
static char	path[64];

static int
make_dir(void)
{
	if (mkdtemp(dir) == NULL)
		return -1;
	snprintf(path, sizeof path, "%s/out", dir);
	return 0;
}

static int
remove_dir(void)
{
	(void)unlink(path);
	return rmdir(dir);	/* fails if a temporary file was left behind */
}

static const char *
slurp(char *buf, size_t size)
{
	FILE	*f = fopen(path, "rb");
	size_t	 n;

	assert_non_null(f);
	n = fread(buf, 1, size - 1, f);
	buf[n] = '\0';
	fclose(f);
	return buf;
}

static const char *
write_rows(enum out_format format, unsigned rows, char *buf, size_t size)
{
	static const char *const	names[] = { "name", "n", "extra" };
	struct out_style		st = { .format = format };
	struct output			*o;
	struct writer			*w;

	assert_int_equal(output_open(&o, path), ERR_OK);
	w = writer_new(o, &st, names, 3, false);
	for (unsigned i = 0; i < rows; i++) {
		struct cell	c[3] = { cell_str(i % 2 ? "b,\"c\"" : "a"), cell_u64(i * 100),
				    { .kind = CELL_NONE } };

		assert_int_equal(writer_row(w, c), ERR_OK);
	}
	assert_int_equal(writer_end(w), ERR_OK);
	assert_int_equal(output_close(o, true, NULL), ERR_OK);
	return slurp(buf, size);
}

TEST(the_same_rows_in_every_format)
{
	char	buf[512];

	assert_string_equal(write_rows(OUT_JSONL, 2, buf, sizeof buf),
	    "{\"name\":\"a\",\"n\":0}\n{\"name\":\"b,\\\"c\\\"\",\"n\":100}\n");
	assert_string_equal(write_rows(OUT_CSV, 2, buf, sizeof buf),
	    "name,n,extra\r\na,0,\r\n\"b,\"\"c\"\"\",100,\r\n");
	assert_string_equal(write_rows(OUT_TSV, 2, buf, sizeof buf),
	    "name\tn\textra\na\t0\t\nb,\"c\"\t100\t\n");
	assert_string_equal(write_rows(OUT_TEXT, 2, buf, sizeof buf),
	    "name     n  extra\na        0  -\nb,\"c\"  100  -\n");
}

TEST(no_rows_are_titles_but_in_json)
{
	char	buf[64];

	assert_string_equal(write_rows(OUT_TEXT, 0, buf, sizeof buf), "name  n  extra\n");
	assert_string_equal(write_rows(OUT_CSV, 0, buf, sizeof buf), "name,n,extra\r\n");
	assert_string_equal(write_rows(OUT_JSONL, 0, buf, sizeof buf), "");
}

TEST(no_row_is_lost_when_more_come_than_are_held_back)
{
	size_t	 size = 1u << 20, lines = 0;
	char	*buf = malloc(size);

	assert_non_null(buf);
	for (const char *p = write_rows(OUT_TEXT, 2500, buf, size); *p != '\0'; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 2501);
	free(buf);
}

/* The last row that is held back still widens its column, the next one is shifted; no column is
   wider than 300 cells. */
TEST(the_first_thousand_rows_and_300_cells_make_a_column)
{
	static const char *const	names[] = { "a", "b" };
	static const size_t		cases[][4] = {	/* row, its cells, row, its width */
		{ 999, 20, 0, 20 }, { 999, 20, 999, 20 }, { 1000, 20, 0, 5 },
		{ 1000, 20, 1000, 20 },
		{ 0, 299, 1, 299 }, { 0, 300, 1, 300 }, { 0, 301, 1, 300 }, { 0, 301, 0, 301 },
	};
	size_t				size = 1u << 20;
	char				*text = malloc(size), wide[302] = "";

	assert_non_null(text);
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct out_style	 st = { .format = OUT_TEXT };
		struct output		*o;
		struct writer		*w;
		const char		*line;

		memset(wide, 'w', cases[k][1]);
		wide[cases[k][1]] = '\0';
		assert_int_equal(output_open(&o, path), ERR_OK);
		w = writer_new(o, &st, names, 2, false);
		for (size_t i = 0; i < 1002; i++)
			assert_int_equal(writer_row(w, (struct cell[]){
			    cell_str(i == cases[k][0] ? wide : "short"), cell_str("x") }), ERR_OK);
		assert_int_equal(writer_end(w), ERR_OK);
		assert_int_equal(output_close(o, true, NULL), ERR_OK);
		line = slurp(text, size);
		for (size_t i = 0; i <= cases[k][2]; i++)	/* behind the titles */
			line = strchr(line, '\n') + 1;
		assert_int_equal(strcspn(line, "\n"), cases[k][3] + 2 + 1);
	}
	free(text);
}

TEST(a_row_has_a_separator_before_each_column_but_the_first)
{
	static const char *const	names[20] = { "a", "b", "c", "d", "e", "f", "g", "h", "i",
					    "j", "k", "l", "m", "n", "o", "p", "q", "r",
					    "s", "t" };
	char				text[1024], want[64];

	for (size_t at = 0; at < 20; at++) {
		struct out_style	 st = { .format = OUT_TSV };
		struct cell		 c[20] = { { .kind = CELL_NONE } };
		struct output		*o;
		struct writer		*w;

		c[at] = cell_u64(7);
		assert_int_equal(output_open(&o, path), ERR_OK);
		w = writer_new(o, &st, names, 20, false);
		assert_int_equal(writer_row(w, c), ERR_OK);
		assert_int_equal(writer_row(w, c), ERR_OK);
		assert_int_equal(writer_end(w), ERR_OK);
		assert_int_equal(output_close(o, true, NULL), ERR_OK);
		memset(want, '\t', sizeof want);
		want[at] = '7';
		memcpy(want + 20, "\n", 2);
		assert_int_equal(strlen(slurp(text, sizeof text)), 40 + 21 + 21);
		assert_string_equal(text + 40 + 21, want);
	}
}

/* In steps that are no multiple of anything, more than a chunk of the compressor at a time. */
static void
write_packed(const char *packed, const struct buf *text)
{
	struct output	*o;

	assert_int_equal(output_open(&o, packed), ERR_OK);
	for (size_t at = 0, n; at < text->len; at += n) {
		n = text->len - at < 99991 ? text->len - at : 99991;
		buf_add(output_buf(o), text->p + at, n);
		assert_int_equal(output_step(o), ERR_OK);
	}
	assert_int_equal(output_close(o, true, NULL), ERR_OK);
}

TEST(a_name_with_zst_or_gz_is_compressed)
{
	char		 zst[sizeof path + 4], gz[sizeof path + 4], *back;
	struct buf	*text = test_buf(), *packed = test_buf();
	size_t		 n;
	gzFile		 f;

	for (uint64_t i = 0, x = 1; i < 100000; i++, x = x * 6364136223846793005u + 1)
		buf_hex(text, x >> 20, 1);
	(void)snprintf(zst, sizeof zst, "%s.zst", path);
	(void)snprintf(gz, sizeof gz, "%s.gz", path);
	back = malloc(text->len + 1);
	assert_non_null(back);

	write_packed(zst, text);
	assert_int_equal(file_read(zst, 0, text->len, packed), ERR_OK);
	n = ZSTD_decompress(back, text->len + 1, packed->p, packed->len);
	assert_int_equal(n, text->len);
	assert_memory_equal(back, text->p, text->len);

	write_packed(gz, text);
	f = gzopen(gz, "rb");
	assert_non_null(f);
	assert_int_equal(gzread(f, back, (unsigned)text->len + 1), text->len);
	assert_int_equal(gzclose(f), Z_OK);
	assert_memory_equal(back, text->p, text->len);

	/* Nothing at all is a stream of its own. */
	text->len = 0;
	write_packed(zst, text);
	buf_clear(packed);
	assert_int_equal(file_read(zst, 0, 100, packed), ERR_OK);
	assert_true(packed->len > 0);
	assert_int_equal(ZSTD_decompress(back, 1, packed->p, packed->len), 0);
	assert_int_equal(unlink(zst), 0);
	assert_int_equal(unlink(gz), 0);
	free(back);
}

TEST(a_file_is_not_touched_before_it_is_whole)
{
	struct output	*o;
	char		 buf[64];

	write_rows(OUT_CSV, 0, buf, sizeof buf);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(output_open(&o, path), ERR_OK);
	buf_puts(output_buf(o), "half");
	assert_string_equal(slurp(buf, sizeof buf), "name,n,extra\r\n");
	assert_int_equal(output_close(o, false, NULL), ERR_OK);
	assert_string_equal(slurp(buf, sizeof buf), "name,n,extra\r\n");
	assert_int_equal(output_open(&o, path), ERR_OK);
	buf_puts(output_buf(o), "whole");
	assert_int_equal(output_close(o, true, NULL), ERR_OK);
	assert_string_equal(slurp(buf, sizeof buf), "whole");
	{
		struct stat	st;

		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);	/* as the file had before */
	}
}

TEST(a_full_device_is_told)
{
	struct output	*o;
	uint64_t	 written = 99;

	if (access("/dev/full", W_OK) != 0)
		skip();
	assert_int_equal(output_open(&o, "/dev/full"), ERR_OK);
	buf_puts(output_buf(o), "text");
	assert_int_equal(output_close(o, true, &written), ERR_IO);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(written, 0);
}

TEST(what_cannot_be_opened_is_told)
{
	struct output	*o;

	assert_int_equal(output_open(&o, dir), ERR_IO);
	assert_int_equal(errno, EISDIR);
	assert_null(o);
	assert_int_equal(output_open(&o, "/dev/null/x"), ERR_IO);
	assert_int_equal(errno, ENOTDIR);
}

GROUP(make_dir, remove_dir)
