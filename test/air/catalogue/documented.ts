/**
 * How each airline and provider of the catalogue behaves by its documents: written by hand from the sources that its entry
 * names, and not from the entry, so that what an entry says wrong is refused. Where an answer's fields could not be read,
 * the answer is of our own form, which the test's entry describes, as a user's would.
 */
import { readFileSync } from "node:fs";

export type Reply = { readonly status: number; readonly body: unknown };

/** Headers by their names in lower case. */
export type Question = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

export type Documented = {
  /** The fields of a file's entry that name it. */
  readonly named: Readonly<Record<string, string>>;
  /** Known to it. */
  readonly awb: string;
  /** Null: no such path. */
  readonly reply: (question: Question) => Reply | null;
  readonly tokenPath?: string;
  /** What a wrong key is answered with, as `boathook airlines check` shows it. */
  readonly refusal: RegExp;
  /** Fields of the entry that no document gives. */
  readonly added?: object;
  /** The statuses that its answer has, announced ones left out. */
  readonly codes: readonly string[];
};

export const TOKEN = "token-that-nobody-may-read";
export const secretOf = (need: string): string => `${need}-of-a-client`;

const guide = readFileSync(new URL("../../../docs/airlines.md", import.meta.url), "utf8");
const blocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

/** The block of the guide that begins so. */
export const shown = (start: RegExp): unknown => JSON.parse(blocks.find((code) => start.test(code)) ?? "");

const NOT_FOUND: Reply = { status: 404, body: { message: "not found" } };

const LUFTHANSA: Documented = {
  named: { airline: "LH" },
  awb: "02040000170",
  codes: ["RCS", "DEP"],
  refusal: /^HTTP 401 \{"fault":\{"faultstring":"Invalid ApiKey"/,
  reply({ method, url: { pathname, searchParams }, headers }) {
    if (pathname !== "/lhcargo/handling/shipmenttracking/v4/shipment" || method !== "GET") return null;
    if (headers["apikey"] !== secretOf("apiKey")) {
      const detail = { errorcode: "oauth.v2.InvalidApiKey" };
      return { status: 401, body: { fault: { faultstring: "Invalid ApiKey", detail } } };
    }
    const [prefix, number] = [searchParams.get("aWBPrefix") ?? "", searchParams.get("aWBNumber") ?? ""];
    if (!/^\d{3}$/.test(prefix) || !/^\d{8}$/.test(number)) return { status: 400, body: {} };
    if (prefix + number !== LUFTHANSA.awb) return NOT_FOUND;
    return { status: 200, body: shown(/^\{"shipmentTrackingStatus"/) };
  },
};

const HOST = "air-cargo-co2-track-and-trace.p.rapidapi.com";

const CARGOAI: Documented = {
  named: { airline: "QR", by: "CARGOAI" },
  awb: "15740000855",
  codes: ["BKD", "RCS", "DEP"],
  refusal: /^HTTP 403 \{"message":"You are not subscribed to this API\."\}$/,
  reply({ method, url: { pathname, searchParams }, headers }) {
    if (pathname !== "/track" || method !== "GET") return null;
    if (headers["x-rapidapi-key"] !== secretOf("rapidApiKey") || headers["x-rapidapi-host"] !== HOST) {
      return { status: 403, body: { message: "You are not subscribed to this API." } };
    }
    const isKnown = searchParams.get("awb") === "157-40000855";
    return { status: 200, body: isKnown ? shown(/^\[\{"awb"/) : [] };
  },
};

/** An answer in a form of our own, and the mapping that a user would write for it. */
const OF_OURS = {
  data: {
    n: "000-00000000",
    steps: [
      { c: "BKD", a: "AMS", t: "2026-10-29T08:00:00Z" },
      { c: "RCS", a: "AMS", t: "2026-10-30T09:00:00Z" },
    ],
  },
};
const ADDED = {
  answer: {
    waybill: { at: "/data", awb: "/n" },
    events: "/steps",
    event: { code: "/c", station: "/a", time: "/t" },
  },
};
const ofOurs = (number: string) => ({ data: { ...OF_OURS.data, n: number } });

const KLM: Documented = {
  named: { airline: "KL" },
  awb: "07440000855",
  codes: ["BKD", "RCS"],
  tokenPath: "/token",
  refusal: /^HTTP 401 \{"error":"invalid_client"\}$/,
  added: ADDED,
  reply({ url: { pathname }, headers }) {
    const awb = /^\/cargo\/tracking\/awbs\/(\d{11})$/.exec(pathname)?.[1];
    if (awb === undefined) return null;
    if (headers["authorization"] !== `Bearer ${TOKEN}`) return { status: 401, body: {} };
    return awb === KLM.awb ? { status: 200, body: ofOurs(awb) } : NOT_FOUND;
  },
};

const SEARATES: Documented = {
  named: { airline: "EK", by: "SEARATES" },
  awb: "17640000855",
  codes: ["BKD", "RCS"],
  refusal: /^HTTP 200, \d+ bytes$/,
  added: ADDED,
  reply({ url: { pathname, searchParams } }) {
    if (pathname !== "/air") return null;
    const told = (code: string): Reply => ({ status: 200, body: { success: false, status_code: code } });
    if (searchParams.get("api_key") !== secretOf("apiKey")) return told("API_KEY_WRONG");
    const number = searchParams.get("number") ?? "";
    if (!/^\d{3}-\d{8}$/.test(number)) return told("WRONG_NUMBER");
    if (number !== "176-40000855") return told("AIRLINE_HASNT_PROVIDE_INFO");
    return { status: 200, body: { success: true, status_code: "OK", ...ofOurs(number) } };
  },
};

const TRACKINGMORE: Documented = {
  named: { airline: "TK", by: "TRACKINGMORE" },
  awb: "23540000855",
  codes: ["BKD", "RCS"],
  refusal: /^HTTP 200, \d+ bytes$/,
  added: ADDED,
  reply({ method, url: { pathname }, headers, body }) {
    if (pathname !== "/v2/trackings/aircargo" || method !== "POST") return null;
    const told = (code: number): Reply => ({ status: 200, body: { meta: { code } } });
    if (headers["trackingmore-api-key"] !== secretOf("apiKey")) return told(4001);
    const { track_number: numbers } = JSON.parse(body) as { readonly track_number: readonly string[] };
    if (numbers[0] !== "235-40000855") return told(4017);
    return { status: 200, body: { meta: { code: 200 }, ...ofOurs(numbers[0]) } };
  },
};

/** By code. */
export const DOCUMENTED: Readonly<Record<string, Documented>> = {
  LH: LUFTHANSA,
  CARGOAI,
  KL: KLM,
  SEARATES,
  TRACKINGMORE,
};
