/**
 * A carrier that lives through recorded journeys on a sped-up clock, answering as DCSA Track & Trace
 * 2.2 asks: `GET …/events` with its filters, paging by `Next-Page`, 404 for what it does not know.
 */
import { answerAt, type Recording, type ReplayedReference } from "./recording.ts";

export type ReplayRequest = { readonly path: string; readonly query: URLSearchParams };

export type ReplayAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Replay = {
  handle(request: ReplayRequest): ReplayAnswer;
  /** What can be tracked, recording by recording. */
  currentReferences(): readonly ({ readonly recording: string } & ReplayedReference)[];
  /** The journey's own time of a recording now, milliseconds since the epoch. */
  nowMs(recording: Recording): number;
};

export type ReplayOptions = {
  readonly recordings: readonly Recording[];
  /** Milliseconds of the journey for each millisecond of the clock. */
  readonly speed: number;
  readonly clock: { nowMs(): number };
  /** When the journeys begin, by the clock; each with the first of its events. */
  readonly startMs: number;
  /** Events a page, where the request does not ask for fewer. */
  readonly pageEventsMax?: number;
};

/** DCSA's default page. */
const PAGE_EVENTS = 100;

export function createReplay(options: ReplayOptions): Replay {
  const { recordings, speed, clock, startMs } = options;
  const nowMs = (recording: Recording): number =>
    recording.firstMs + Math.max(0, clock.nowMs() - startMs) * speed;

  return {
    nowMs,
    currentReferences: () =>
      recordings.flatMap(({ name, references }) => references.map((one) => ({ recording: name, ...one }))),
    handle({ path, query }) {
      if (!path.endsWith("/events")) return problem(404, "there is nothing here");
      const asked = recordings.filter((recording) => isAsked(recording, query));
      const first = asked[0];
      if (first === undefined) return problem(404, "no events are known for this reference");
      const types = query.get("eventType")?.split(",");
      const events = asked
        .flatMap((recording) => answerAt(recording, nowMs(recording)))
        .filter((event) => types === undefined || types.includes(String(event["eventType"])));
      // The answer's date is the journey's, so that who asks can judge the estimates by it.
      const date = new Date(nowMs(first)).toUTCString();
      return page(events, first.envelope, path, query, date, options.pageEventsMax ?? PAGE_EVENTS);
    },
  };
}

const PARAMETERS = ["equipmentReference", "carrierBookingReference", "transportDocumentReference"] as const;

/** Asked by all of the references that the query names, and by one at least. */
function isAsked({ references }: Recording, query: URLSearchParams): boolean {
  const named = PARAMETERS.filter((parameter) => query.has(parameter));
  const known = (parameter: string): boolean =>
    references.some((one) => one.parameter === parameter && one.value === query.get(parameter));
  return named.length > 0 && named.every(known);
}

function page(
  events: readonly object[],
  envelope: string | null,
  path: string,
  query: URLSearchParams,
  date: string,
  pageEventsMax: number,
): ReplayAnswer {
  const limit = Math.min(positive(query.get("limit")) ?? pageEventsMax, pageEventsMax);
  const from = positive(query.get("cursor")) ?? 0;
  const shown = events.slice(from, from + limit);
  const next = new URLSearchParams(query);
  next.set("cursor", String(from + limit));
  const more = from + limit < events.length;
  return {
    status: 200,
    headers: {
      "content-type": "application/json",
      "api-version": "2.2.0",
      date,
      ...(more ? { "next-page": `${path}?${next.toString()}` } : {}),
    },
    body: JSON.stringify(envelope === null ? shown : { [envelope]: shown }),
  };
}

function positive(written: string | null): number | null {
  const number = Number(written);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

function problem(status: number, message: string): ReplayAnswer {
  return {
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ errors: [{ reason: "notFound", message }] }),
  };
}
