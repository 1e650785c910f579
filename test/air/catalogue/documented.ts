/**
 * How each airline and provider of the catalogue behaves by its documents: written by hand from the sources that its entry
 * names, and not from the entry, so that what an entry says wrong is refused. Where an answer's fields could not be read,
 * the answer is of our own form, which the test's entry describes, as a user's would.
 */
import { readFileSync } from "node:fs";

import { secretOf } from "../../source-check/given.ts";
import type { Replayed, Reply } from "../../source-check/replayed.ts";

export type Documented = Replayed & {
  /** The fields of a file's entry that name it. */
  readonly named: Readonly<Record<string, string>>;
  /** Known to it. */
  readonly awb: string;
  /** What a wrong key is answered with, as `boathook airlines check` shows it. */
  readonly refused: RegExp;
  /** Fields of the entry that no document gives. */
  readonly added?: object;
  /** The statuses that its answer has, announced ones left out. */
  readonly codes: readonly string[];
};

const guide = readFileSync(new URL("../../../docs/airlines.md", import.meta.url), "utf8");
const blocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);

/** The block of the guide that begins so. */
export const shown = (start: RegExp): unknown => JSON.parse(blocks.find((code) => start.test(code)) ?? "");

const NOT_FOUND: Reply = { status: 404, body: { message: "not found" } };

const LUFTHANSA: Documented = {
  named: { airline: "LH" },
  awb: "02040000170",
  codes: ["RCS", "DEP"],
  refused: /^HTTP 401 \{"fault":\{"faultstring":"Invalid ApiKey"/,
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
  refused: /^HTTP 403 \{"message":"You are not subscribed to this API\."\}$/,
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
  codes: ["BKD", "RCS", "DEP"],
  token: { path: "/token" },
  refused: /^HTTP 401 \{"error":"invalid_client"\}$/,
  reply({ url: { pathname } }) {
    const awb = /^\/cargo\/tracking\/v2\/public\/shipments\/(\d{3}-\d{8})$/.exec(pathname)?.[1];
    if (awb === undefined) return null;
    if (awb !== "074-40000855") return NOT_FOUND;
    const milestone = (EventCode: string, EventLocation: string, more: object = {}) => ({
      ...{ EventCode, EventLocation, TotalPieceCount: 4, Sequence: 1, LastStatus: false, ...more },
    });
    const Events = [
      milestone("BKG", "AMS", { EventActualTime: "2026-10-28T08:00:00" }),
      milestone("FWB", "AMS", { EventActualTime: "2026-10-28T09:00:00" }),
      milestone("RCS", "AMS", { EventActualTime: "2026-10-29T09:00:00" }),
      milestone("DEP", "AMS", { EventActualTime: "2026-10-29T21:10:00", TransportIdentifier: "KL0605" }),
      // To come: the clients take EventActualTime for optional.
      milestone("ARR", "SFO", { TransportIdentifier: "KL0605" }),
      milestone("DLV", "SFO"),
    ];
    const Shipment = {
      AirWaybillNumber: awb,
      OriginDestination: { DepartureLocation: "AMS", ArrivalLocation: "SFO" },
      ShipmentStage: { Phase: "en route", Status: "DEP" },
    };
    const ShipmentCharacteristics = { TotalPieceCount: 4, TotalGrossWeight: { Value: 250.5 } };
    return {
      status: 200,
      body: { Shipments: [{ Shipment, ShipmentCharacteristics, Milestones: { Events } }] },
    };
  },
};

const QATAR: Documented = {
  named: { airline: "QR" },
  awb: "15740000855",
  codes: ["RCS", "DEP"],
  token: { path: "/token", field: "accessToken" },
  refused: /^HTTP 401 \{"error":"invalid_client"\}$/,
  reply({ method, url: { pathname }, body }) {
    if (pathname !== "/track" || method !== "POST") return null;
    type Asked = { readonly [name: string]: readonly { readonly [field: string]: string }[] };
    const { documentPrefix, documentNumber, documentType } = (JSON.parse(body) as Asked)[
      "cargoTrackingRequestSOs"
    ]![0]!;
    if (documentType !== "MAWB" || documentNumber !== "40000855")
      return { status: 200, body: { cargoTrackingSOs: [] } };
    const moved = (movementStatus: string, eventDate: string) => ({
      ...{ movementStatus, eventDate, eventAirport: "DOH", shipmentPieces: 3, shipmentWeight: 96 },
      ...{ createdDate: eventDate, partOrTotal: "T", movementDetails: `${movementStatus} at DOH` },
    });
    const waybill = {
      ...{ docType: "MAWB", docPrefix: documentPrefix, docNumber: documentNumber },
      ...{ origin: "DOH", destination: "AMS", pieces: 3, weight: 96, cargoTrackingFlightList: [] },
      cargoTrackingMvtStausList: [moved("DEP", "30-Oct-2026 02:31"), moved("RCS", "29-Oct-2026 15:30")],
    };
    return { status: 200, body: { cargoTrackingSOs: [waybill] } };
  },
};

const SEARATES: Documented = {
  named: { airline: "EK", by: "SEARATES" },
  awb: "17640000855",
  codes: ["BKD", "RCS"],
  refused: /^HTTP 200, \d+ bytes$/,
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
  refused: /^HTTP 401 \{"meta":\{"code":401\}\}$/,
  // The words are of our own, as no document has them.
  added: {
    answer: {
      event: { code: "/event", codes: { Booked: "BKD", Accepted: "RCS" }, times: ["yyyy-MM-dd HH:mm"] },
    },
  },
  reply({ method, url: { pathname }, headers, body }) {
    if (pathname !== "/v4/awb" || method !== "POST") return null;
    const told = (status: number, code: number): Reply => ({ status, body: { meta: { code } } });
    if (headers["tracking-api-key"] !== secretOf("apiKey")) return told(401, 401);
    const { awb_number } = JSON.parse(body) as { readonly awb_number: string };
    if (awb_number !== "235-40000855") return told(400, 4161);
    const stated = (event: string, day: string, more: object = {}) => ({
      ...{ event, plan_date: `2026-10-${day} 08:00`, actual_date: `2026-10-${day} 08:30`, station: "IST" },
      ...{ flight_number: "", piece: "4", weight: "250.5", ...more },
    });
    const track_info = [
      stated("Booked", "28"),
      stated("Accepted", "29"),
      stated("Accepted", "30", { actual_date: "" }),
    ];
    const waybill = { awb_number, piece: "4", weight: "250.5", origin: "IST", destination: "JFK" };
    return { status: 200, body: { meta: { code: 200 }, data: { ...waybill, track_info } } };
  },
};

/** By code. */
export const DOCUMENTED: Readonly<Record<string, Documented>> = {
  LH: LUFTHANSA,
  CARGOAI,
  KL: KLM,
  QR: QATAR,
  SEARATES,
  TRACKINGMORE,
};
