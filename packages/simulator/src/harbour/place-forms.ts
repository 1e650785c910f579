/** A port that is planned under its code, and reported under another code of its harbour, its name or its terminal. */
import { PLACES, type PlaceCode } from "../world/places.ts";
import { seededRandom } from "../world/seeded-random.ts";
import type { Fact, PlaceForm } from "./fact.ts";
import type { Journey } from "./journey.ts";
import type { Line } from "./lines.ts";

/** UN/LOCODEs of terminals and neighbours. */
const NEIGHBOURS: Readonly<Partial<Record<PlaceCode, string>>> = {
  GBFXT: "GBHRW",
  USLAX: "USLGB",
  USNYC: "USEWR",
};

/** What happened at the last port, written in another form. */
export function inOtherForm(
  seed: number,
  first: number,
  line: Line,
  { ashore, inland, legs }: Journey,
  facts: readonly Fact[],
): readonly Fact[] {
  const draws = seededRandom(seed, "forms", first);
  if (ashore === null || !draws.chance(line.reporting.otherFormShare)) return facts;
  const { port } = ashore;
  const form = draws.pick(formsOf(line, port, inland !== null));
  const last = legs.findLast(({ sailed }) => sailed !== null);
  // A ship that carried the box past the port had called there before.
  const isLast = ({ leg }: Fact): boolean => leg === null || leg === last?.key;
  return facts.map((fact) =>
    fact.place === port && fact.trip === 0 && fact.classifier === "actual" && isLast(fact)
      ? { ...fact, form }
      : fact,
  );
}

/** Free days are counted by the calendar of the port where the journey ends, which a name alone does not tell. */
function formsOf(line: Line, port: PlaceCode, goesInland: boolean): readonly PlaceForm[] {
  const writesNames = line.version === "3.0" || line.placeOn !== "call";
  const neighbour: readonly PlaceForm[] = port in NEIGHBOURS ? ["neighbour"] : ["code"];
  return goesInland ? [...neighbour, writesNames ? "name" : "terminal"] : neighbour;
}

/** The UN/LOCODE that stands in the answer; null: none does. */
export function codeWritten({ place, form }: Pick<Fact, "place" | "form">): string | null {
  if (place === null || form === "name" || form === "terminal") return null;
  return form === "neighbour" ? (NEIGHBOURS[place] ?? null) : PLACES[place].unlocode;
}
