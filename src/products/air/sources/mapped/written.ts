/** Stations, counts and weights as APIs write them, with the words and units around them. */
import { KILOGRAMS_OF } from "../quantities.ts";

/** `FRA`, `Frankfurt (FRA)`, `FRA - Frankfurt`; null: none of these. */
export function stationIn(text: string): string | null {
  const code = text.toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return code;
  return /\(([A-Z]{3})\)$/.exec(code)?.[1] ?? /^([A-Z]{3}) ?[-–,(/]/.exec(code)?.[1] ?? null;
}

/** `12`, `12 PCS`; null: no whole number. */
export function countIn(text: string): number | null {
  const [, count] = /^(\d{1,9}) ?(?:P|PC|PCS|PIECES?)?$/i.exec(text) ?? [];
  return count === undefined ? null : Number(count);
}

/** `250.5`, `610K`, `250.5 KG`, `1,250.5 lbs`, in kilograms; `unit`: where none is written. Null: no weight. */
export function kilogramsIn(text: string, unit: "KGM" | "LBR"): number | null {
  const [, amount, written = ""] =
    /^(\d{1,3}(?:,\d{3})+(?:\.\d{0,9})?|\d{1,12}(?:\.\d{0,9})?) ?([A-Z]*)\.?$/i.exec(text) ?? [];
  const code = UNITS[written.toUpperCase()] ?? (written === "" ? unit : null);
  if (amount === undefined || code === null) return null;
  return Math.round(Number(amount.replaceAll(",", "")) * KILOGRAMS_OF[code]! * 1_000) / 1_000;
}

const UNITS: Readonly<Record<string, "KGM" | "LBR">> = {
  ...{ K: "KGM", KG: "KGM", KGS: "KGM", KGM: "KGM", KILOS: "KGM" },
  ...{ L: "LBR", LB: "LBR", LBS: "LBR", LBR: "LBR", POUNDS: "LBR" },
};
