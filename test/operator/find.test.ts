/** One search for everything: what a text is taken for, and what is found, by operators and by clients. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { openPlace, ownerOfSuite, run, TOKEN, type Running } from "../service/running.ts";
import { newAccount, operatorAt, productAt } from "../support/clients.ts";

type Found = {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly about: string | null;
};
type Client = Awaited<ReturnType<typeof newAccount>>;

const NAME = "Acme";

describe("find", () => {
  const ends = ownerOfSuite();
  let service: Running;
  let owner: Client;
  let endpointId: string;

  before(async () => {
    const { settings } = await openPlace(ends, 2);
    service = await run(ends, settings);
    owner = await newClient();
    const url = "https://hooks.acme.example/in";
    endpointId = (
      await productAt(`${service.publicUrl}/tracking`, owner.key).ask("POST /v1/webhooks", {}, { url })
    ).data.id;
    const data = {
      ...{ container_id: owner.accountId, identifier: "MSCU1234566", identifier_type: "container_id" },
      ...{ old_eta: "2026-12-02T06:00:00Z", new_eta: "2026-12-04T06:00:00Z", delta_hours: 48 },
    };
    const event = { product: "tracking", account_id: owner.accountId, type: "eta_changed", data };
    await operator().ask("POST /v1/events", {}, { events: [event] });
  });

  const newClient = () => newAccount(service.opsUrl, TOKEN, { entitlements: ["aircargo"] });
  const operator = () => operatorAt(service.opsUrl, TOKEN);
  const byOperator = (q: string) => operator().ask("GET /v1/find", { q });
  const byClient = async (q: string, { key } = owner, product = "tracking") =>
    (await productAt(`${service.publicUrl}/${product}`, key).ask("GET /v1/find", { q })).data;
  const kinds = ({ findings }: { readonly findings: readonly Found[] }) => findings.map(({ kind }) => kind);

  test("a reference finds its events and deliveries, in any formatting and from its beginning on", async () => {
    for (const q of ["MSCU1234566", "mscu 123456-6", "mscu12"])
      for (const answer of [await byOperator(q), await byClient(q)]) {
        assert.deepEqual(kinds(answer), ["event", "delivery"], q);
        const [event, delivery] = answer.findings as readonly Found[];
        assert.equal(event!.about, "MSCU1234566: ETA 2 Dec 06:00 → 4 Dec 06:00 UTC (+2 days)");
        assert.match(delivery!.about!, /to https:\/\/hooks\.acme\.example\/in/);
      }
    assert.match((await byOperator("mscu12")).understood, /^references that begin with MSCU12, a part of/);
  });

  test("an id finds what has it, whatever it is", async () => {
    const [event, delivery] = (await byClient("MSCU1234566")).findings as readonly Found[];
    for (const id of [event!.id, delivery!.id, endpointId]) {
      for (const answer of [await byOperator(id), await byClient(id.toUpperCase())]) {
        assert.equal(answer.findings[0]!.id, id);
        assert.equal(answer.understood, "an id");
      }
    }
    const { keys } = await operator().ask("GET /v1/accounts/{id}/keys", { id: owner.accountId });
    for (const [id, kind] of [
      [owner.accountId, "account"],
      [keys[0]!.id, "key"],
    ] as const)
      assert.deepEqual(kinds(await byOperator(id)), [kind]);
  });

  test("a part of an account's name, of a URL, or an event type is found", async () => {
    assert.ok(kinds(await byOperator(NAME.toUpperCase())).includes("account"));
    for (const answer of [await byOperator("ACME.example/"), await byClient("acme.example/")])
      assert.deepEqual(kinds(answer), ["endpoint"]);
    assert.deepEqual(kinds(await byClient("eta changed")), ["event_type"]);
  });

  test("nobody finds what is another's, or of another product", async () => {
    const other = await newClient();
    for (const q of ["MSCU1234566", endpointId, "acme.example"]) {
      assert.deepEqual(kinds(await byClient(q, other)), [], q);
      assert.deepEqual(kinds(await byClient(q, owner, "air")), [], q);
    }
  });

  test("what is nothing is said to be nothing, and hostile texts are texts", async () => {
    for (const q of ["%%%", "___", "'; drop table x; --", "\u202eabc", "ffff".repeat(50)])
      assert.deepEqual(kinds(await byOperator(q)), [], q);
    assert.match((await byOperator("%%%")).not_understood!, /a reference, which has letters or digits/);
    for (const q of ["ab", "   ", "x".repeat(201), "abc\0"]) {
      const answer = await operator().tryAsking("GET /v1/find", { q });
      assert.ok(!answer.ok && answer.failure.status === 400, q);
    }
  });
});
