/**
 * The plan that stands beside an actual statement of the same meaning: a vessel has left without the box, or the box
 * was loaded and taken off again, and it is to sail later; or it was discharged elsewhere after its vessel had called
 * here, and is to come back. In a timeline an actual event else replaces its plans.
 */
import { placeKey, type CarrierEvent } from "../sources/carrier-event.ts";
import {
  IN_PORT_MS_MAX,
  OTHER_SAILING_MS_MIN,
  isNotOtherVessel,
  isSameVessel,
  isVesselCall,
} from "./calls.ts";
import { isOtherVoyage } from "./vessel-names.ts";

/** `bestPlan` is the plan of these `statements` of one meaning that counts; `all` are those of the box. */
export function nextCall(
  statements: readonly CarrierEvent[],
  all: readonly CarrierEvent[],
  bestPlan: (plans: readonly CarrierEvent[]) => CarrierEvent,
): readonly CarrierEvent[] {
  const [first] = statements;
  if (first === undefined || !isVesselCall(first, "LOAD", "DEPA", "ARRI")) return [];
  const made = statements.filter(({ classifier }) => classifier === "actual");
  // Early events are stated as made, and plan nothing.
  const plans = statements.filter(({ classifier, early }) => classifier !== "actual" && early !== true);
  if (made.length === 0 || plans.length === 0) return [];
  const lastMs = Math.max(...made.map(({ at }) => at.ms));
  const last = lastMove(all);
  const moved = last !== null && placeKey(last.place) === placeKey(first.place) ? last : null;
  if (first.code === "ARRI") {
    const awayMs = moved === null ? awayFromMs(first, lastMs, all) : null;
    const back = plans.filter(({ at }) => awayMs !== null && at.ms > awayMs);
    return back.length === 0 ? [] : [bestPlan(back)];
  }
  if (first.code === "LOAD") {
    // Taken off again, or discharged here.
    if (moved?.code !== "DISC" || moved.at.ms <= lastMs) return [];
    const later = plans.filter(({ at }) => at.ms >= moved.at.ms);
    return later.length === 0 ? [] : [bestPlan(later)];
  }
  const sailsLater = (plan: CarrierEvent): boolean =>
    plan.at.ms > lastMs && made.every((departure) => isOnOther(plan, departure) || isLater(plan, departure));
  if (moved === null) {
    const best = bestPlan(plans);
    const isFar =
      made.every((one) => !isNotOtherVessel(best, one)) || best.at.ms - lastMs >= OTHER_SAILING_MS_MIN;
    return sailsLater(best) && isFar && !hasBeenElsewhere(first, lastMs, all) ? [best] : [];
  }
  const onOther = moved.code === "DISC" || made.every((departure) => isOnOther(moved, departure));
  // Of a carrier that gives dates only, the loading and the departure are of one instant.
  const later = plans.filter((plan) => sailsLater(plan) && plan.at.ms >= moved.at.ms);
  return onOther && later.length > 0 ? [bestPlan(later)] : [];
}

/** The last loading or discharge of the box. */
function lastMove(all: readonly CarrierEvent[]): CarrierEvent | null {
  return all
    .filter(isMove)
    .reduce<CarrierEvent | null>(
      (latest, event) => (latest === null || event.at.ms >= latest.at.ms ? event : latest),
      null,
    );
}

/** When the box was first loaded or discharged elsewhere since its vessel called at the place; null: it was not. */
function awayFromMs({ place }: CarrierEvent, sinceMs: number, all: readonly CarrierEvent[]): number | null {
  const moves = all.filter(
    (event) => isMove(event) && event.at.ms > sinceMs && placeKey(event.place) !== placeKey(place),
  );
  return moves.length === 0 ? null : Math.min(...moves.map(({ at }) => at.ms));
}

function isMove(event: CarrierEvent): boolean {
  return event.classifier === "actual" && isVesselCall(event, "LOAD", "DISC");
}

function hasBeenElsewhere({ place }: CarrierEvent, sinceMs: number, all: readonly CarrierEvent[]): boolean {
  return all.some(
    (event) =>
      event.classifier === "actual" &&
      event.at.ms > sinceMs &&
      isVesselCall(event, "LOAD", "DISC", "ARRI", "DEPA") &&
      placeKey(event.place) !== placeKey(place),
  );
}

/** On another vessel, or on another voyage of the same. */
function isOnOther(a: CarrierEvent, b: CarrierEvent): boolean {
  if (a.vessel === null || b.vessel === null) return false;
  if (!isSameVessel(a.vessel, b.vessel)) return true;
  return isOtherVoyage(a.voyage, b.voyage) || Math.abs(a.at.ms - b.at.ms) > IN_PORT_MS_MAX;
}

/** Of a vessel that only one of them names, on another voyage. */
function isLater(plan: CarrierEvent, departure: CarrierEvent): boolean {
  const isNamed = plan.vessel !== null && departure.vessel !== null;
  if (isNamed || plan.at.ms - departure.at.ms < OTHER_SAILING_MS_MIN) return false;
  return isOtherVoyage(plan.voyage, departure.voyage);
}
