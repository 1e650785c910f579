/** DTM: the time that a value of DE 2380 shows in a format of DE 2379, as text; an offset only where it has one. */

/** How each format begins, after its century. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  "201": /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})()()$/,
  "203": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})()()$/,
  "204": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})()$/,
  "205": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})()([+-]\d{4})$/,
  "303": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})()([A-Z]{1,3})$/,
  "304": /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})([A-Z]{1,3})$/,
};

const UTC = new Set(["UTC", "GMT", "Z"]);

export type ReadDateTime =
  /** `2026-11-01T08:00:00`, with `Z` or an offset where the format has one. */
  { readonly kind: "time"; readonly text: string } | { readonly kind: "refused"; readonly message: string };

/** Without a format, by its length. */
export function readDtm(value: string, format: string): ReadDateTime {
  const known = format === "" ? (value.length === 14 ? "204" : "203") : format;
  if (known === "101" || known === "102")
    return refused(`DTM ${value} has a day and no hour: ask your provider for format 203`);
  const match = Object.hasOwn(FORMATS, known) ? FORMATS[known]!.exec(value) : null;
  if (match === null) return refused(`DTM ${value.slice(0, 40)} is no time in format ${known.slice(0, 5)}`);
  const [, year = "", month, day, hour, minute, second, zone = ""] = match;
  const local = `${year.length === 2 ? `20${year}` : year}-${month}-${day}T${hour}:${minute}:${second || "00"}`;
  if (zone === "") return { kind: "time", text: local };
  if (UTC.has(zone)) return { kind: "time", text: `${local}Z` };
  if (!/^[+-]/.test(zone)) return refused(`DTM ${value} names the zone ${zone}; UTC, GMT and Z are known`);
  return { kind: "time", text: `${local}${zone.slice(0, 3)}:${zone.slice(3)}` };
}

function refused(message: string): ReadDateTime {
  return { kind: "refused", message };
}
