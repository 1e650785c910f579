/** Quantities: `T10K250.5MC1.2DG5`, `P4K100T10`. */
import type { AirEvent } from "../../timeline/air-event.ts";
import { CUBIC_METRES_OF, KILOGRAMS_OF, PARTS } from "../quantities.ts";

export type Quantity = Pick<
  AirEvent,
  "shipmentPart" | "pieces" | "weightKg" | "volumeM3" | "densityGroup" | "totalPieces"
>;

/** `error`: what was expected and where; null if all was read. */
export type ReadQuantity = {
  readonly quantity: Quantity;
  readonly error: { readonly index: number; readonly expected: string } | null;
};

const DIGITS_MAX = 12;

/** A code and a digit or, without the code, pieces and their weight. */
export function looksLikeQuantity(text: string): boolean {
  return /^(?:[TPSDM] ?\d|\d+ ?[KL]G?B? ?\d)/.test(text);
}

export function quantityIn(text: string): ReadQuantity {
  const isCoded = Object.hasOwn(PARTS, text.charAt(0));
  const uncoded = isCoded ? null : { index: 0, expected: "T, P, S, D or M before the pieces" };
  const pieces = wholeAt(text, isCoded ? 1 : 0);
  const quantity = {
    shipmentPart: PARTS[text.charAt(0)] ?? null,
    pieces: pieces?.value ?? null,
    weightKg: null as number | null,
    volumeM3: null as number | null,
    densityGroup: null as number | null,
    totalPieces: null as number | null,
  };
  let index = pieces?.end ?? 1;
  for (index = skipBlanks(text, index); index < text.length; index = skipBlanks(text, index)) {
    const part = partAt(text, index);
    if ("expected" in part) return { quantity, error: { index, expected: part.expected } };
    quantity[part.name] = part.value;
    index = part.end;
  }
  return { quantity, error: uncoded };
}

/** `MC1.2`, `DG5` or `MC1.2DG5`, alone in its field; else null. */
export function volumeOrDensityIn(text: string): Partial<Quantity> | null {
  const read: Record<string, number> = {};
  for (let index = 0; index < text.length;) {
    const part = partAt(text, index);
    if ("expected" in part || (part.name !== "volumeM3" && part.name !== "densityGroup")) return null;
    read[part.name] = part.value;
    index = part.end;
  }
  return text === "" ? null : read;
}

type Part = {
  readonly name: "weightKg" | "volumeM3" | "densityGroup" | "totalPieces";
  readonly value: number;
  readonly end: number;
};

function partAt(text: string, index: number): Part | { readonly expected: string } {
  const code = text.slice(index, index + 2);
  const cubicMetres = CUBIC_METRES_OF[code];
  if (cubicMetres !== undefined) return amountAt(text, index + 2, "volumeM3", cubicMetres);
  if (code === "DG") return countAt(text, index + 2, "densityGroup");
  const letter = text.charAt(index);
  const kilograms = KILOGRAMS_OF[letter];
  const weightIndex = code === "KG" || code === "LB" ? index + 2 : index + 1;
  if (kilograms !== undefined) return amountAt(text, weightIndex, "weightKg", kilograms);
  if (letter === "T") return countAt(text, index + 1, "totalPieces");
  return { expected: "a weight (K, L), a volume (MC, CC, CF, CI), DG or a total (T)" };
}

function amountAt(text: string, index: number, name: Part["name"], unit: number) {
  const amount = numberAt(text, index, name === "weightKg" ? "thousand" : "decimal");
  if (amount === null) return { expected: "a number after its code" };
  const value = amount.value * unit;
  // Grams, as ONE Record's weights: of converted pounds the rest is no measurement.
  return {
    name,
    value: name === "weightKg" ? Math.round(value * 1_000) / 1_000 : rounded(value),
    end: amount.end,
  };
}

function countAt(text: string, index: number, name: Part["name"]) {
  const count = wholeAt(text, index);
  return count === null ? { expected: "a whole number after its code" } : { name, ...count };
}

function wholeAt(text: string, index: number): FoundNumber | null {
  const found = numberAt(text, index, "thousand");
  return found !== null && Number.isInteger(found.value) ? found : null;
}

type FoundNumber = { readonly value: number; readonly end: number };

/** Some airlines write blanks between the parts. */
function skipBlanks(text: string, index: number): number {
  let past = index;
  while (text.charAt(past) === " ") past += 1;
  return past;
}

/**
 * `250.5`, `250,5`, `.5`, `250.`, or in groups of three digits: `1,250.5`, `1.250,5`. `1,250` alone is either: volumes
 * have three decimals, and weights and pieces have not.
 */
function numberAt(text: string, from: number, lone: "thousand" | "decimal"): FoundNumber | null {
  const index = skipBlanks(text, from);
  let end = index;
  while (end < text.length && end - index <= DIGITS_MAX && isOfNumber(text.charCodeAt(end))) end += 1;
  if (end - index > DIGITS_MAX) return null;
  const value = valueOf(text.slice(index, end), lone);
  return value === null ? null : { value, end };
}

/** A digit, a point or a comma. */
function isOfNumber(charCode: number): boolean {
  return (charCode >= 48 && charCode <= 57) || charCode === 46 || charCode === 44;
}

function valueOf(written: string, lone: "thousand" | "decimal"): number | null {
  if (/^\d+$/.test(written)) return Number(written);
  if (lone === "thousand" && /^[1-9]\d{0,2},\d{3}$/.test(written)) return Number(written.replace(",", ""));
  if (/^(?:\d+[.,]\d*|[.,]\d+)$/.test(written)) return Number(written.replace(",", "."));
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(written)) return Number(written.replaceAll(",", ""));
  if (!/^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/.test(written)) return null;
  return Number(written.replaceAll(".", "").replace(",", "."));
}

/** To a millionth, so that binary fractions do not show. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
