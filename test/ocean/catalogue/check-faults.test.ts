/** `boathook carriers check`: what it says of servers, certificates and keys that are wrong, and of accounts. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { shippedCatalogue, type CatalogueEntry } from "../../../src/freight/source-catalogue/carriers.ts";
import { check, failureOf, referenceOf, results, withCarrier } from "./checking.ts";
import { certificates, describeTrusting } from "../../support/trusting.ts";
import { DOCUMENTED } from "./documented.ts";
import { fileOf, secretOf } from "./given.ts";
import { carrierFor, casesOf } from "./replayed-carrier.ts";
import { longVoyage } from "./voyage.ts";

describeTrusting("a check of a carrier", () => {
  test("a key that MSC does not know, and a certificate that has expired, fail at the token", async () => {
    const one = casesOf().find(({ name }) => name === "MSCU")!;
    for (const [kind, found, advice] of [
      ["other", /^HTTP 401 \{"error":"invalid_client"\}$/, /^The token endpoint refuses/],
      ["expired", /^oauth_certificate_expired: nothing was sent$/, /^The key or its certificate cannot sign/],
    ] as const) {
      await withCarrier(one, async (server) => {
        const given = (need: string): string => (need.endsWith("File") ? fileOf(kind, need) : secretOf(need));
        const failure = failureOf(await check(carrierFor(one, server.url, given), referenceOf(one)));
        assert.equal(failure?.step, "token");
        assert.match(failure.found, found);
        assert.match(failure.advice!, advice);
        assert.equal(server.asked.length, 0);
      });
    }
  });

  test("a carrier that nobody knew is checked with an entry of the catalogue alone", async () => {
    const fulmar: CatalogueEntry = {
      ...shippedCatalogue().find(({ scac }) => scac === "YMLU")!,
      scac: "FLMR",
      name: "Fulmar Line",
      entry: {
        api: "dcsa-tnt-2.2",
        baseUrl: "https://api.fulmar.example/boxes",
        parameters: { market: "all" },
      },
      signIn: [
        { kind: "key", needs: { apiKey: "The key." }, entry: { headers: { "Fulmar-Key": "{apiKey}" } } },
      ],
    };
    const documented = {
      ...DOCUMENTED["HLCU"]!,
      path: "/boxes/events",
      headers: { "fulmar-key": "apiKey" },
      parameters: { market: "all" },
    };
    const [one] = casesOf([fulmar], { FLMR: documented });
    await withCarrier(one!, async (server) => {
      const checked = await check(carrierFor(one!, server.url), referenceOf(one!));
      assert.deepEqual([checked.scac, checked.passed], ["FLMR", true], JSON.stringify(checked.steps));
      assert.ok(checked.outcome!.raised.some(({ type }) => type === "vessel_departed"));
    });
  });

  test("a certificate of another name, one that nobody signed, and a server that is not there are distinguished", async () => {
    const [one] = casesOf();
    for (const [certificate, code, advice] of [
      [certificates.wrongHost, "ERR_TLS_CERT_ALTNAME_INVALID", /another name's/],
      [certificates.selfSigned, "DEPTH_ZERO_SELF_SIGNED_CERT", /trusts nobody who signed it/],
      [certificates.untrusted, "UNABLE_TO_VERIFY_LEAF_SIGNATURE", /trusts nobody who signed it/],
      [certificates.notYetValid, "CERT_NOT_YET_VALID", /not valid yet/],
    ] as const) {
      await withCarrier(
        one!,
        async (server) => {
          const failure = failureOf(await check(carrierFor(one!, server.url), referenceOf(one!)));
          assert.equal(failure?.step, "tls");
          assert.ok(failure.found.startsWith(`${code}: `), failure.found);
          assert.match(failure.advice!, advice);
        },
        certificate,
      );
    }
    const gone = await check(carrierFor(one!, "https://127.0.0.1:1"), null);
    assert.match(failureOf(gone)!.found, /^ECONNREFUSED$/);
    const nameless = await check(carrierFor(one!, "https://carrier.invalid"), null);
    assert.equal(failureOf(nameless)?.step, "name");
  });

  test("a carrier that answers for accounts alone is asked for one, with its credentials", async () => {
    const one = casesOf().find(({ name }) => name === "MAEU")!;
    const account = "01a1fc98-3684-702d-8add-9c7eb13bfa2f";
    await withCarrier(one, async (server) => {
      const whole = carrierFor(one, server.url);
      const { oauth, headers, ...rest } = whole;
      const carrier = {
        ...rest,
        accountsOnly: true,
        accounts: { [account]: { oauth: oauth!, headers: headers! } },
      };
      const nobody = failureOf(await check(carrier, referenceOf(one)));
      assert.deepEqual([nobody?.step, nobody?.found], ["question", "nothing was sent"]);
      assert.match(nobody!.advice!, /--account/);
      const asked = await check(carrier, referenceOf(one), null, account);
      assert.deepEqual(results(asked), ["name passed", "tls passed", "token passed", "question passed"]);
      assert.ok(!JSON.stringify(asked).includes(secretOf("clientSecret")));
    });
  });

  test("a server of port calls that is down fails its own step, and the question is asked", async () => {
    const one = casesOf().find(({ name }) => name === "HLCU")!;
    await withCarrier(one, async (server) => {
      const carrier = { ...carrierFor(one, server.url), portCalls: { baseUrl: "https://127.0.0.1:1/v2" } };
      const checked = await check(carrier, referenceOf(one));
      assert.deepEqual(results(checked), [
        "name passed",
        "tls passed",
        "name passed",
        "tls failed",
        "question passed",
      ]);
      assert.equal(checked.passed, false);
    });
  });

  test("an answer that is cut and cannot be asked for in parts says so", async () => {
    const one = casesOf().find(({ name }) => name === "HLCU")!;
    await withCarrier(one, async (server) => {
      server.state(longVoyage(Date.now(), 120));
      const carrier = carrierFor(one, server.url);
      const checked = await check(
        { ...carrier, question: { limit: { max: 100, parameter: "limit" } } },
        referenceOf(one),
      );
      assert.equal(checked.passed, true);
      assert.match(checked.steps.at(-1)!.advice!, /^The answer is cut/);
      assert.equal(checked.outcome?.shipment.incomplete, true);
    });
  });
});
