/*
 * Copying in tmux: a real one with its defaults, and stand-ins for what a real one does seldom.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "../support/data.h"
#include "../support/desk.h"
#include "../support/pty.h"
#include "../support/test.h"
#include "app/export.h"
#include "ui/command/command.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define DEMO	"tests/data/demo.nettrace"

static char	folder[] = "tnav-copy-XXXXXX", here[8192], path[16384];

static char	socket_name[64];		/* of the real one; empty: none was started */

static const struct ui_options	exporting = { .export = &app_export };

static int
make_folder(void)
{
	char	cwd[4096];

	if (getcwd(cwd, sizeof cwd) == NULL || mkdtemp(folder) == NULL)
		return -1;
	snprintf(here, sizeof here, "%s/%s", cwd, folder);
	snprintf(path, sizeof path, "%s:%s", here, getenv("PATH"));
	(void)unsetenv("TMUX");
	return 0;
}

static int
remove_folder(void)
{
	char	line[sizeof here + 16];

	if (socket_name[0] != '\0') {
		snprintf(line, sizeof line, "tmux -L %s kill-server 2>/dev/null", socket_name);
		(void)!system(line);
	}
	return test_remove(here);
}

/* ---- stand-ins */

/* A tmux that is this script; the viewer runs in it. */
static void
stand_in(const char *script)
{
	char	 name[sizeof here + 16];
	FILE	*f;

	snprintf(name, sizeof name, "%s/tmux", here);
	f = fopen(name, "w");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\ncd '%s' || exit 9\n%s\n", here, script);
	fclose(f);
	assert_int_equal(chmod(name, 0700), 0);
	setenv("PATH", path, 1);
	setenv("TMUX", "/nowhere,1,0", 1);
}

static void
no_stand_in(void)
{
	setenv("PATH", path + strlen(here) + 1, 1);
	unsetenv("TMUX");
}

DESK_TEST_WITH(tmux_gets_the_text_on_its_input_and_none_of_it_as_an_argument, D, 24, 200,
    &exporting)
{
	stand_in("printf '%s|' \"$@\" >args; cat >text");
	desk_try_bottom(d, "y j", "to tmux's buffer: {\"row\":0");
	assert_string_equal(desk_file(here, "args"), "load-buffer|-w|-|");
	assert_string_equal(desk_file(here, "text"), memterm_copied(d->m));
	assert_true(strlen(desk_file(here, "text")) > 20);
}

DESK_TEST_WITH(an_old_tmux_is_asked_again_without_the_option_that_it_does_not_know, D, 24, 200,
    &exporting)
{
	stand_in("test \"$2\" = - || exit 1; cat >text");
	desk_try_bottom(d, "y t", "copied the time (12 bytes) to tmux's buffer: 0.001000000s");
	assert_string_equal(desk_file(here, "text"), "0.001000000s");
	desk_try_bottom(d, ":`time-format utc` <Enter> y t", "Z");	/* as it is shown */
	assert_string_equal(desk_file(here, "text") + 10, "T03:04:05.679000000Z");
}

DESK_TEST_WITH(a_tmux_that_refuses_is_told_of, D, 24, 200, &exporting)
{
	stand_in("exit 3");
	desk_do(d, "y t");
	desk_need_bottom(d, "the time was sent to the terminal only (OSC 52): "
	    "tmux load-buffer: exit code 3");
	assert_string_equal(memterm_copied(d->m), "0.001000000s");
}

DESK_TEST_WITH(a_tmux_that_hangs_blocks_no_key_and_is_ended, D, 24, 200, &exporting)
{
	stand_in("exec sleep 1000");
	memterm_press(d->m, "y t j j");
	for (int i = 0; i < 5; i++)
		ui_turn(d->ui);
	assert_int_equal(d->ui->v.sel.row, 2);
	assert_true(copy_busy(d->ui));
	desk_rest(d);
	desk_need_bottom(d, "no answer within a second");
	assert_false(copy_busy(d->ui));
	memterm_press(d->m, "y t");	/* the viewer's end ends it, too */
	ui_turn(d->ui);
}

TEST(without_tmux_the_terminal_is_named)
{
	struct desk	d;

	no_stand_in();
	d = desk_open(D, 24, 200, false, &exporting);
	desk_do(&d, "y t");
	desk_need_bottom(&d, "copied the time (12 bytes), sent to the terminal (OSC 52): 0.001000000s");
}

TEST(commands_that_copy_may_run_programs_and_say_so)
{
	int	n = 0;

	for (size_t i = 0; i < command_ntable; i++) {
		const struct command	*cmd = &command_table[i];

		if (strncmp(cmd->name, "copy-", 5) != 0)
			continue;
		assert_true((cmd->does & DOES_RUN) != 0);
		n++;
	}
	assert_true(n >= 8);
}

/* ---- a real one */

/* What `tmux show-buffer` says. */
static const char *
buffer_of(const char *socket)
{
	static char	 text[1 << 16];
	char		 line[512];
	size_t		 n;
	FILE		*f;

	snprintf(line, sizeof line, "tmux -L %s show-buffer", socket);
	f = popen(line, "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof text - 1, f);
	(void)pclose(f);
	text[n] = '\0';
	return text;
}

TEST(in_a_real_tmux_the_copy_arrives_and_fifty_keys_move_fifty_times)
{
	static char	 script[] = "exec tmux -u -f /dev/null -L \"$2\" new-session "
			    "\"TNAV_NO_STATE=1 '$0' '$1'\"";
	static char	 bash[] = "/bin/bash", c[] = "-c", utf8[] = "LC_ALL=C.UTF-8";
	const char	*tnav = getenv("TNAV");
	char		 program[4096], trace[4096], keys[64];
	struct pty	*p;

	no_stand_in();
	if (system("command -v tmux >/dev/null") != 0) {
		print_message("SKIP: needs tmux\n");
		skip();		/* ./bootstrap check installs it */
	}
	snprintf(program, sizeof program, "%s", tnav != NULL ? tnav : "./tnav");
	snprintf(trace, sizeof trace, "%s", data_path(DEMO));
	snprintf(socket_name, sizeof socket_name, "tnav-%ld", (long)getpid());
	p = pty_start(24, 80, (char *[]){ bash, c, script, program, trace, socket_name, NULL },
	    (char *[]){ utf8, NULL });
	pty_wait_text(p, "row 0");
	pty_try(p, "yt", "to tmux's buffer");
	assert_true(pty_has(p, buffer_of(socket_name)));
	assert_non_null(strstr(buffer_of(socket_name), "s"));
	memset(keys, 'j', 50);
	keys[50] = '\0';
	pty_try(p, keys, "row 50 ");
	pty_send(p, "Q");
	(void)pty_wait_end(p, true);
	pty_free(p);
}

GROUP(make_folder, remove_folder)
