/** A dispatch whose sender ends attempts by hand, for tests of which attempts start and what becomes of them. */
import { createSecretKey } from "node:crypto";

import type { AttemptRequest } from "../../src/engine/dispatch/attempt-request.ts";
import { createDispatch, type Dispatch, type DispatchPorts } from "../../src/engine/dispatch/dispatch.ts";
import { createInvariants } from "../../src/engine/invariants.ts";
import type { EndpointQueue } from "../../src/engine/dispatch/endpoint-queue.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import type { Outcome, SendResult } from "../../src/model/delivery.ts";
import type { Target } from "../../src/model/endpoint.ts";
import type { Member } from "../../src/engine/membership/member.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { deliveryOf, TARGET } from "./endpoint.ts";

export const OK: Outcome = { kind: "answered", statusCode: 200 };
export const FAIL: Outcome = { kind: "answered", statusCode: 500 };
export const UNSENT: SendResult = {
  kind: "unsent",
  error: { code: "out_of_sockets", text: "No socket is left." },
};

type Options = { readonly settings?: Partial<EngineSettings>; readonly ports?: Partial<DispatchPorts> };

export function startDispatch({ settings = {}, ports = {} }: Options = {}) {
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
  const memberOf = (number: number): Member => ({
    cell: { number, schema: `c${number}`, directory: "d" },
    node: 1,
    maySend: () => true,
  });
  const members = [memberOf(0), memberOf(1)] as const;
  const queue = (target: Partial<Target> = {}, cell: 0 | 1 = 0): EndpointQueue =>
    dispatch.openQueue({ ...TARGET, ...target }, members[cell]);
  const hold = (to: EndpointQueue, ...ids: readonly string[]) => {
    for (const id of ids) dispatch.enqueue(to, deliveryOf(id));
    dispatch.pump();
  };
  const end = (id: string, result: SendResult = OK) => open.get(id)!(result);
  return { clock, log, dispatch, seen, requests, queue, hold, end, invariants };
}
