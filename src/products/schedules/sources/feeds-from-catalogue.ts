/**
 * Entries of a schedules file that name a carrier of the catalogue, written out in full, one feed for each question that
 * the carrier takes at an address of its own (freight/source-catalogue/):
 *
 *     {"carrier": "MAEU", "apiKey": …, "ports": ["NLRTM"], "pairs": [{"from": "CNSHA", "to": "NLRTM"}]}
 *       └─▶ maeu-vessel-schedules, by ports
 *       └─▶ maeu-point-to-point, by pairs
 *
 * An entry with a `kind` is a feed of the user's own.
 */
import type { JsonObject } from "../../../model/json.ts";
import {
  entryOf,
  type Catalogue,
  type CatalogueSchedules,
} from "../../../freight/source-catalogue/carriers.ts";
import { filledEntry, type Filled } from "../../../freight/source-catalogue/fill-entry.ts";

export const SELECTORS = ["services", "vessels", "ports", "pairs"] as const;
export type Selector = (typeof SELECTORS)[number];

export function feedsFrom({ carrier, name: prefix, ...given }: JsonObject, catalogue: Catalogue): Filled {
  const known = typeof carrier === "string" ? entryOf(catalogue, carrier) : null;
  const schedules = known?.schedules;
  if (known === null || schedules === undefined || typeof carrier !== "string") {
    return { problems: [UNKNOWN_CARRIER] };
  }
  if (schedules.unsupported !== undefined) {
    return { problems: [`carrier cannot be polled: ${schedules.unsupported}`] };
  }
  const chosen = chosenFeeds(schedules, given);
  if ("problems" in chosen) return chosen;
  const tooLong = periodProblems(known.name, chosen.feeds, given["daysAhead"]);
  if (tooLong.length > 0) return { problems: tooLong };
  const called = typeof prefix === "string" ? prefix : carrier.toLowerCase();
  const feeds: JsonObject[] = [];
  for (const { kind, entry, by } of chosen.feeds) {
    const name = `${called}-${kind.replace(/^[a-z]+-/, "")}`;
    const others = new Set<string>(SELECTORS.filter((selector) => !by.includes(selector)));
    const own = Object.fromEntries(Object.entries(given).filter(([field]) => !others.has(field)));
    const signsIn = { name: known.name, signIn: schedules.signIn };
    const filled = filledEntry(signsIn, { name, carrier, kind, ...entry }, own);
    if ("problems" in filled) return filled;
    feeds.push(...filled.entries);
  }
  return { entries: feeds };
}

const UNKNOWN_CARRIER =
  "carrier must be a SCAC that `boathook schedules catalogue` lists; a feed of your own needs kind and url";

/** The carrier would refuse each question of a feed that asks for more. */
function periodProblems(name: string, feeds: readonly Chosen[], daysAhead: unknown): readonly string[] {
  return feeds.flatMap(({ kind, daysAheadMax: most }) =>
    most === undefined || typeof daysAhead !== "number" || daysAhead <= most.value
      ? []
      : [
          `daysAhead must be at most ${most.value} for ${kind} of ${name} (${most.source}); a feed of your own, with kind and url, may ask for more`,
        ],
  );
}

type Chosen = CatalogueSchedules["feeds"][number];

/** The feeds that take what the entry asks by, each with its own questions. */
function chosenFeeds(
  { feeds }: CatalogueSchedules,
  given: JsonObject,
): { readonly feeds: readonly Chosen[] } | { readonly problems: readonly string[] } {
  const possible = SELECTORS.filter((selector) => feeds.some(({ by }) => by.includes(selector)));
  const wanted = SELECTORS.filter((selector) => given[selector] !== undefined);
  const impossible = wanted.find((selector) => !possible.includes(selector));
  if (impossible !== undefined) {
    return { problems: [`${impossible} cannot be asked for: the carrier takes ${possible.join(", ")}`] };
  }
  if (wanted.length === 0)
    return { problems: [`${possible.join(", ")}: one of them must say what to ask for`] };
  const byFeed = Map.groupBy(wanted, (selector: Selector) => feeds.find(({ by }) => by.includes(selector))!);
  return { feeds: [...byFeed].map(([feed, by]) => ({ ...feed, by })) };
}
