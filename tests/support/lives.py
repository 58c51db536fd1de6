"""The loss rule of lives (doc/formats/nettrace4.md), a second time, in the plainest way.

A thread id has lives: a dead thread's id is given to a new one, whose numbers begin at 1 again.
losses() walks a nt4.Trace in file order and gives every gap as a tuple

    (tid, life, lost, why, after, from, to)

with after the row of the life's last event in the file or None, and from and to in nanoseconds.
from is the time of row after, or of a later sequence point that told the life's number as it was
known then (what it tells is known from there on); of a life without events, that of the last
sequence point, else the sync time. A gap does not begin behind its end.
why is "start" where nothing was known of the life before, "gap" where an event or a sequence
point was, "barrier" where a sequence point knows more than the events before it. Of two lives
that a number can continue as the next one, that of the id's latest event goes on.
"""
from nt4 import Barrier, Event, MASK32


class Life:
    def __init__(self, number, last):
        self.number, self.last, self.event = number, last, None
        self.told = None            # time of a sequence point that told last


def losses(trace):
    rows, gaps = trace.rows(), []
    lives, born, recent = {}, {}, {}
    barrier = trace.sync

    def birth(tid, last):
        born[tid] = born.get(tid, 0) + 1
        life = Life(born[tid], last)
        lives.setdefault(tid, []).append(life)
        return life

    def gap(tid, life, lost, why, to):
        after, start = None, min(barrier, to)
        if life.event is not None:
            after, start = rows[life.event.order], life.event.ts
            if life.told is not None and life.told > start:
                start = life.told
            start = min(start, to)
        gaps.append((tid, life.number, lost, why, after, trace.ns(start), trace.ns(to)))

    for item in trace.items:
        if isinstance(item, Barrier):
            listed = {}
            for tid, number in item.threads:
                listed.setdefault(tid, []).append(number)
            for tid, numbers in listed.items():
                numbers.sort(reverse=True)
                known = sorted(lives.get(tid, []), key=lambda x: -x.last)
                lives[tid] = known[:len(numbers)]
                while len(lives[tid]) < len(numbers):
                    birth(tid, 0)
                for life, number in zip(list(lives[tid]), numbers):
                    if number > life.last:
                        gap(tid, life, number - life.last, "barrier", item.ts)
                        life.last = number
                    if number == life.last:
                        life.told = item.ts
                lives[tid].sort(key=lambda x: x.number)
            for tid in [x for x in lives if x not in listed]:
                del lives[tid]
            barrier = item.ts
        if not isinstance(item, Event):
            continue
        tid, n = item.capture, item.seq
        own = lives.get(tid, [])
        fits = [x for x in own if (x.last + 1) & MASK32 == n]
        life = recent.get(tid) if recent.get(tid) in fits else fits[-1] if fits else None
        if life is None and n != 1:
            life = next((x for x in reversed(own) if x.last < n), None)
            if life is not None:
                known = life.event is not None or life.last > 0
                gap(tid, life, n - life.last - 1, "gap" if known else "start", item.ts)
        if life is None:
            life = birth(tid, 0)
            if n > 1:
                gap(tid, life, n - 1, "start", item.ts)
        life.last, life.event, life.told, recent[tid] = n, item, None, life
    return gaps
