/** A plan in the making: what the form holds, the request that it becomes, and the field that a refusal names. */
import type { CargoSent, Routes } from "./answers.ts";

export const TYPES = ["20GP", "40GP", "40HC", "45HC", "20RF", "40RF"] as const;
export type Type = (typeof TYPES)[number];
const USUAL: readonly Type[] = ["20GP", "40GP", "40HC"];

/** Numbers are as the reader types them; an empty one that may be missing is not sent. */
export type Line = {
  readonly key: number;
  readonly id: string;
  /** A cylinder has a diameter instead of a length and a width. */
  readonly shape: Shape;
  readonly diameter_mm: string;
  readonly length_mm: string;
  readonly width_mm: string;
  readonly height_mm: string;
  readonly weight_kg: string;
  readonly count: string;
  readonly max_load_kg: string;
  readonly layers_max: string;
  readonly stop: string;
  readonly stackable: boolean;
  /** A box on any side, a cylinder on its round one. */
  readonly mayTip: boolean;
};

export type Shape = "box" | "cylinder";

export type Draft = {
  readonly name: string;
  readonly types: readonly Type[];
  /** The most on a metre of each type, in kilograms. */
  readonly lineLoads: Readonly<Partial<Record<Type, string>>>;
  /** Without it, the centre of gravity may be anywhere. */
  readonly isCentred: boolean;
  /** In per cent. */
  readonly offCentre: { readonly length: string; readonly width: string };
  readonly lines: readonly Line[];
};

export function emptyLine(key: number): Line {
  const shape = { shape: "box" as const, diameter_mm: "" };
  const measures = { ...shape, length_mm: "", width_mm: "", height_mm: "", weight_kg: "", count: "1" };
  const limits = { max_load_kg: "", layers_max: "", stop: "" };
  return { key, id: "", ...measures, ...limits, stackable: true, mayTip: false };
}

export function emptyDraft(): Draft {
  const offCentre = { length: "", width: "" };
  return { name: "", types: USUAL, lineLoads: {}, isCentred: true, offCentre, lines: [emptyLine(0)] };
}

/** In the order of the request, which a refusal counts by. */
export function chosenTypes({ types }: Pick<Draft, "types">): readonly Type[] {
  return TYPES.filter((type) => types.includes(type));
}

export function bodyOf(draft: Draft): Routes["POST /v1/plans"]["body"] {
  const { name, lineLoads, isCentred, offCentre, lines } = draft;
  return {
    ...(name.trim() === "" ? {} : { name: name.trim() }),
    cargo: lines.map(cargoOf),
    containers: chosenTypes(draft).map((type) => ({
      type,
      ...given(lineLoads[type], (max_line_load_kg_m) => ({ max_line_load_kg_m })),
    })),
    max_off_centre: isCentred
      ? {
          ...given(offCentre.length, (percent) => ({ length: percent / 100 })),
          ...given(offCentre.width, (percent) => ({ width: percent / 100 })),
        }
      : null,
  };
}

function cargoOf(line: Line): CargoSent {
  return {
    ...(line.id === "" ? {} : { id: line.id }),
    ...measuresOf(line),
    height_mm: Number(line.height_mm),
    weight_kg: Number(line.weight_kg),
    count: Number(line.count),
    ...given(line.max_load_kg, (max_load_kg) => ({ max_load_kg })),
    ...given(line.layers_max, (layers_max) => ({ layers_max })),
    ...given(line.stop, (stop) => ({ stop })),
    stackable: line.stackable,
  };
}

function measuresOf({ shape, mayTip, ...line }: Line) {
  if (shape === "cylinder") return { shape, diameter_mm: Number(line.diameter_mm), lying: mayTip };
  const upright: CargoSent["upright"] = mayTip ? ["length", "width", "height"] : ["height"];
  return { length_mm: Number(line.length_mm), width_mm: Number(line.width_mm), upright };
}

function given<T extends object>(typed: string | undefined, of: (value: number) => T): T | {} {
  return typed === undefined || typed.trim() === "" ? {} : of(Number(typed));
}

export type Refusal = {
  /** As the service names it: `cargo[1].id`. Null: no field of the form has it. */
  readonly field: string | null;
  readonly message: string;
};

const OF_A_FIELD = /^body\.((?:cargo|containers)\[\d+\]\.\w+|max_off_centre\.\w+|name) (.+)$/is;

/** The fields that the form has: a refusal may name others. */
const FIELDS =
  /^(?:name|max_off_centre\.(?:length|width)|containers\[\d+\]\.max_line_load_kg_m|cargo\[\d+\]\.(?:id|diameter_mm|length_mm|width_mm|height_mm|weight_kg|count|max_load_kg|layers_max|stop))$/;

/** Where the form shows what the service says. */
export function refusalOf(message: string): Refusal {
  const [, field = "", problem = ""] = OF_A_FIELD.exec(message) ?? [];
  if (!FIELDS.test(field)) return { field: null, message };
  return { field, message: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}` };
}
