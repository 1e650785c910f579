/** Every event ever reported of a waybill, with how it came to be known, in the order of receipt. */
import { FLIGHT_PLAN_CODES, timeOf, hasTime, isOfDay } from "../timeline/event-order.ts";
import type { AirEvent, Saying, WaybillStatement } from "../timeline/air-event.ts";
import { isDelivery, isOfPart, mergeSayings, saidMs } from "../timeline/parts.ts";
import { numberCopies } from "../timeline/timeline.ts";
import { codesOfPlace } from "../../../freight/places/stations.ts";
import { BELIEVED_AHEAD_MS_MAX } from "../../../freight/places/local-time.ts";

/** What a message says of the whole waybill. */
export type About = Pick<WaybillStatement, "origin" | "destination" | "pieces" | "weightKg">;

/** `about`: of a pushed message; an answer's facts are kept by its source. */
export type SaidEvent = AirEvent & { readonly about?: About };

/** Events kept of one waybill; one flown in ten parts over four airports has some two hundred. */
const EVENTS_MAX = 1_000;

/** What is said again was said the first time; an answer withdraws what its source no longer says. */
export function ingest(
  known: readonly SaidEvent[],
  statements: readonly WaybillStatement[],
): readonly SaidEvent[] {
  const byKey = new Map(known.map((event) => [keyOf(event), event]));
  for (const statement of statements) {
    const { answer } = statement;
    const events =
      answer === undefined ? eventsOfMessage(statement) : eventsOfAnswer(statement, answer, byKey);
    if (answer !== undefined) withdraw(byKey, answer, events);
    for (const event of events) {
      const before = takeBefore(byKey, event) ?? byKey.get(keyOf(event));
      const said = before === undefined ? event.said : mergeSayings(before.said ?? UNKNOWN, event.said);
      byKey.set(keyOf(event), { ...event, said });
    }
  }
  const sorted = [...byKey].toSorted(([a, first], [b, second]) => {
    const apart = saidMs(first) - saidMs(second);
    return apart === 0 ? (a < b ? -1 : 1) : apart;
  });
  return sorted.slice(-EVENTS_MAX).map(([, event]) => event);
}

/** Stored before records kept who said it, and when. */
const UNKNOWN: Saying = { ms: 0, messages: [], answers: [] };

/** The same event without its source, which goes once a source says it. */
function takeBefore(byKey: Map<string, SaidEvent>, event: SaidEvent): SaidEvent | undefined {
  const { about, ...anonymous } = event;
  const key = keyOf(about === undefined ? event : anonymous);
  const before = byKey.get(key);
  if (before === undefined || before.said !== undefined) return undefined;
  byKey.delete(key);
  return before;
}

type JustSaid = SaidEvent & { readonly said: Saying };

/** The first answer of a source tells history, and may tell when it was said: corrections stand beside what they correct. */
function eventsOfAnswer(
  { events, saidMs: ms = 0 }: WaybillStatement,
  answer: string,
  known: ReadonlyMap<string, SaidEvent>,
): readonly JustSaid[] {
  const isFirst = !known.values().some(({ said }) => said?.answers.includes(answer));
  const isPushed = known.values().some(({ said }) => said !== undefined && said.messages.length > 0);
  const deliveries = Map.groupBy(events.filter(isDelivery), ({ code, pieces }) => `${code} ${pieces}`);
  const besides = new Map(
    [...deliveries.values()].flatMap((alike) => {
      const before = alike.map((event) => known.get(keyOf(event))?.said?.beside);
      const beside = before.find((one) => one !== undefined) ?? `${answer} ${ms}`;
      return alike.length < 2 ? [] : alike.map((event) => [event, { beside }] as const);
    }),
  );
  return events.map((event) => {
    const firstMs = isFirst ? Math.min(event.said?.ms ?? ms, ms) : ms;
    const said = { ms: firstMs, messages: [], answers: [answer], ...besides.get(event) };
    return { ...event, said: isSaidAnew(event) ? { ...said, againMs: ms } : said };
  });

  /** Messages tell by themselves when a booking is back; an answer may be behind them. */
  function isSaidAnew(event: AirEvent): boolean {
    const before = known.get(keyOf(event))?.said?.answers ?? [];
    return event.code === "BKD" && !isFirst && !isPushed && !before.includes(answer);
  }
}

function eventsOfMessage(statement: WaybillStatement): readonly JustSaid[] {
  const { events, saidMs: ms = 0, message, origin, destination, pieces, weightKg } = statement;
  const plain = { ms, messages: message === undefined ? [] : [message], answers: [] };
  const about = { origin, destination, pieces, weightKg };
  const isUntimed = !events.some((event) => hasTime(event) && !isOfDay(event));
  return numberCopies(events).map((event) => {
    const said = event.code === "BKD" && ms > 0 ? { ...plain, againMs: ms } : plain;
    return { ...event, ...copyIn(event), about, said };
  });

  /** Nothing but the message tells deliveries alike without a time apart. */
  function copyIn(event: AirEvent): Pick<AirEvent, "copy"> {
    const isOwn = isUntimed && isDelivery(event) && isOfPart(event, pieces);
    return isOwn && message !== undefined ? { copy: `${event.copy ?? 0} of ${message}` } : {};
  }
}

const KEYS = new WeakMap<SaidEvent, string>();

/** All that it means; not when it was said, nor who said it. */
function keyOf(event: SaidEvent): string {
  return KEYS.getOrInsertComputed(event, ({ said: _, ...meant }) => JSON.stringify(meant));
}

/**
 * Only an answer that repeats some of the one before is known to tell the waybill's history, and only from its first
 * event on: some airlines answer with the last statuses. A booking goes with the next one.
 */
function withdraw(byKey: Map<string, SaidEvent>, source: string, events: readonly SaidEvent[]): void {
  const said = new Set(events.map(keyOf));
  const before = [...byKey].filter(([, event]) => event.said?.answers.includes(source));
  const repeats = before.some(([key]) => said.has(key));
  const fromMs = Math.min(...events.filter(hasTime).map(timeOf));
  const isGone = (event: SaidEvent): boolean =>
    (repeats && timeOf(event) >= fromMs) || events.some((other) => rebooks(other, event));
  for (const [key, event] of before) {
    if (said.has(key) || event.said === undefined) continue;
    const { messages } = event.said;
    const answers = event.said.answers.filter((other) => other !== source);
    const isSaid = messages.length > 0 || answers.length > 0;
    if (!isSaid && isGone(event)) byKey.delete(key);
    else byKey.set(key, { ...event, said: { ...event.said, answers } });
  }
}

/** Whether `a` books out of the same station what `b` does, or the whole: an answer has the present bookings. */
function rebooks(a: SaidEvent, b: SaidEvent): boolean {
  const isOfSame = !isOfPart(a, null) || a.pieces === b.pieces;
  const [from, other] = [a.from ?? a.station, b.from ?? b.station];
  const isFromOnePlace = from === other || (from !== null && codesOfPlace(from).includes(other ?? ""));
  return isOfSame && a.code === "BKD" && b.code === "BKD" && isFromOnePlace;
}

/** Whether it is dated too far after it was said to have happened; it counts when its time comes. */
export function isAhead(event: AirEvent, nowMs: number): boolean {
  if (event.planned === true || FLIGHT_PLAN_CODES.includes(event.code)) return false;
  const atMs = timeOf(event);
  return atMs > nowMs && atMs > (saidMs(event) || nowMs) + BELIEVED_AHEAD_MS_MAX;
}
