/** Each way to sign in to each carrier of the catalogue, with the carrier as it behaves by its documents. */
import assert from "node:assert/strict";

import {
  shippedCatalogue,
  type Catalogue,
  type CatalogueEntry,
} from "../../../src/freight/source-catalogue/carriers.ts";
import type { SignIn } from "../../../src/freight/source-catalogue/schema.ts";
import type { AskedCarrier } from "../../../src/products/ocean/check/carrier-check.ts";
import { readCarriers, type Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import { NOTHING_KNOWN } from "../../../src/products/ocean/sources/known-references.ts";
import { secretOf } from "../../source-check/given.ts";
import type { Question, Replayed, Reply } from "../../source-check/replayed.ts";
import type { Statement } from "../carrier-forms/statement.ts";
import { DOCUMENTED, type Documented } from "./documented.ts";

export type Case = {
  readonly name: string;
  readonly entry: CatalogueEntry;
  readonly signIn: SignIn;
  readonly documented: Documented;
};

/** All that the catalogue has. A carrier without documented behaviour fails here. */
export function casesOf(catalogue: Catalogue = shippedCatalogue()): readonly Case[] {
  return catalogue.flatMap((entry) =>
    entry.signIn.map((signIn) => {
      const name = entry.signIn.length === 1 ? entry.scac : `${entry.scac} ${signIn.kind}`;
      const documented = DOCUMENTED[name];
      if (documented === undefined) throw new Error(`${name}: how does it behave by its documents?`);
      return { name, entry, signIn, documented };
    }),
  );
}

/** About a container, or a booking where it knows nothing else. */
export function askedOf({ documented: { booking } }: Case): AskedCarrier {
  const container = { text: "HRNU4000017", type: "container_id" } as const;
  const reference = booking === undefined ? container : { text: booking, type: null };
  return { reference, others: NOTHING_KNOWN, account: null };
}

export const NOBODYS: AskedCarrier = { reference: null, others: NOTHING_KNOWN, account: null };

/** `isCut`: its answer lacks a page, or its end. */
export function replayed({ documented }: Case, statements: readonly Statement[], isCut = false): Replayed {
  const { path, wanted = [] } = documented;
  return {
    ...documented,
    reply({ url }) {
      if (url.pathname !== path) return null;
      const isAsked = wanted.every((name) => /^[A-Z0-9]+$/.test(url.searchParams.get(name) ?? ""));
      if (!isAsked) return { status: 400, body: { message: "a parameter is missing" } };
      return answer(documented, url, statements, isCut);
    },
  };
}

const REFERENCES = ["equipmentReference", "transportDocumentReference", "carrierBookingReference"];

function answer(
  { form, pageEvents, booking, cutsAt = Number.POSITIVE_INFINITY }: Documented,
  url: Question["url"],
  statements: readonly Statement[],
  isCut: boolean,
): Reply {
  const asked = (booking === undefined ? REFERENCES : ["carrierBookingReference"]).find((name) =>
    url.searchParams.has(name),
  );
  if (asked === undefined) return { status: 400, body: { message: "one of the references is required" } };
  const reference = url.searchParams.get(asked) ?? "";
  const kinds = url.searchParams.get("eventType")?.toLowerCase().split(",");
  const most = Math.min(Number(url.searchParams.get("limit") ?? cutsAt), cutsAt);
  const about = statements
    .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
    .slice(0, most)
    .map((one) =>
      asked === "equipmentReference" ? { ...one, box: reference } : { ...one, booking: reference },
    );
  if (about.length === 0 || reference.startsWith("ZZZ"))
    return { status: 404, body: { message: "nothing found" } };
  const headers = { date: new Date().toUTCString() };
  const whole = form.answer(about, Date.now());
  if (pageEvents !== null) return page(whole, pageEvents, url, isCut, headers);
  // Half a body, as a connection that a proxy cut.
  return { headers, body: isCut ? JSON.stringify(whole).slice(0, -5) : whole };
}

function page(
  whole: unknown,
  pageEvents: number,
  url: Question["url"],
  isCut: boolean,
  headers: Readonly<Record<string, string>>,
): Reply {
  const key = Array.isArray(whole) ? null : Object.keys(whole as object)[0]!;
  const events = key === null ? (whole as unknown[]) : (whole as Record<string, unknown[]>)[key]!;
  const from = Number(url.searchParams.get("cursor") ?? 0);
  if (from > 0 && isCut) return { status: 500, body: { message: "the page is gone" } };
  const shown = events.slice(from, from + pageEvents);
  const next = from + pageEvents < events.length ? { "next-page": String(from + pageEvents) } : {};
  return { headers: { ...headers, ...next }, body: key === null ? shown : { [key]: shown } };
}

/** What a user would write, but for where the server is. */
export function carrierFor(
  { entry, signIn }: Case,
  url: string,
  given: (need: string) => string = secretOf,
): Carrier {
  const needs = Object.keys(signIn.needs);
  const fields = Object.fromEntries(
    needs.map((need) => [need, need.endsWith("Url") ? `${url}/${need}` : given(need)]),
  );
  const { baseUrl, oauth } = { ...entry.entry, ...signIn.entry } as {
    baseUrl: string;
    oauth?: { tokenUrl: string };
  };
  const there = (address: string): string =>
    address.startsWith("{") ? `${url}/${address.slice(1, -1)}` : moved(address, url);
  const whole = {
    ...{ carrier: entry.scac, ...fields, baseUrl: there(baseUrl), quota: { perSecond: 1_000 } },
    ...(oauth === undefined ? {} : { oauth: { tokenUrl: there(oauth.tokenUrl) } }),
  };
  const read = readCarriers(JSON.stringify([whole]), () => [entry]);
  assert.ok(read.kind === "entries", JSON.stringify(read));
  return read.entries[0]!;
}

function moved(address: string, to: string): string {
  const { pathname, search } = new URL(address);
  return `${to}${pathname}${search}`;
}
