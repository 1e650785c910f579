/** Reads a request whose shape has been checked: what is left out is filled in, and what contradicts itself is refused. */
import { readSizeType } from "../../model/size-type.ts";
import { EDGES, type CargoLine, type ContainerChoice, type LoadRequest } from "./cargo.ts";
import { CONTAINER_TYPES, type ContainerType } from "./container-types.ts";
import type { CargoView, ContainerChoiceView } from "./request-view.ts";

/** A request as its schema lets it through. */
export type SentRequest = {
  readonly name?: string | null;
  readonly cargo: readonly SentCargo[];
  readonly containers?: readonly SentContainer[];
};

type OptionalCargoField = "id" | "stackable" | "upright" | "turnable";

export type SentCargo = Omit<CargoView, OptionalCargoField> & Partial<Pick<CargoView, OptionalCargoField>>;

export type SentContainer = Pick<ContainerChoiceView, "type"> & Partial<ContainerChoiceView>;

/** Pieces of one plan, all lines together. */
export const PIECES_MAX = 20_000;

/** What is offered where a request names no containers: as many of each as are needed. */
const DEFAULT_TYPES = ["20GP", "40GP", "40HC"];

export type ReadRequest =
  | { readonly kind: "request"; readonly request: LoadRequest }
  /** `message` names the place and says what to change. */
  | { readonly kind: "invalid"; readonly message: string };

export function readLoadRequest(sent: SentRequest): ReadRequest {
  const cargo = sent.cargo.map(cargoLine);
  const again = firstRepeated(cargo.map(({ id }) => id));
  if (again !== null) return invalid(`cargo[${again}].id ${duplicateIdError(sent.cargo, cargo[again]!.id)}`);
  const pieces = cargo.reduce((sum, { count }) => sum + count, 0);
  if (pieces > PIECES_MAX) {
    return invalid(
      `cargo has ${pieces} pieces, and a plan takes ${PIECES_MAX}; load some in a plan of their own`,
    );
  }
  const offered = sent.containers ?? DEFAULT_TYPES.map((type) => ({ type }));
  const containers: ContainerChoice[] = [];
  for (const [at, container] of offered.entries()) {
    const choice = containerChoice(container);
    if (typeof choice === "string") return invalid(`containers[${at}]${choice}`);
    containers.push(choice);
  }
  const twice = firstRepeated(containers.map(({ type }) => type.code));
  if (twice !== null)
    return invalid(`containers[${twice}].type must be another than those before; raise its count`);
  const priced = containers.filter(({ cost }) => cost !== null).length;
  if (priced > 0 && priced < containers.length) {
    return invalid("containers must all have a cost, or none");
  }
  return { kind: "request", request: { name: sent.name ?? null, cargo, containers } };
}

function invalid(problem: string): ReadRequest {
  return { kind: "invalid", message: `body.${problem}` };
}

/** A line that has no id has its number for one, which another may have been given. */
function duplicateIdError(sent: readonly SentCargo[], id: string): string {
  const must = "must be another than that of the lines before";
  const unnamed = sent.findIndex((line, index) => line.id === undefined && String(index + 1) === id);
  return unnamed === -1 ? must : `${must}; cargo[${unnamed}] has no id, which counts as its number, "${id}"`;
}

function cargoLine(sent: SentCargo, index: number): CargoLine {
  return {
    id: sent.id ?? String(index + 1),
    lengthMm: sent.length_mm,
    widthMm: sent.width_mm,
    heightMm: sent.height_mm,
    weightG: grams(sent.weight_kg, Math.ceil),
    count: sent.count,
    stackable: sent.stackable ?? true,
    upright: EDGES.filter((edge) => (sent.upright ?? ["height"]).includes(edge)),
    turnable: sent.turnable ?? true,
  };
}

/** Of a kilogram's thousandths that are no whole grams, weights take one more and payloads one less. */
function grams(kg: number, rounded: (grams: number) => number): number {
  const exact = kg * 1_000;
  const near = Math.round(exact);
  // What a double makes of three decimals is no more and no less than was said.
  return Math.abs(exact - near) < 1e-6 ? near : rounded(exact);
}

/** A text says what is wrong with it, and follows its place. */
function containerChoice(sent: SentContainer): ContainerChoice | string {
  const code = standardCode(sent.type) ?? sent.type;
  const usual = CONTAINER_TYPES.get(code);
  const lengthMm = sent.length_mm ?? usual?.lengthMm;
  const widthMm = sent.width_mm ?? usual?.widthMm;
  const heightMm = sent.height_mm ?? usual?.heightMm;
  const payloadG =
    sent.max_payload_kg === undefined ? usual?.payloadG : grams(sent.max_payload_kg, Math.floor);
  if (lengthMm === undefined || widthMm === undefined || heightMm === undefined || payloadG === undefined) {
    return missingMeasuresError(sent);
  }
  if ((sent.door_width_mm ?? 0) > widthMm) return doorError("width_mm", widthMm);
  if ((sent.door_height_mm ?? 0) > heightMm) return doorError("height_mm", heightMm);
  const doorWidthMm = sent.door_width_mm ?? Math.min(widthMm, usual?.doorWidthMm ?? widthMm);
  const doorHeightMm = sent.door_height_mm ?? Math.min(heightMm, usual?.doorHeightMm ?? heightMm);
  const tareG =
    sent.tare_kg === undefined || sent.tare_kg === null
      ? (usual?.tareG ?? null)
      : grams(sent.tare_kg, Math.ceil);
  const type: ContainerType = {
    code,
    lengthMm,
    widthMm,
    heightMm,
    doorWidthMm,
    doorHeightMm,
    payloadG,
    tareG,
  };
  return { type, count: sent.count ?? null, cost: sent.cost ?? null };
}

/** The usual type that is meant, also as `20gp` or `40HQ`; null: none. */
function standardCode(type: string): string | null {
  const group = readSizeType(type);
  const code = group === null ? "" : group.feet + group.kind;
  return CONTAINER_TYPES.has(code) ? code : null;
}

const MEASURES = ["length_mm", "width_mm", "height_mm", "max_payload_kg"] as const;

function missingMeasuresError(sent: SentContainer): string {
  const usual = [...CONTAINER_TYPES.keys()].join(", ");
  const lacking = MEASURES.filter((name) => sent[name] === undefined);
  return lacking.length === MEASURES.length
    ? `.type must be one of ${usual}, or one of your own with ${MEASURES.join(", ")}`
    : ` lacks ${lacking.join(", ")}: ${sent.type} is none of ${usual}, and one of your own has all its measures`;
}

function doorError(extent: "width_mm" | "height_mm", insideMm: number): string {
  return `.door_${extent} must be at most its ${extent}, ${insideMm}`;
}

/** Where a value comes that has come before. */
function firstRepeated(values: readonly string[]): number | null {
  const seen = new Set<string>();
  for (const [at, value] of values.entries()) {
    if (seen.has(value)) return at;
    seen.add(value);
  }
  return null;
}
