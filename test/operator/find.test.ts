/** One search for everything: what a text is taken for, and what is found, by operators and by clients. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";

import { ask } from "../service/boathook.ts";
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
    const airlines = join(settings["BOATHOOK_DATA_DIR"]!, "airlines.json");
    const emirates = { name: "Emirates", iata: "EK", prefixes: ["176"], sources: [{ kind: "push" }] };
    writeFileSync(airlines, JSON.stringify([emirates]));
    service = await run(ends, { ...settings, BOATHOOK_AIRLINES_FILE: airlines });
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

  test("what is tracked is found by its reference or id, though nothing was raised for it", async () => {
    const [box, waybill] = ["MSCU6639870", "17612345675"];
    const { accountId, key } = owner;
    const made = await ask("POST", `${service.publicUrl}/tracking/v1/containers`, key, { reference: box });
    assert.equal(made.status, 201);
    assert.equal((await ask("GET", `${service.publicUrl}/air/track/${waybill}`, key)).status, 200);
    for (const [q, product, title, about] of [
      ["mscu 663987-0", "tracking", box, "pending"],
      [made.body.id, "tracking", box, "pending"],
      ["176-12345675", "air", waybill, "unknown"],
    ] as const)
      for (const answer of [await byOperator(q), await byClient(q, owner, product)]) {
        const [one, ...others] = answer.findings;
        assert.deepEqual(
          [one!.kind, one!.product, one!.title, one!.about],
          ["shipment", product, title, about],
        );
        assert.deepEqual(others, []);
      }
    assert.equal((await byOperator(box)).findings[0]!.account_id, accountId);
    assert.deepEqual(kinds(await byClient(box, await newClient())), []);
    assert.deepEqual(kinds(await byClient(box, owner, "air")), []);
  });

  test("a load plan is found by a part of its name", async () => {
    const { accountId, key } = await newAccount(service.opsUrl, TOKEN, {
      ...{ prefix: "loading", entitlements: ["loading"] },
    });
    const cargo = [{ length_mm: 1_200, width_mm: 800, height_mm: 1_000, weight_kg: 400, count: 1 }];
    const plan = { name: "Order 4711, Rotterdam", cargo, containers: [{ type: "20GP" }] };
    const made = await ask("POST", `${service.publicUrl}/loading/v1/plans`, key, plan);
    assert.equal(made.status, 201);
    const loading = productAt(`${service.publicUrl}/loading`, key);
    for (const q of ["order 4711,", made.body.data.id]) {
      const [one] = (await byOperator(q)).findings;
      assert.deepEqual([one!.kind, one!.title, one!.account_id], ["shipment", plan.name, accountId]);
      const [own] = (await loading.ask("GET /v1/find", { q })).data.findings;
      assert.equal(own!.about, "revision 1");
    }
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
