/** What holds for the events of every shipment of the simulated harbour, whatever its truth says. */
import type { Fact } from "../../packages/simulator/src/harbour/fact.ts";
import type { Life } from "../../packages/simulator/src/harbour/harbour.ts";
import type { TrueEvent } from "../../packages/simulator/src/harbour/true-event.ts";
import { answeredAsOfMs } from "../../packages/simulator/src/harbour/two-caches.ts";

/** A line for each event that breaks one. */
export function brokenBy(events: readonly TrueEvent[], life: Life): readonly string[] {
  return events.flatMap((event) => [
    ...(changesNothing(event) ? [`changes nothing: ${lineOf(event)}`] : []),
    ...(isMoneyOnTheWay(event, life) ? [`where the box is loaded again: ${lineOf(event)}`] : []),
  ]);
}

function lineOf({ atMs, equipment, type, about }: TrueEvent): string {
  return `${new Date(atMs).toISOString().slice(0, 16)} ${equipment} ${type} ${about}`;
}

/** Spec 3.3: an event of a change of status names two; the demurrage pair is of time alone. */
function changesNothing({ type, about }: TrueEvent): boolean {
  const [, previous, next] = /(\w+)>(\w+)$/.exec(about) ?? [];
  return previous !== undefined && previous === next && !type.startsWith("demurrage_");
}

const MONEY: ReadonlySet<string> = new Set(["container_available", "demurrage_warning", "demurrage_started"]);

/**
 * Spec 6.3: nobody pays, or can fetch a box, where it only changes ships. So none of these is raised at a port from which
 * the box is shipped on by the end of the trip, unless the line had announced that port as the last by then.
 */
function isMoneyOnTheWay({ type, equipment, atMs }: TrueEvent, life: Life): boolean {
  if (!MONEY.has(type)) return false;
  const heardMs = heardAsOfMs(life, atMs);
  const index = life.boxes.find((box) => box.equipment === equipment)?.index ?? null;
  const own = life.facts.filter(({ trip, box }) => trip === 0 && (box === null || box === index));
  const landed = own
    .filter((fact) => isActual(fact, "discharge") && fact.fromMs <= heardMs)
    .toSorted((a, b) => a.order - b.order)
    .at(-1);
  if (landed === undefined) return false;
  const goesOn = own.some(
    (fact) => isActual(fact, "load") && fact.place === landed.place && fact.order > landed.order,
  );
  return goesOn && announcedLast(own, heardMs) !== landed.place;
}

/** The moment that the line's last answer is of. */
function heardAsOfMs({ outages, older }: Life, atMs: number): number {
  const spell = outages.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
  return answeredAsOfMs(older, spell === undefined ? atMs : spell.fromMs - 1);
}

/** The end of the last plan that was stated. */
function announcedLast(facts: readonly Fact[], heardMs: number): Fact["place"] {
  const plans = facts.filter(
    ({ step, classifier, fromMs }) =>
      (step === "arrival" || step === "discharge") && classifier !== "actual" && fromMs <= heardMs,
  );
  const heldMs = ({ untilMs, staleFromMs }: Fact): number => Math.min(untilMs, staleFromMs, heardMs + 1);
  const lastMs = Math.max(...plans.map(heldMs));
  const held = plans.filter((plan) => heldMs(plan) === lastMs).toSorted((a, b) => a.order - b.order);
  return held.at(-1)?.place ?? null;
}

function isActual({ step, classifier }: Fact, wanted: Fact["step"]): boolean {
  return step === wanted && classifier === "actual";
}
