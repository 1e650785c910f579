/** An airline behind real sockets, and the desk where it is asked. */
import type { IncomingMessage } from "node:http";

import type { AirlineAnswer } from "../../src/products/air/sources/airline-answer.ts";
import type { Airline, AirlineSource } from "../../src/products/air/sources/airlines/airline-schema.ts";
import { createAirlineClient, type AirlineClient } from "../../src/products/air/sources/airline-client.ts";
import { manualClock, type ManualClock } from "../support/clock.ts";
import { bodyOf, serving } from "../upstream/serving.ts";

export const AWB = "17612345675";
export const FSA = "FSA/14\r\n176-12345675DXBFRA/T10K250\r\nRCS/01NOV0930/DXB/T10K250/FALCON\r\n";

export type Reply = {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
};
export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly request: IncomingMessage;
};
export type Scene = {
  readonly ask: (known?: Buffer | null) => Promise<AirlineAnswer>;
  readonly airline: Airline;
  readonly desk: AirlineClient;
  readonly clock: ManualClock;
  readonly asked: Asked[];
};

/** An airline behind real sockets; `sources` are given its address. */
export function atDesk(
  sources: (url: string) => readonly AirlineSource[],
  reply: (asked: Asked, url: string) => Reply,
  work: (scene: Scene) => Promise<void>,
  fields: Partial<Airline> = {},
): Promise<void> {
  const asked: Asked[] = [];
  let address = "";
  return serving(
    (request, response) => {
      void bodyOf(request).then((body) => {
        const one = { method: request.method ?? "", url: request.url ?? "", body, request };
        asked.push(one);
        const { status = 200, body: told = "", headers = {} } = reply(one, address);
        response.writeHead(status, headers).end(typeof told === "string" ? told : JSON.stringify(told));
      });
    },
    async ({ url, http }) => {
      address = url;
      const clock = manualClock();
      const airline = {
        name: "Falcon",
        iata: "F8",
        prefixes: ["176", "901"],
        sources: sources(url),
        ...fields,
      };
      const desk = createAirlineClient({ airlines: [airline], http, clock, random: { fraction: () => 1 } });
      await work({ ask: (known) => desk.fetch(airline, AWB, known), airline, desk, clock, asked });
    },
  );
}

export const fsr =
  (fields: object = {}) =>
  (url: string): readonly AirlineSource[] => [{ kind: "fsr", url: `${url}/fsr`, ...fields }];
export const oneRecord = (url: string): readonly AirlineSource[] => [
  { kind: "one-record", objectUrl: `${url}/objects/{prefix}-{serial}` },
];

export function said(answer: AirlineAnswer): string {
  return answer.kind === "unavailable" ? answer.reason : answer.kind;
}
