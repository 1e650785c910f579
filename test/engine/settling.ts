/** A settler on a database that answers by hand, for tests of how results are written. */
import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import { createSettler, type SettlerPorts } from "../../src/engine/settle/settle.ts";
import type { InFlightDelivery } from "../../src/model/delivery.ts";
import { StoreUnavailable } from "../../src/model/errors.ts";
import type { Database } from "../../src/store/database.ts";
import type { FailingEndpoint } from "../../src/store/deliveries/settling.ts";
import type { Statement } from "../../src/store/sql.ts";
import { createLoopMonitor } from "../../src/runtime/loop-monitor.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { CELL, deliveryOf, idOf, numberOf, numbersIn, OK, queueOf } from "./endpoint.ts";

export const AWAY = new StoreUnavailable("away");
export const FULL = new StoreUnavailable("full", { commitUnknown: false, reason: "disk_full" });
export const REFUSED = new Error("a row that is refused");

export const range = (count: number) => Array.from({ length: count }, (_, index) => index);
export const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);
export const delivery = (number: number, more: Partial<InFlightDelivery> = {}) =>
  deliveryOf(idOf(number), more);
export const queue = (more: Parameters<typeof queueOf>[0] = {}): EndpointQueue =>
  queueOf({ id: idOf(900), ...more });

/** One writing: the deliveries by their numbers, the node, and whether one has lost the text of its failure. */
type Writing = { readonly of: readonly number[]; readonly node: number; readonly isPlain: boolean };
type Answer = (writing: Writing) => Promise<readonly FailingEndpoint[]> | readonly FailingEndpoint[];

/** Fails the writings with that delivery. */
export const failing =
  (number: number, cause: Error = REFUSED): Answer =>
  ({ of }) =>
    of.includes(number) ? Promise.reject(cause) : [];

export function startSettler(settings: Partial<EngineSettings> = {}, ports: Partial<SettlerPorts> = {}) {
  const [clock, log] = [manualClock(), recordingLog()];
  const loops = createLoopMonitor(clock, log);
  const writings: Writing[] = [];
  const seen = {
    written: [] as number[],
    failing: [] as string[],
    doubtful: [] as string[],
    lost: [] as number[],
    touched: 0,
  };
  const state = { answer: (() => []) as Answer, touch: async () => {} };
  const database = {
    async rows({ name }: Statement, parameters: readonly unknown[]) {
      if (name.startsWith("endpoint_touch")) {
        seen.touched += 1;
        return state.touch();
      }
      const isPlain = (parameters[5] as Buffer).includes("internal_error");
      const writing = { of: numbersIn(parameters[1]), node: Number(parameters[0]), isPlain };
      writings.push(writing);
      return state.answer(writing);
    },
  } as unknown as Database;
  const settler = createSettler(
    { ...DEFAULT_ENGINE_SETTINGS, ...settings },
    {
      database,
      loops,
      cell: CELL,
      clock,
      log,
      onWritten: (batch) => void seen.written.push(...batch.map((one) => numberOf(one.delivery.id))),
      onFailing: (endpoints) => void seen.failing.push(...endpoints.map(({ id }) => id)),
      onCommitUnknown: (targets) => void seen.doubtful.push(...[...targets].map(({ id }) => id)),
      onDisowned: (deliveries) => void seen.lost.push(...deliveries.map(({ id }) => numberOf(id))),
      ...ports,
    },
  );
  const end = (numbers: readonly number[], outcome = OK, to = queue()) => {
    for (const number of numbers) settler.ended(to, delivery(number), outcome);
  };
  const batches = () => writings.map(({ of }) => of);
  const logged = () => log.lines.map(({ level, message }) => `${level}: ${message}`);
  return { clock, log, logged, loops, settler, writings, batches, seen, state, end };
}
