/** Each way to sign in to each carrier's schedules, with the carrier as it behaves by its documents. */
import assert from "node:assert/strict";

import { shippedCatalogue } from "../../../src/freight/source-catalogue/carriers.ts";
import { isPolled, type PolledFeed } from "../../../src/products/schedules/sources/feed-schema.ts";
import { readFeeds } from "../../../src/products/schedules/sources/feeds-file.ts";
import { DAY_MS } from "../../../src/runtime/durations.ts";
import { secretOf } from "../../source-check/given.ts";
import type { Replayed, Reply } from "../../source-check/replayed.ts";
import { at, csService, leg, partner, stamp, transportCall } from "../sources/answers.ts";
import { inDays } from "../sources/feed-scene.ts";
import { DOCUMENTED, GIVEN, type Documented } from "./documented.ts";

export const CASES = shippedCatalogue().flatMap(({ scac, schedules }) =>
  (schedules?.signIn ?? []).map(({ kind, needs }, _, all) => {
    const name = all.length === 1 ? scac : `${scac} ${kind}`;
    return { name, scac, needs: Object.keys(needs), documented: DOCUMENTED[name]! };
  }),
);
type Case = (typeof CASES)[number];

/** What a user would write, but for where the servers are. */
export function feedsFor(
  { scac, needs }: Case,
  url: string,
  given: (need: string) => string = secretOf,
): readonly PolledFeed[] {
  const fields = needs.map((need) => [need, GIVEN[need] ?? given(need)]);
  const asked = { services: ["FE1", "FE2"], ports: ["NLRTM"], pairs: [{ from: "CNSHA", to: "NLRTM" }] };
  const read = readFeeds(JSON.stringify([{ carrier: scac, ...Object.fromEntries(fields), ...asked }]));
  assert.ok(read.kind === "entries", JSON.stringify(read));
  const onLoopback = (address: string): string => address.replace(/^https:\//, url);
  return read.entries.filter(isPolled).map((feed) => ({
    ...feed,
    url: onLoopback(feed.url),
    ...(feed.oauth && { oauth: { ...feed.oauth, tokenUrl: onLoopback(feed.oauth.tokenUrl) } }),
  }));
}

export function replayed({ documented }: Case): Replayed {
  return { ...documented, reply: ({ url }) => replyTo(documented, url) };
}

/** The kind of feed that a question is for. */
export const kindOf = ({ paths }: Documented, { pathname }: URL): string | undefined =>
  Object.keys(paths).find((kind) => paths[kind] === pathname.slice(1));

/** What a kind must be asked by, one of them or all. */
const NEEDED: Readonly<Record<string, { readonly by: readonly string[]; readonly isAll: boolean }>> = {
  "cs-vessel-schedules": { by: ["carrierServiceCode", "vesselIMONumber", "UNLocationCode"], isAll: false },
  "cs-port-schedules": { by: ["UNLocationCode", "date"], isAll: true },
  "cs-point-to-point": { by: ["placeOfReceipt", "placeOfDelivery"], isAll: true },
};

function replyTo(documented: Documented, url: URL): Reply | null {
  const kind = kindOf(documented, url);
  if (kind === undefined) return null;
  const { routeDaysMax } = documented;
  const query = url.searchParams;
  const { by, isAll } = NEEDED[kind]!;
  const has = (name: string) => query.has(name);
  if (isAll ? !by.every(has) : !by.some(has)) {
    return { status: 400, body: { statusCodeText: "a parameter is missing" } };
  }
  const [first, last] = ["departureStartDate", "departureEndDate"].map((name) =>
    Date.parse(query.get(name) ?? ""),
  );
  if (routeDaysMax !== undefined && kind === "cs-point-to-point" && last! - first! > routeDaysMax * DAY_MS) {
    return { status: 400, body: { statusCodeText: `at most ${routeDaysMax} days` } };
  }
  const pages = PAGES[kind]!;
  const page = Number(query.get("cursor") ?? 0);
  const next = page + 1 < pages.length ? { "next-page-cursor": String(page + 1) } : {};
  return { headers: { "api-version": "1.0.1", ...next }, body: pages[page] };
}

const calls = (voyage: string, ...ports: readonly (readonly [string, number])[]) =>
  ports.map(([port, day]) =>
    transportCall(port, {
      carrierImportVoyageNumber: voyage,
      carrierExportVoyageNumber: voyage,
      timestamps: [stamp("ARRI", "EST", inDays(day)), stamp("DEPA", "EST", inDays(day + 1))],
    }),
  );

const sailing = (imo: string, voyage: string) => ({
  transport: {
    modeOfTransport: "VESSEL",
    servicePartners: [
      partner("HRNL", { carrierImportVoyageNumber: voyage, carrierExportVoyageNumber: voyage }),
    ],
    vessel: { vesselIMONumber: imo, name: "Grey Heron" },
  },
});

const PAGES: Readonly<Record<string, readonly unknown[]>> = {
  "cs-vessel-schedules": [
    [csService("FE1", calls("613E", ["CNSHA", 10], ["NLRTM", 40]))],
    [csService("FE2", calls("614E", ["SGSIN", 12]))],
  ],
  "cs-port-schedules": [
    [
      {
        location: { UNLocationCode: "NLRTM" },
        vesselSchedules: [
          {
            vessel: { vesselIMONumber: "9321483", name: "Grey Heron" },
            servicePartners: [partner("HRNL")],
            timestamps: [stamp("ARRI", "EST", inDays(40))],
          },
        ],
      },
    ],
  ],
  "cs-point-to-point": [
    [
      {
        legs: [
          leg(at("CNSHA", inDays(11)), at("SGSIN", inDays(16)), sailing("9321483", "700W")),
          leg(at("SGSIN", inDays(18)), at("NLRTM", inDays(40)), sailing("9321495", "701W")),
        ],
      },
    ],
  ],
};
