/*
 * How the name of a type or method is cut: its last part stays.
 *
 *	System.Net.Sockets.SocketException	…Sockets.SocketException	…SocketException
 *	Shop.Stock.Take(int, Shop.Truth)	Shop.Stock.Take(int, …)		…Take(…)
 */
#ifndef TNAV_ANALYSIS_CUT_H
#define TNAV_ANALYSIS_CUT_H

#include "tnav/base/buf.h"
#include "tnav/base/text.h"

/* Append the name, in at most so many cells. It is not cleaned. */
void	cut_name(struct buf *out, struct span name, enum text_mode mode, size_t cells);
/* The cells that the last part needs, or a method with its type, and the marks beside it. */
size_t	cut_least(struct span name, enum text_mode mode);
/* The name without its namespace and arguments: Stock.Take, SocketException of its namespace. */
struct span cut_brief(struct span name);

#endif
