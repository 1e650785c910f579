/** A carrier behind a real socket, asked as its entry in the carriers file says. */
import assert from "node:assert/strict";
import type { IncomingHttpHeaders } from "node:http";

import type { CarrierAnswer } from "../../../src/products/ocean/sources/carrier-event.ts";
import {
  createCarrierClient,
  type CarrierClient,
} from "../../../src/products/ocean/sources/carrier-client.ts";
import { readCarriers, type Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import { DAY_MS } from "../../../src/runtime/durations.ts";
import { manualClock, type ManualClock } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";

export type Request = { readonly url: URL; readonly headers: IncomingHttpHeaders };
export type Reply = {
  readonly status?: number;
  /** A text as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Scene = {
  readonly client: CarrierClient;
  readonly carrier: Carrier;
  readonly carriers: readonly Carrier[];
  /** What was asked, newest last, without the host. */
  readonly asked: string[];
  readonly requests: Request[];
  /** What the operator reads of its answers. */
  readonly problems: string[];
  readonly clock: ManualClock;
};
type Entry = Readonly<Record<string, unknown>>;

export const BOX = "HRNU4000017";
export const ACCOUNT = "0198c0de-0000-7000-8000-000000000001";

/** Carriers as their entries in the carriers file say; the first is asked below `/api`, any other below its SCAC. */
export function asking(
  entry: Entry | readonly Entry[] | ((url: string) => Entry),
  reply: (request: Request) => Reply,
  work: (scene: Scene) => Promise<unknown>,
): Promise<void> {
  const requests: Request[] = [];
  const asked: string[] = [];
  const problems: string[] = [];
  return serving(
    (request, response) => {
      const url = new URL(request.url ?? "/", "http://carrier");
      requests.push({ url, headers: request.headers });
      asked.push(decodeURIComponent(url.pathname + url.search));
      const { status = 200, body = [], headers = {} } = reply({ url, headers: request.headers });
      response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    },
    async ({ url, http }) => {
      const entries = typeof entry === "function" ? [entry(url)] : [entry].flat();
      const whole = entries.map((one, index) => {
        const path = index === 0 ? "api" : String(one["scac"]);
        const common = { scac: "HRNL", name: "Heron Lines", api: "dcsa-tnt-2.2" };
        return { ...common, baseUrl: `${url}/${path}`, ...one };
      });
      const read = readCarriers(JSON.stringify(whole));
      assert.ok(read.kind === "entries", JSON.stringify(read));
      const { entries: carriers } = read;
      const clock = manualClock();
      const client = createCarrierClient({
        ...{ carriers, http, clock, random: { fraction: () => 1 } },
        onUpstreamSkipped: (upstream, _, reasons) =>
          problems.push(...reasons.map((one) => `${upstream}: ${one}`)),
      });
      await work({ client, carrier: carriers[0]!, carriers, asked, requests, problems, clock });
    },
  );
}

export const TYPES = ["EQUIPMENT", "TRANSPORT", "SHIPMENT"] as const;

/** Statements of one box, a day apart; each `createdMs` before `nowMs` by its index. */
export function events(count: number, nowMs: number) {
  return Array.from({ length: count }, (_, index) => {
    const type = TYPES[index % TYPES.length]!;
    const at = new Date(nowMs - (index + 1) * DAY_MS).toISOString();
    return {
      eventType: type,
      eventClassifierCode: "ACT",
      eventDateTime: at,
      eventCreatedDateTime: at,
      ...(type === "EQUIPMENT" ? { equipmentEventTypeCode: "GTIN", equipmentReference: BOX } : {}),
      ...(type === "TRANSPORT" ? { transportEventTypeCode: "ARRI" } : {}),
      ...(type === "SHIPMENT" ? { shipmentEventTypeCode: "ISSU", documentTypeCode: "TRD" } : {}),
    };
  });
}

export const TWO = events(2, Date.UTC(2026, 2, 10));

export function outcome(answer: CarrierAnswer): string {
  if (answer.kind !== "events") return answer.kind === "unavailable" ? answer.reason : answer.kind;
  return `${answer.events.length}${answer.incomplete === true ? " incomplete" : ""}`;
}
