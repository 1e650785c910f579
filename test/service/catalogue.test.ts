/** Each carrier of the catalogue, from the check of its entry to a delivered event, on servers that behave as documented. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import type { CarrierCheck } from "../../src/products/ocean/check/check-carrier.ts";
import { readReference } from "../../src/freight/references/reference.ts";
import { casesOf, entryFor, startCarrier, type Case } from "../ocean/catalogue/replayed-carrier.ts";
import { loaded, sailed } from "../ocean/catalogue/voyage.ts";
import { ask, makeDataFolder, start, until } from "./boathook.ts";
import { serveClient } from "./client.ts";

const folder = makeDataFolder();
const WAIT_MS_MAX = 60_000;

/** One way to sign in of each carrier: the file may name a carrier once. */
const cases = [...new Map(casesOf().map((one) => [one.entry.scac, one] as const)).values()];

/** A container's number of its own for each, with the right check digit. */
function boxOf(index: number): string {
  for (let digit = 0; digit < 10; digit += 1) {
    const number = `HRNU${(500_000 + index).toString()}${digit}`;
    if (readReference(number, []).kind === "reference") return number;
  }
  throw new Error("no check digit fits");
}

const referenceOf = ({ documented: { booking } }: Case, index: number): string => booking ?? boxOf(index);

// spec 6.3: vessel_departed
test("each carrier of the catalogue: checked, tracked by its name in the file, and its departure delivered", async (t) => {
  const nowMs = Date.now();
  // Not of the receiver's name, or neither would be found.
  const authority = await createAuthority(nowMs, "Authority of carriers");
  const certificate = await authority.issue({ hosts: ["127.0.0.1"], ...validAround(nowMs) });
  const files = mkdtempSync(join(tmpdir(), "boathook-catalogue-"));
  t.after(() => rmSync(files, { recursive: true }));
  const servers = await Promise.all(cases.map(({ documented }) => startCarrier(documented, certificate)));
  t.after(() => Promise.all(servers.map((server) => server.close())));
  for (const server of servers) server.state(loaded(nowMs));
  const entries = cases.map((one, index) => entryFor(one, servers[index]!.url));
  const [ca, carriers] = [join(files, "ca.pem"), join(files, "carriers.json")];
  writeFileSync(ca, authority.cert);
  writeFileSync(carriers, JSON.stringify(entries));
  const settings = { BOATHOOK_CARRIERS_FILE: carriers, NODE_EXTRA_CA_CERTS: ca };

  const check = async (...words: readonly string[]) => {
    const checking = start(t, ["carriers", "check", ...words, "--json"], settings);
    assert.equal(await checking.ended, 0, checking.out() + checking.err());
    return (JSON.parse(checking.out()) as { checks: readonly CarrierCheck[] }).checks;
  };
  assert.deepEqual(
    (await check()).map(({ scac }) => scac),
    cases.map(({ entry }) => entry.scac),
  );
  const [booked] = await check(
    "HDMU",
    "--reference",
    referenceOf(
      cases.find(({ name }) => name === "HDMU")!,
      0,
    ),
  );
  assert.equal(booked?.outcome?.shipment.status, "pre_departure");

  const { receiver, service, client } = await serveClient(t, folder, "tracking", {
    settings: { BOATHOOK_POLL_INTERVAL: "1s", BOATHOOK_POLL_INTERVAL_NEAR: "500ms", ...settings },
  });
  for (const [index, one] of cases.entries()) {
    const { entry } = one;
    const body = { reference: referenceOf(one, index), carrier: entry.scac };
    const tracked = await ask("POST", `${service.publicUrl}/tracking/v1/containers`, client.key, body);
    assert.equal(tracked.status, 201, entry.scac);
  }
  const list = async () =>
    (await ask("GET", `${service.publicUrl}/tracking/v1/containers?limit=100`, client.key)).body.data as {
      carrier: string;
      refreshed_at: string | null;
    }[];
  await until(
    async () => (await list()).every(({ refreshed_at }) => refreshed_at !== null),
    "each carrier has answered",
    WAIT_MS_MAX,
  );
  for (const server of servers) server.state(sailed(nowMs));
  const departed = () => receiver.arrivals.filter(({ type }) => type === "vessel_departed");
  await until(() => departed().length >= cases.length, "each departure is delivered", WAIT_MS_MAX);
  assert.deepEqual(
    departed()
      .map(({ data }) => data.identifier as string)
      .toSorted(),
    cases.map(referenceOf).toSorted(),
  );
  assert.deepEqual(receiver.wrong, []);
  assert.deepEqual(
    (await list()).map(({ carrier }) => carrier).toSorted(),
    cases.map(({ entry }) => entry.scac).toSorted(),
  );
});
