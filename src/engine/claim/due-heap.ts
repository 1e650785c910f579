/**
 * When which endpoint has something due in the queue: a heap by time with one entry an endpoint, the
 * earliest. Entries that were overtaken stay in the heap and are passed over when they come up.
 */
export type DueHeap = {
  readonly dueAtMs: Map<string, number>;
  readonly heap: Entry[];
};

type Entry = { readonly endpointId: string; readonly dueAtMs: number };

export function createDueHeap(): DueHeap {
  return { dueAtMs: new Map(), heap: [] };
}

/** Notes that the endpoint has something due at `dueAtMs`, unless it has something due earlier. */
export function schedule(agenda: DueHeap, endpointId: string, dueAtMs: number): void {
  const knownMs = agenda.dueAtMs.get(endpointId) ?? Number.POSITIVE_INFINITY;
  if (knownMs <= dueAtMs) return;
  agenda.dueAtMs.set(endpointId, dueAtMs);
  const { heap } = agenda;
  let at = heap.push({ endpointId, dueAtMs }) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]!.dueAtMs <= heap[at]!.dueAtMs) break;
    swap(heap, at, parent);
    at = parent;
  }
}

export function unschedule(agenda: DueHeap, endpointId: string): void {
  agenda.dueAtMs.delete(endpointId);
}

/** The time of the earliest entry, null when there is none. */
export function nextDueMs(agenda: DueHeap): number | null {
  dropStale(agenda);
  return agenda.heap[0]?.dueAtMs ?? null;
}

/** Takes up to `count` endpoints whose time has come. */
export function takeDue(agenda: DueHeap, nowMs: number, count: number): string[] {
  const due: string[] = [];
  while (due.length < count) {
    const next = nextDueMs(agenda);
    if (next === null || next > nowMs) break;
    const { endpointId } = pop(agenda.heap);
    agenda.dueAtMs.delete(endpointId);
    due.push(endpointId);
  }
  return due;
}

function dropStale({ heap, dueAtMs }: DueHeap): void {
  while (heap.length > 0 && dueAtMs.get(heap[0]!.endpointId) !== heap[0]!.dueAtMs) pop(heap);
}

function pop(heap: Entry[]): Entry {
  const top = heap[0]!;
  const last = heap.pop()!;
  if (heap.length === 0) return top;
  heap[0] = last;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const least = right < heap.length && heap[right]!.dueAtMs < heap[left]!.dueAtMs ? right : left;
    if (heap[at]!.dueAtMs <= heap[least]!.dueAtMs) break;
    swap(heap, at, least);
    at = least;
  }
  return top;
}

function swap(heap: Entry[], a: number, b: number): void {
  const held = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = held;
}
