/** The outboxes of a running service: who applies their messages, and what waits in them, for `/metrics`. */
import { Counter, Gauge, type Registry } from "prom-client";

import { broadcastMessages } from "../freight/broadcasts/store/broadcasts.ts";
import type { ProductManifest } from "../products/manifest.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import type { Interval } from "../runtime/interval.ts";
import { accountMessages } from "../store/accounts/accounts.ts";
import type { Cell } from "../store/cell.ts";
import type { NodeContext } from "../store/node-context.ts";
import { createForwarder } from "../store/outbox/forwarder.ts";
import { BEHIND_KIB_MAX, countMessages, type MessageHandlers } from "../store/outbox/outbox.ts";

/** Beyond it the numbers are too low; the age tells as well. */
const ROWS_PER_CELL_MAX = 10_000;
/** A scrape does not wait longer for the database. */
const COUNT_MS_MAX = 1_000;

export async function openForwarder(
  node: NodeContext,
  sources: readonly Cell[],
  products: readonly Pick<ProductManifest, "messages">[],
  wakeBroadcaster: (cell: Cell) => void,
  registry: Registry,
): Promise<Pick<Interval, "start" | "stop" | "wake">> {
  const failures = new Counter({
    name: "boathook_outbox_failures_total",
    help: "Attempts of this node to forward messages that a cell did not take.",
    labelNames: ["cell"],
    registers: [registry],
  });
  exposeBacklog(registry, node, sources);
  const handlers = await messageHandlers(products, wakeBroadcaster);
  const onFailure = ({ number }: { readonly number: number }) => failures.inc({ cell: number });
  const forwarders = sources.map((source) => createForwarder({ ...node, source, onFailure }, handlers));
  return {
    start: () => forwarders.forEach((one) => one.start()),
    wake: () => forwarders.forEach((one) => one.wake()),
    stop: async () => void (await Promise.all(forwarders.map((one) => one.stop()))),
  };
}

/** Of all kinds. */
export async function messageHandlers(
  products: readonly Pick<ProductManifest, "messages">[],
  wakeBroadcaster: (cell: Cell) => void,
): Promise<MessageHandlers> {
  const own = await Promise.all(products.map(async ({ messages }) => messages?.()));
  return Object.assign({}, accountMessages, broadcastMessages(wakeBroadcaster), ...own) as MessageHandlers;
}

/** They read one count. */
function exposeBacklog(
  registry: Registry,
  { database, cells, clock }: NodeContext,
  sources: readonly Cell[],
): void {
  let counting: Promise<readonly OutboxCount[]> | null = null;
  const countAll = async (): Promise<readonly OutboxCount[]> => {
    const asked = await Promise.allSettled(
      sources.map((source) => countMessages(database, source, cells, ROWS_PER_CELL_MAX)),
    );
    const found = asked.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    return [...Map.groupBy(found, ({ cell }) => cell)].map(([cell, some]) => ({
      cell,
      count: some.reduce((sum, { count }) => sum + count, 0),
      oldestAt: some.map(({ oldestAt }) => oldestAt).toSorted(earliestFirst)[0]!,
      behindKib: Math.max(...some.map(({ behindKib }) => behindKib)),
    }));
  };
  const count = () => (counting ??= countAll().finally(() => (counting = null)));
  const expose = (name: string, help: string, valueOf: (one: OutboxCount) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["cell"],
      aggregator: "max",
      registers: [registry],
      async collect() {
        // Nothing rather than what was: `/readyz` says what is wrong.
        this.reset();
        const set = count().then(
          (found) => found.forEach((one) => this.set({ cell: one.cell }, valueOf(one))),
          () => undefined,
        );
        await waitAtMost(clock, COUNT_MS_MAX, set);
      },
    });
  expose(
    "boathook_outbox_messages",
    `Messages that wait for the cell, at most ${ROWS_PER_CELL_MAX}; the same on every node.`,
    (one) => one.count,
  );
  expose(
    "boathook_outbox_oldest_seconds",
    "How long the oldest message for the cell has waited; the same on every node.",
    ({ oldestAt }) => (oldestAt === null ? 0 : (clock.nowMs() - oldestAt.getTime()) / 1_000),
  );
  expose(
    "boathook_outbox_behind_bytes",
    `How much its outbox has got since the oldest message for the cell; beyond ${BEHIND_KIB_MAX * 1024}, new work is refused.`,
    ({ behindKib }) => behindKib * 1024,
  );
}

function earliestFirst(one: Date | null, other: Date | null): number {
  return (one?.getTime() ?? Number.POSITIVE_INFINITY) - (other?.getTime() ?? Number.POSITIVE_INFINITY) || 0;
}

type OutboxCount = Awaited<ReturnType<typeof countMessages>>[number];
