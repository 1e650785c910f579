/** An airline behind real sockets, and the client where it is sent. */
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
export type SentRequest = {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly request: IncomingMessage;
};
export type Scene = {
  readonly poll: (known?: Buffer | null) => Promise<AirlineAnswer>;
  readonly airline: Airline;
  readonly client: AirlineClient;
  readonly clock: ManualClock;
  readonly sent: SentRequest[];
};

export function withClient(
  sources: (url: string) => readonly AirlineSource[],
  reply: (sent: SentRequest, url: string) => Reply,
  work: (scene: Scene) => Promise<void>,
  fields: Partial<Airline> = {},
): Promise<void> {
  const sent: SentRequest[] = [];
  let address = "";
  return serving(
    (request, response) => {
      void bodyOf(request).then((body) => {
        const one = { method: request.method ?? "", url: request.url ?? "", body, request };
        sent.push(one);
        const { status = 200, body: text = "", headers = {} } = reply(one, address);
        response.writeHead(status, headers).end(typeof text === "string" ? text : JSON.stringify(text));
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
      const client = createAirlineClient({ airlines: [airline], http, clock, random: { fraction: () => 1 } });
      await work({ poll: (known) => client.fetch(airline, AWB, known), airline, client, clock, sent });
    },
  );
}

export const fsr =
  (fields: object = {}) =>
  (url: string): readonly AirlineSource[] => [{ kind: "fsr", url: `${url}/fsr`, ...fields }];
export const oneRecord = (url: string): readonly AirlineSource[] => [
  { kind: "one-record", objectUrl: `${url}/objects/{prefix}-{serial}` },
];

export function outcomeOf(answer: AirlineAnswer): string {
  return answer.kind === "unavailable" ? answer.reason : answer.kind;
}
