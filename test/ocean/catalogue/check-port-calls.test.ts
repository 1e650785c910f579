/** A check of a carrier with an API of port calls beside the question. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { HOUR_MS } from "../../../src/runtime/durations.ts";
import { serving } from "../../upstream/serving.ts";
import { TERN } from "../shipping-lines.ts";
import { check } from "./checking.ts";

const arrival = {
  eventType: "TRANSPORT",
  transportEventTypeCode: "ARRI",
  eventClassifierCode: "EST",
  eventDateTime: new Date(Date.now() + 20 * HOUR_MS).toISOString(),
  transportCall: {
    UNLocationCode: "USOAK",
    modeOfTransport: "VESSEL",
    vessel: { vesselIMONumber: "9321483" },
  },
};

for (const [where, path] of [
  ["at an address of their own", "/calls"],
  ["at the address of the question", "/tnt"],
] as const) {
  test(`port calls ${where} are no pages of the question, nor its answer`, async () => {
    const asked: string[] = [];
    await serving(
      ({ url = "" }, response) => {
        const isCall = url.includes("vesselIMONumber");
        asked.push(isCall ? "call" : "question");
        response
          .writeHead(isCall ? 403 : 200)
          .end(isCall ? '"no plan for port calls"' : JSON.stringify([arrival]));
      },
      async ({ url }) => {
        const carrier = { ...TERN, baseUrl: `${url}/tnt`, portCalls: { baseUrl: `${url}${path}` } };
        const { steps } = await check(carrier, { text: "TRNU5100028", type: "container_id" });
        assert.deepEqual(asked.slice(-2), ["question", "call"]);
        const { result, found } = steps.at(-1)!;
        const bytes = Buffer.byteLength(JSON.stringify([arrival]));
        assert.deepEqual(
          [result, found],
          ["passed", `HTTP 200, ${bytes} bytes, 1 events on one page by container_id`],
        );
      },
    );
  });
}
