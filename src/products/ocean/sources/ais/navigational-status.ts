/** The navigational status of ITU-R M.1371 and the IMO number, as feeds write them. */

/** Table 45 in common English spellings, lower case, with single spaces. */
const TEXTS: Readonly<Record<string, number>> = {
  "under way using engine": 0,
  "underway using engine": 0,
  "under way": 0,
  underway: 0,
  "at anchor": 1,
  anchored: 1,
  "not under command": 2,
  "restricted manoeuvrability": 3,
  "restricted manoeuverability": 3,
  "restricted maneuverability": 3,
  "constrained by her draught": 4,
  "constrained by her draft": 4,
  "constrained by draught": 4,
  "constrained by draft": 4,
  moored: 5,
  aground: 6,
  "engaged in fishing": 7,
  fishing: 7,
  "under way sailing": 8,
  "underway sailing": 8,
  sailing: 8,
  "not defined": 15,
  undefined: 15,
  unknown: 15,
};

const STATUS_MAX = 15;
const TEXT_LENGTH_MAX = 100;

/** 0 to 15, from the number, its digits or its text. */
export function readNavigationalStatus(sent: unknown): number | null {
  if (typeof sent === "string") {
    if (sent.length > TEXT_LENGTH_MAX) return null;
    if (/^\d{1,2}$/.test(sent.trim())) return readNavigationalStatus(Number(sent));
    const text = sent
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, " ")
      .trim();
    return Object.hasOwn(TEXTS, text) ? (TEXTS[text] ?? null) : null;
  }
  return Number.isInteger(sent) && Number(sent) >= 0 && Number(sent) <= STATUS_MAX ? Number(sent) : null;
}

/** Seven digits. The check digit is not checked: vessels send what was typed in on board, and carriers copy it. */
export function readImo(sent: unknown): string | null {
  const text = typeof sent === "number" ? String(sent) : sent;
  return typeof text === "string" ? (/^(?:IMO[ -]?)?(\d{7})$/i.exec(text.trim())?.[1] ?? null) : null;
}

export type VesselMovement = "anchored" | "moored" | "under_way" | "other";

export function movementOf(status: number): VesselMovement {
  if (status === 1) return "anchored";
  if (status === 5) return "moored";
  return status === 0 || status === 8 ? "under_way" : "other";
}
