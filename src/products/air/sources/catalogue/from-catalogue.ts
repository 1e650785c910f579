/**
 * Entries of an airlines file that name an airline of the catalogue, or a provider that answers for it, written out:
 *
 *     {"airline": "LH", "apiKey": …}
 *     {"airline": "QR", "by": "CARGOAI", "rapidApiKey": …, "quota": …}
 *       └─ its name and prefixes  └─ whose API, where it is not its own
 */
import { filledFields, merged, type Filled } from "../../../../freight/source-catalogue/fill-entry.ts";
import { knownAirline, knownAirlines } from "../../../../freight/references/awb-prefixes.ts";
import type { JsonObject } from "../../../../model/json.ts";
import { entryOf, isProvider, type Catalogue, type CatalogueEntry } from "./catalogue.ts";

export function filledFrom({ airline, by, ...given }: JsonObject, catalogue: Catalogue): Filled {
  const code = typeof airline === "string" ? airline : "";
  const about = aboutOf(code, catalogue);
  if (about === null) {
    return {
      problems: [
        "airline must be an IATA code that `boathook airlines catalogue` or the table of prefixes has",
      ],
    };
  }
  const asked = askedOf(code, by, catalogue);
  if (typeof asked === "string") return { problems: [asked] };
  const fields = filledFields(asked, given);
  if ("problems" in fields) return fields;
  const ofAirline = pick(fields.overrides, (name) => OF_AIRLINE.includes(name));
  const ofSource = pick(fields.overrides, (name) => !OF_AIRLINE.includes(name) && name !== "sources");
  const lacking = Object.entries(asked.missing ?? {}).flatMap(([name, why]) =>
    ofSource[name] === undefined ? [`${name} has to be added: ${why}`] : [],
  );
  if (lacking.length > 0) return { problems: lacking };
  const { sources = [] } = given;
  const source = merged(fields.filled, ofSource);
  const all = Array.isArray(sources) ? [source, ...sources] : sources;
  return { entries: [{ ...about, ...ofAirline, sources: all }] };
}

/** All else overrides a field of the source. */
const OF_AIRLINE: readonly string[] = ["name", "iata", "prefixes", "requestsMax", "asOf"];

function pick(from: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([name]) => isWanted(name)));
}

type About = { readonly name: string; readonly iata: string; readonly prefixes: readonly string[] };

/** Its prefixes by its own entry, else by the table of prefixes, which has its name. */
function aboutOf(iata: string, catalogue: Catalogue): About | null {
  const own = catalogue.find((entry) => entry.code === iata);
  const rows = [...knownAirlines().values()].filter((row) => row.iata === iata);
  const [first, ...more] = own?.prefixes ?? rows.map(({ prefix }) => prefix);
  if (first === undefined) return null;
  return { name: knownAirline(first)?.name ?? own!.name, iata, prefixes: [first, ...more] };
}

/** A text: why none can be asked. */
function askedOf(code: string, by: unknown, catalogue: Catalogue): CatalogueEntry | string {
  const providers = catalogue.filter((entry) => isProvider(entry) && entry.unsupported === undefined);
  const names = providers.map((entry) => entry.code).join(", ");
  const instead = `name a provider in \`by\`, one of ${names}, or describe its API without \`airline\`, as docs/airlines.md shows`;
  if (by !== undefined) {
    return providers.find((entry) => entry.code === by) ?? `by must be one of ${names}`;
  }
  const own = entryOf(catalogue, code);
  if (own === null) return `airline has no API in the catalogue: ${instead}`;
  if (own.unsupported !== undefined) {
    return `airline cannot be polled: ${own.unsupported}; ${instead}`;
  }
  return own;
}
