/*
 * A port: a socket of tnav that programs connect to, because DOTNET_DiagnosticPorts names it.
 *
 *	program -> connect -> advert (cookie, pid) -> the connection waits for one request
 *	request -> the connection is used up, the program connects again at once
 *
 * A thread accepts connections, reads adverts and requests the name of each program; a silent
 * connection is closed after a few seconds. Each program that was started suspended waits for a
 * resume.
 *
 * Specification: "the diagnostics protocol of .NET", section 8.
 */
#ifndef TNAV_LIVE_PORT_H
#define TNAV_LIVE_PORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/live/message.h"

struct port;

/*
 * path NULL: create the socket in a new directory that only this user can enter. A socket without a
 * listener is replaced. Returns 0, or ERR_IO with the reason in why as one line.
 */
int	port_open(struct port **p, const char *path, struct buf *why);
void	port_close(struct port *p);		/* removes the socket; NULL is fine */
const char *port_path(const struct port *p);

/*
 * The next program that has connected and told its name, and was not returned before. name: of its
 * entry assembly, else its command line; "" if its runtime knows none. False: none within the time.
 */
bool	port_next(struct port *p, int64_t wait_ns, struct advert *out, struct buf *name);
/*
 * A connection of the program for one request: a descriptor that the caller closes. -1: there was
 * none until then, or *cancel (may be NULL) became true.
 */
int	port_take(struct port *p, const uint8_t cookie[16], int64_t until_ns,
	    const atomic_bool *cancel);
/* Is it connected? Not while it works on a request. */
bool	port_has(struct port *p, const uint8_t cookie[16]);
/*
 * Resume it, if it was started suspended. Waits until it has answered, the time is over, or *cancel
 * (may be NULL) became true; with wait_ns 0 the answer is not waited for.
 */
void	port_resume(struct port *p, const uint8_t cookie[16], int64_t wait_ns,
	    const atomic_bool *cancel);
/* Were connections closed or kept waiting for want of room or descriptors? True once. */
bool	port_overflowed(struct port *p);
/*
 * Has a client sent an advert, but no answer of a runtime? True once for the newest of them, with
 * the reason appended to why. It is returned by port_next() if it connects again and answers.
 */
bool	port_has_failed(struct port *p, struct advert *out, struct buf *why);

#endif
