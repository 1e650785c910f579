/** A request → what the airline's source answers at a moment: access, spells, status answers, ONE Record's objects. */
import { issueToken, refusalOf } from "../world/access.ts";
import { answerInOutage, problem, text, type Answer, type RequestHeaders } from "../world/answer.ts";
import type { Airline } from "./airlines.ts";
import type { Airport } from "./airport.ts";
import { answeredAt, type Life } from "./life.ts";
import { messageOf } from "./message.ts";
import { eventCollection, linksOf, shipmentObject, waybillObject } from "./one-record-writer.ts";
import { statementOf } from "./statement.ts";
import type { Report } from "./reporting.ts";

export type AirportRequest = {
  readonly method: string;
  readonly url: URL;
  /** By their lower-case names. */
  readonly headers: RequestHeaders;
  readonly body: string;
};

/**
 * `POST /{iata}/token`, `/{iata}/fsr` with the waybill's number in the body or the query, and
 * `GET /{iata}/logistics-objects/…`. `speed`: milliseconds of the airport for each of the client's.
 */
export function answerOf(airport: Airport, request: AirportRequest, atMs: number, speed: number): Answer {
  const [, iata, resource = ""] = request.url.pathname.split("/");
  const airline = airport.airlines.find((one) => one.iata === iata);
  if (airline === undefined || airline.protocol === "fsu") return problem(404, "nothing here", atMs);
  const guarded = { code: airline.iata, access: airline.access };
  if (resource === "token") return issueToken(guarded, new URLSearchParams(request.body), atMs, speed);
  const refused = refusalOf(guarded, request.headers, atMs);
  if (refused !== null) return refused;
  const isStatusRequest = airline.protocol === "fsa" && resource === "fsr";
  const isObject = airline.protocol === "one-record" && resource === "logistics-objects";
  if (!isStatusRequest && !isObject) return problem(404, "nothing here", atMs);
  const life = lifeRequested(
    airport,
    airline,
    isObject ? request.url.pathname : request.url.search + request.body,
  );
  const spell = airport.outageAt(airline, atMs);
  if (spell !== null) return answerInOutage(spell, atMs);
  const heard = life === null ? [] : (answeredAt(life, atMs) ?? []);
  if (isObject) return objectAt(request.url, life, heard, atMs);
  if (life === null || heard.length === 0) return unknownTo(airline, request.body, atMs);
  return text(200, messageOf("FSA", life.waybill, heard, atMs), "text/plain", atMs);
}

function lifeRequested(airport: Airport, airline: Airline, written: string): Life | null {
  const [, prefix = "", serial = ""] = /(\d{3})-?(\d{8})(?!\d)/.exec(written) ?? [];
  const waybill = airport.waybillNumbered(prefix + serial);
  return waybill === null || waybill.airline !== airline ? null : airport.lifeOf(waybill);
}

function unknownTo({ unknownAnswer, version }: Airline, asked: string, atMs: number): Answer {
  const [number = ""] = /\d{3}-?\d{8}/.exec(asked) ?? [];
  switch (unknownAnswer) {
    case "remark":
      return text(200, `FSA/${version}\r\n${number}\r\nOSI/NO RECORD FOUND\r\n`, "text/plain", atMs);
    case "error-message":
      return text(200, `FNA/1\r\nACK/NO RECORD FOUND\r\n${asked}`, "text/plain", atMs);
    case "not-found":
      return problem(404, "no such waybill", atMs);
  }
}

/** A waybill's object, its shipment's, or the events of either: they are the shipment's. */
function objectAt(
  { origin, pathname }: URL,
  life: Life | null,
  heard: readonly Report[],
  atMs: number,
): Answer {
  if (life === null || heard.length === 0) return problem(404, "no such logistics object", atMs);
  const { awb, airline } = life.waybill;
  const links = linksOf(`${origin}/${airline.iata}`, awb);
  const statement = statementOf(life.waybill, heard);
  const saidMs = heard.map((saying) => saying.reportedMs);
  const objects = new Map([
    [links.waybill, () => waybillObject(links, statement)],
    [links.shipment, () => shipmentObject(links, statement)],
    [links.events, () => eventCollection(links, statement.events, saidMs)],
  ]);
  const object = objects.get(origin + pathname);
  if (object === undefined) return problem(404, "no such logistics object", atMs);
  return text(200, JSON.stringify(object()), "application/ld+json", atMs);
}
