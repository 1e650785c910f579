/** The outbox of a running service: who applies its messages, and what waits in it, for `/metrics`. */
import { Counter, Gauge, type Registry } from "prom-client";

import { broadcastMessages } from "../freight/broadcasts/store/broadcasts.ts";
import type { ProductManifest } from "../products/manifest.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import type { Interval } from "../runtime/interval.ts";
import { accountMessages } from "../store/accounts/accounts.ts";
import type { Cell } from "../store/cell.ts";
import type { NodeContext } from "../store/node-context.ts";
import { createForwarder } from "../store/outbox/forwarder.ts";
import { countMessages, type MessageHandlers } from "../store/outbox/outbox.ts";

/** Beyond it the numbers are too low; the age tells as well. */
const ROWS_PER_CELL_MAX = 10_000;
/** A scrape does not wait longer for the database. */
const COUNT_MS_MAX = 1_000;

export async function openForwarder(
  node: NodeContext,
  products: readonly Pick<ProductManifest, "messages">[],
  wakeBroadcaster: (cell: Cell) => void,
  registry: Registry,
): Promise<Interval> {
  const failures = new Counter({
    name: "boathook_outbox_failures_total",
    help: "Attempts of this node to forward messages that a cell did not take.",
    labelNames: ["cell"],
    registers: [registry],
  });
  exposeBacklog(registry, node);
  const handlers = await messageHandlers(products, wakeBroadcaster);
  const onFailure = ({ number }: { readonly number: number }) => failures.inc({ cell: number });
  return createForwarder({ ...node, onFailure }, handlers);
}

/** Of all kinds. */
export async function messageHandlers(
  products: readonly Pick<ProductManifest, "messages">[],
  wakeBroadcaster: (cell: Cell) => void,
): Promise<MessageHandlers> {
  const own = await Promise.all(products.map(async ({ messages }) => messages?.()));
  return Object.assign({}, accountMessages, broadcastMessages(wakeBroadcaster), ...own) as MessageHandlers;
}

/** Both read one count. */
function exposeBacklog(registry: Registry, { database, cells, clock }: NodeContext): void {
  let counting: ReturnType<typeof countMessages> | null = null;
  const count = () =>
    (counting ??= countMessages(database, cells, ROWS_PER_CELL_MAX).finally(() => (counting = null)));
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
}

type OutboxCount = Awaited<ReturnType<typeof countMessages>>[number];
