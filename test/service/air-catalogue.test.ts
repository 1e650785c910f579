/** Each airline and provider of the catalogue, from the check of its entry to a delivered event. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { isObject } from "../../src/model/json.ts";
import type { AirlineCheck } from "../../src/products/air/check/check-airline.ts";
import { createAuthority, validAround, type KeyedCertificate } from "../../src/runtime/certificates.ts";
import { airlineFor, CASES, withAirline, type Case } from "../air/catalogue/replayed-airline.ts";
import { ask, makeDataFolder, start, until } from "./boathook.ts";
import { serveClient } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

/** Without the events of one code, as before they happened. */
function without(code: string, value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOf = (one: unknown): boolean => isObject(one) && Object.values(one).includes(code);
    return value.filter((one) => !isOf(one)).map((one) => without(code, one));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(code, one)]));
}

/** Servers of all cases, which leave out each one's last event until it happens. */
async function withAll(
  cases: readonly Case[],
  happened: () => boolean,
  certificate: KeyedCertificate,
  work: (urls: readonly string[]) => Promise<void>,
): Promise<void> {
  const [one, ...others] = cases;
  if (one === undefined) return work([]);
  const { documented } = one;
  const last = documented.codes.at(-1)!;
  const reply: typeof documented.reply = (question) => {
    const whole = documented.reply(question);
    return whole === null || happened() ? whole : { ...whole, body: without(last, whole.body) };
  };
  await withAirline(
    { ...documented, reply },
    ({ url }) => withAll(others, happened, certificate, (urls) => work([url, ...urls])),
    certificate,
  );
}

const EVENT_OF: Readonly<Record<string, string>> = { RCS: "awb_accepted", DEP: "awb_in_transit" };

// spec 6.4: awb_accepted, awb_in_transit
test("each airline of the catalogue: checked, tracked, and its next status delivered", async (t) => {
  const nowMs = Date.now();
  const authority = await createAuthority(nowMs, "Authority of airlines");
  const certificate = await authority.issue({ hosts: ["127.0.0.1"], ...validAround(nowMs) });
  const files = mkdtempSync(join(tmpdir(), "boathook-airlines-"));
  t.after(() => rmSync(files, { recursive: true }));
  const [ca, airlines] = [join(files, "ca.pem"), join(files, "airlines.json")];
  writeFileSync(ca, authority.cert);
  const settings = { BOATHOOK_AIRLINES_FILE: airlines, NODE_EXTRA_CA_CERTS: ca };
  let hasHappened = false;
  await withAll(
    CASES,
    () => hasHappened,
    certificate,
    async (urls) => {
      // The documented answers have times of their own.
      const entries = CASES.map((one, index) => ({
        ...airlineFor(one, urls[index]!),
        asOf: "answer-date",
      }));
      writeFileSync(airlines, JSON.stringify(entries));
      const checking = start(t, ["airlines", "check", "--json"], settings);
      assert.equal(await checking.ended, 0, checking.out() + checking.err());
      assert.deepEqual(
        (JSON.parse(checking.out()) as { checks: readonly AirlineCheck[] }).checks.map(({ iata }) => iata),
        entries.map(({ iata }) => iata),
      );

      const { receiver, service, client } = await serveClient(t, folder, "air", {
        settings: { BOATHOOK_AIR_POLL_INTERVAL: "300ms", ...settings },
      });
      const awbs = CASES.map(({ documented }) => documented.awb);
      for (const awb of awbs) {
        const { status } = await ask("GET", `${service.publicUrl}/air/track/${awb}`, client.key);
        assert.equal(status, 200, awb);
      }
      hasHappened = true;
      const expected = CASES.map(
        ({ documented: { awb, codes } }) => `${awb} ${EVENT_OF[codes.at(-1)!]}`,
      ).toSorted();
      const arrived = () => receiver.arrivals.map(({ type, data }) => `${data.awb} ${type}`).toSorted();
      await until(() => arrived().length >= expected.length, "each next status is delivered");
      assert.deepEqual(arrived(), expected);
      assert.deepEqual(receiver.wrong, []);
    },
  );
});
