/*
 * The folder of large test data that may lie beside the source tree.
 */
#ifndef TNAV_TESTS_SHARED_H
#define TNAV_TESTS_SHARED_H

/*
 * The folder's path: $TNAV_SHARED, else $srcdir/../shared; NULL if it does not exist. Must not be
 * freed.
 */
const char	*shared_dir(void);

/* The same, but where it is absent the program says "needs ../shared" and ends as skipped (77). */
const char	*shared_need(void);

#endif
