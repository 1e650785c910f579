/**
 * Which endpoint has a delivery due when: a binary heap by time with one live entry an endpoint, the
 * earliest. Stale entries stay in the heap and are skipped when they reach the top.
 */
export type DueHeap = {
  readonly dueAtMs: Map<string, number>;
  readonly heap: Entry[];
};

type Entry = { readonly endpointId: string; readonly dueAtMs: number };

export function createDueHeap(): DueHeap {
  return { dueAtMs: new Map(), heap: [] };
}

/** Adds the endpoint at `dueAtMs`, unless it is in the heap for an earlier time. */
export function schedule(dueHeap: DueHeap, endpointId: string, dueAtMs: number): void {
  const knownMs = dueHeap.dueAtMs.get(endpointId) ?? Number.POSITIVE_INFINITY;
  if (knownMs <= dueAtMs) return;
  dueHeap.dueAtMs.set(endpointId, dueAtMs);
  const { heap } = dueHeap;
  let at = heap.push({ endpointId, dueAtMs }) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent]!.dueAtMs <= heap[at]!.dueAtMs) break;
    swap(heap, at, parent);
    at = parent;
  }
}

export function unschedule(dueHeap: DueHeap, endpointId: string): void {
  dueHeap.dueAtMs.delete(endpointId);
}

/** The earliest due time, null when nothing is due. */
export function nextDueMs(dueHeap: DueHeap): number | null {
  dropStale(dueHeap);
  return dueHeap.heap[0]?.dueAtMs ?? null;
}

/** Takes up to `count` endpoints whose time has come. */
export function takeDue(dueHeap: DueHeap, nowMs: number, count: number): string[] {
  const due: string[] = [];
  while (due.length < count) {
    const next = nextDueMs(dueHeap);
    if (next === null || next > nowMs) break;
    const { endpointId } = pop(dueHeap.heap);
    dueHeap.dueAtMs.delete(endpointId);
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
  const kept = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = kept;
}
