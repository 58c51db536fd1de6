/*
 * Objects by address: see places.h. A walk goes through the heap's regions one after the other, so
 * its addresses are few ascending runs.
 */
#include "analysis/heap/places.h"

#include "tnav/base/array.h"
#include "tnav/base/mem.h"

#define PAGE_BITS	12u

/* The end of the ascending run that begins at `at`. */
static uint32_t
run_end(const struct heap_places *p, const uint32_t *order, uint32_t at)
{
	while (++at < p->n && p->addr[order[at - 1]] <= p->addr[order[at]])
		;
	return at;
}

/* Merge the runs [a, b) and [b, c) of `from` into `to`; the first one comes first among equals. */
static void
merge(const struct heap_places *p, const uint32_t *from, uint32_t *to, uint32_t a, uint32_t b,
    uint32_t c)
{
	uint32_t	x = a, y = b;

	for (uint32_t i = a; i < c; i++) {
		bool	left = y == c || (x < b && p->addr[from[x]] <= p->addr[from[y]]);

		to[i] = left ? from[x++] : from[y++];
	}
}

/* Merge the runs by pairs, until there is one. */
static void
sort_places(struct heap_places *p)
{
	uint32_t	*other, *swap, a, b, c;

	if (p->n == 0 || run_end(p, p->order, 0) == p->n)
		return;
	other = mem_alloc((size_t)p->n * sizeof *other);
	do {
		for (a = 0; a < p->n; a = c) {
			b = run_end(p, p->order, a);
			c = b < p->n ? run_end(p, p->order, b) : b;
			merge(p, p->order, other, a, b, c);
		}
		swap = p->order;
		p->order = other;
		other = swap;
	} while (run_end(p, p->order, 0) < p->n);
	mem_free(other);
}

static void
add_page(struct heap_places *p, uint64_t page, uint32_t at)
{
	p->page = mem_grow(p->page, &p->pages_cap, p->npages + 2, sizeof *p->page);
	idmap_set(&p->pages, page, 0, (uint32_t)p->npages);
	p->page[p->npages++] = at;
}

void
heap_places_make(struct heap_places *p, const uint64_t *addr, uint32_t n)
{
	uint64_t	page, last = UINT64_MAX;

	*p = (struct heap_places){ .addr = addr, .n = n };
	p->order = mem_alloc(((size_t)n + 1) * sizeof *p->order);
	for (uint32_t i = 0; i < n; i++)
		p->order[i] = i + 1;
	sort_places(p);
	for (uint32_t i = 0; i < n; i++) {
		page = addr[p->order[i]] >> PAGE_BITS;
		if (page != last)
			add_page(p, page, i);
		last = page;
	}
	if (p->npages > 0)
		p->page[p->npages] = n;
}

void
heap_places_release(struct heap_places *p)
{
	idmap_release(&p->pages);
	mem_free(p->order);
	mem_free(p->page);
}

uint32_t
heap_places_find(const struct heap_places *p, uint64_t addr)
{
	uint32_t	page;
	uint64_t	at;

	if (!idmap_get(&p->pages, addr >> PAGE_BITS, 0, &page))
		return 0;
	at = p->page[page];
	BISECT(at, p->page[page + 1], i, p->addr[p->order[i]] <= addr);
	if (at == p->page[page] || p->addr[p->order[at - 1]] != addr)
		return 0;
	return p->order[at - 1];
}
