/** A dispatch whose sender ends attempts by hand, for tests of which attempts start and what becomes of them. */
import { createSecretKey } from "node:crypto";

import type { AttemptRequest } from "../../src/engine/dispatch/attempt-request.ts";
import { createDispatch, type Dispatch, type DispatchPorts } from "../../src/engine/dispatch/dispatch.ts";
import { createInvariants } from "../../src/engine/invariants.ts";
import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import type { SendResult } from "../../src/model/delivery.ts";
import type { Target } from "../../src/model/endpoint.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, memberOf, OK, TARGET } from "./endpoint.ts";

export const UNSENT: SendResult = {
  kind: "unsent",
  error: { code: "out_of_sockets", text: "No socket is left." },
};

type Options = {
  readonly settings?: Partial<EngineSettings>;
  readonly ports?: Partial<DispatchPorts>;
  readonly maySend?: () => boolean;
};

export function startDispatch({ settings = {}, ports = {}, maySend = () => true }: Options = {}) {
  const [clock, log] = [manualClock(), recordingLog()];
  const invariants = createInvariants(clock, log);
  const seen = {
    sent: [] as string[],
    ended: [] as string[],
    unsent: [] as string[],
    paused: [] as string[],
  };
  const requests: AttemptRequest[] = [];
  const open = new Map<string, (result: SendResult) => void>();
  const dispatch: Dispatch = createDispatch(
    { ...DEFAULT_ENGINE_SETTINGS, ...settings },
    {
      send(request, done) {
        const id = request.headers[7]!;
        requests.push(request);
        seen.sent.push(id);
        open.set(id, done);
      },
      headerTag: (product) => product.toUpperCase(),
      signingKey: () => createSecretKey(Buffer.alloc(32)),
      onEnded: (_lane, { id }, outcome) => void seen.ended.push(`${id} ${outcome.statusCode}`),
      onUnsent: (_lane, { id }) => void seen.unsent.push(id),
      isMemoryShort: () => false,
      onExcess: (queue, excess) =>
        void seen.paused.push(`${queue.target.id} ${excess.map(({ id }) => id).join()}`),
      invariants,
      clock,
      log,
      ...ports,
    },
  );
  const members = [0, 1].map((number) =>
    memberOf({ cell: { number, schema: `c${number}`, directory: "d" }, maySend: () => maySend() }),
  );
  const queue = (target: Partial<Target> = {}, cell: 0 | 1 = 0): EndpointQueue =>
    dispatch.openQueue({ ...TARGET, ...target }, members[cell]!);
  const hold = (to: EndpointQueue, ...ids: readonly string[]) => {
    for (const id of ids) dispatch.enqueue(to, deliveryOf(id));
    dispatch.pump();
  };
  const end = (id: string, result: SendResult = OK) => open.get(id)!(result);
  /** As the engine does: a look every quarter of a second. */
  const watch = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 250) {
      await clock.advance(250);
      dispatch.watch();
    }
  };
  const errors = () => log.lines.filter(({ level }) => level === "error").map(({ message }) => message);
  return { clock, log, dispatch, seen, requests, queue, hold, end, watch, errors, invariants };
}
