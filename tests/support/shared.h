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

#endif
