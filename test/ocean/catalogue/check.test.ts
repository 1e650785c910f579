/** What a check says of carriers alone: keys that sign, accounts, port calls, and answers that are cut. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { CARRIER_CHECK } from "../../../src/products/ocean/check/carrier-check.ts";
import { NOTHING_KNOWN } from "../../../src/products/ocean/sources/known-references.ts";
import { HOUR_MS } from "../../../src/runtime/durations.ts";
import { fileOf, secretOf } from "../../source-check/given.ts";
import { check, failureOf, results, withSource, type Server } from "../../source-check/replayed.ts";
import { describeTrusting } from "../../support/trusting.ts";
import { TERN } from "../shipping-lines.ts";
import { askedOf, carrierFor, casesOf, replayed, type Case } from "./cases.ts";
import { longVoyage, sailed } from "./voyage.ts";

const caseOf = (code: string): Case => casesOf().find(({ name }) => name === code)!;

const ACCOUNT = "01a1fc98-3684-702d-8add-9c7eb13bfa2f";

describeTrusting("a check of a carrier", () => {
  const on = (one: Case, work: (server: Server) => Promise<void>, statements = sailed(Date.now())) =>
    withSource(replayed(one, statements), work);

  test("a key that MSC does not know, and a certificate that has expired, fail at the token", async () => {
    const one = caseOf("MSCU");
    for (const [kind, found, advice] of [
      ["other", /^HTTP 401 \{"error":"invalid_client"\}$/, /^The token endpoint refuses/],
      ["expired", /^oauth_certificate_expired: nothing was sent$/, /^The key or its certificate cannot sign/],
    ] as const) {
      await on(one, async ({ url, asked }) => {
        const given = (need: string): string => (need.endsWith("File") ? fileOf(kind, need) : secretOf(need));
        const failure = failureOf(await check(CARRIER_CHECK, carrierFor(one, url, given), askedOf(one)));
        assert.equal(failure?.step, "token");
        assert.match(failure.found, found);
        assert.match(failure.advice!, advice);
        assert.equal(asked.length, 0);
      });
    }
  });

  test("a carrier that answers for accounts alone is asked for one, with its credentials", async () => {
    const one = caseOf("MAEU");
    await on(one, async ({ url }) => {
      const { oauth, headers, ...rest } = carrierFor(one, url);
      const accounts = { [ACCOUNT]: { oauth: oauth!, headers: headers! } };
      const carrier = { ...rest, accountsOnly: true, accounts };
      const nobody = failureOf(await check(CARRIER_CHECK, carrier, askedOf(one)));
      assert.deepEqual([nobody?.step, nobody?.found], ["question", "nothing was sent"]);
      assert.match(nobody!.advice!, /--account/);
      const asked = await check(CARRIER_CHECK, carrier, { ...askedOf(one), account: ACCOUNT });
      assert.deepEqual(results(asked), ["name passed", "tls passed", "token passed", "question passed"]);
      assert.ok(!JSON.stringify(asked).includes(secretOf("clientSecret")));
    });
  });

  test("an answer that is cut and cannot be asked for in parts says so", async () => {
    const one = caseOf("HLCU");
    const asks = async ({ url }: Server) => {
      const question = { limit: { max: 100, parameter: "limit" } };
      const checked = await check(CARRIER_CHECK, { ...carrierFor(one, url), question }, askedOf(one));
      assert.equal(checked.passed, true);
      assert.match(checked.steps.at(-1)!.advice!, /^The answer is cut/);
      assert.equal(checked.outcome?.shipment.incomplete, true);
    };
    await on(one, asks, longVoyage(Date.now(), 120));
  });

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
      const isCall = (url: URL): boolean => url.searchParams.has("vesselIMONumber");
      const reply = (url: URL) =>
        isCall(url) ? { status: 403, body: "no plan for port calls" } : { body: [arrival] };
      await withSource({ reply: ({ url }) => reply(url) }, async ({ url, asked }) => {
        const carrier = { ...TERN, baseUrl: `${url}/tnt`, portCalls: { baseUrl: `${url}${path}` } };
        const reference = { text: "TRNU5100028", type: "container_id" } as const;
        const about = { reference, others: NOTHING_KNOWN, account: null };
        const { result, found } = (await check(CARRIER_CHECK, carrier, about)).steps.at(-1)!;
        assert.deepEqual(
          asked.slice(-2).map((one) => isCall(one.url)),
          [false, true],
        );
        const bytes = Buffer.byteLength(JSON.stringify([arrival]));
        assert.deepEqual(
          [result, found],
          ["passed", `HTTP 200, ${bytes} bytes, 1 events on one page by container_id`],
        );
      });
    });
  }
});
