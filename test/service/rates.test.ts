/** Freight rates of the service as its users run it: loaded, read, and delivered, signed and in shape. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { run } from "../cli/run.ts";
import { ask, makeDataFolder, serve, until } from "./boathook.ts";
import { serveClient } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

test("a rate that is loaded again is read with a key, and delivered once to a subscribed endpoint", async (t) => {
  const { receiver, service, token, client } = await serveClient(t, folder, "rates");
  const lane = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", currency: "USD" };
  const load = (base: string) =>
    ask("POST", `${service.opsUrl}/v1/rates`, token, {
      rates: [{ ...lane, valid_from: "2020-01-01", base }],
    });
  assert.equal((await load("2000")).body.changes, 0);
  assert.equal((await load("2100.10")).body.changes, 1);
  await until(() => receiver.arrivals.length === 1, "the change arrives");
  assert.deepEqual(receiver.wrong, []);
  const [{ type, data }] = receiver.arrivals as readonly [(typeof receiver.arrivals)[0]];
  assert.deepEqual(
    [type, data["old_total"], data["new_total"], data["change_percent"]],
    ["lane_rate_updated", "2000.00", "2100.10", "5.01"],
  );

  const definition = { id: "europe", name: "Europe", currency: "USD", base_date: "2021-01-01", day: "none" };
  const index = { ...definition, lanes: [{ ...lane, weight: 1 }] };
  assert.equal((await ask("POST", `${service.opsUrl}/v1/rates/indices`, token, index)).status, 201);
  const values = `${service.opsUrl}/v1/rates/indices/europe/values`;
  assert.equal((await ask("POST", values, token, {})).status, 201);
  await until(() => receiver.arrivals.length === 2, "the index arrives");
  assert.equal(receiver.arrivals[1]?.type, "index_refreshed");

  const read = await ask("GET", `${service.publicUrl}/rates/v1/lanes`, client.key);
  assert.equal(read.body.data[0].rate.total, "2100.10");
  await service.stop();

  const next = await serve(t, { BOATHOOK_DATA_DIR: folder, ...receiver.settings });
  const account = `${next.opsUrl}/v1/accounts/${client.accountId}`;
  assert.equal((await ask("PATCH", account, token, { entitlements: [] })).status, 200);
  const file = join(folder, "rates.csv");
  const csv = (base: string) => `origin;destination;equipment;currency;valid_from;base
CNSHA;NLRTM;40HC;USD;01.01.2020;${base}
CNSHA;NLRTM;20GP;USD;01.01.2020;1.000`;
  for (const base of ["2100,10", "1050,05"]) {
    writeFileSync(file, csv(base));
    const loading = await run(["rates", "load", file, "--json"], {
      environment: { BOATHOOK_DATA_DIR: folder },
    });
    assert.equal(loading.status, 1, "a line was refused");
    assert.deepEqual(JSON.parse(loading.out).problems[0].line, 3);
  }
  await until(() => receiver.arrivals.length > 2, "the change arrives, though the entitlement is gone");
  const delivered = receiver.arrivals
    .slice(2)
    .map((arrival) => [arrival.type, arrival.data["change_percent"]]);
  assert.deepEqual(delivered, [["lane_rate_updated", "-50.00"]], "earlier changes are not delivered again");
  const refused = await ask("GET", `${next.publicUrl}/rates/v1/lanes`, client.key);
  assert.deepEqual([refused.status, refused.body.error.code], [403, "entitlement_required"]);
  await next.stop();
});
