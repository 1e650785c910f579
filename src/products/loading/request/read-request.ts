/** A request that its schema has checked → whole millimetres and grams, with all defaults; contradictions are refused. */
import { createRepeatedCheck } from "../../../model/repeated.ts";
import { readSizeType } from "../../../model/size-type.ts";
import {
  type CargoLine,
  type ContainerChoice,
  type Edge,
  EDGES,
  type LoadRequest,
  type OffCentre,
  type Vehicle,
} from "./cargo.ts";
import { grams } from "./measures.ts";
import { type Pallet, palletOf } from "./pallet-types.ts";
import { CONTAINER_TYPES, type ContainerType, OPEN_PARTS, type OpenPart } from "./container-types.ts";
import {
  OFF_CENTRE_DEFAULT,
  PIECES_MAX,
  type SentCargo,
  type SentContainer,
  type SentRequest,
} from "./request-schema.ts";

/** Offered, as many as are needed, if a request names no containers. */
const DEFAULT_TYPES = ["20GP", "40GP", "40HC"];

export type ReadRequest =
  | { readonly kind: "request"; readonly request: LoadRequest }
  /** `message` names the field and says what to change. */
  | { readonly kind: "invalid"; readonly message: string };

export function readLoadRequest(sent: SentRequest): ReadRequest {
  const cargo: CargoLine[] = [];
  for (const [at, line] of sent.cargo.entries()) {
    const shaped = shapeOf(line);
    if (typeof shaped === "string") return invalid(`cargo[${at}]${shaped}`);
    cargo.push(cargoLine(line, at, shaped));
  }
  const again = firstRepeated(cargo.map(({ id }) => id));
  if (again !== null) return invalid(`cargo[${again}].id ${duplicateIdError(sent.cargo, cargo[again]!.id)}`);
  const pieces = cargo.reduce((sum, { count }) => sum + count, 0);
  if (pieces > PIECES_MAX) {
    return invalid(`cargo has ${pieces} pieces, and a plan takes ${PIECES_MAX}; load some in another plan`);
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
    return invalid(`containers[${twice}].type repeats a type above; raise its count instead`);
  const priced = containers.filter(({ cost }) => cost !== null).length;
  if (priced > 0 && priced < containers.length) {
    return invalid("containers must all have a cost, or none may");
  }
  const { name = null, max_off_centre: offCentre } = sent;
  const vehicle = vehicleOf(sent.vehicle ?? null);
  if (typeof vehicle === "string") return invalid(`vehicle.${vehicle}`);
  const pallet = palletFor(sent, cargo);
  if (typeof pallet === "string") return invalid(pallet);
  const limits = { offCentreMax: offCentreMax(offCentre), vehicle };
  return { kind: "request", request: { name, cargo, containers, pallet, ...limits } };
}

/** Null: nothing is palletised. A text is the validation error. */
function palletFor({ pallet }: SentRequest, cargo: readonly CargoLine[]): Pallet | string | null {
  const at = cargo.findIndex(({ palletised }) => palletised);
  if (at === -1) {
    const unused =
      "pallet is of no use, since no line of cargo is palletised; mark its lines, or leave it out";
    return (pallet ?? null) === null ? null : unused;
  }
  if ((pallet ?? null) === null) {
    return `cargo[${at}].palletised needs a pallet; give the request one, such as {"type":"EUR"}, or leave palletised out`;
  }
  const read = palletOf(pallet!);
  return typeof read === "string" ? `pallet${read}` : read;
}

function offCentreMax(sent: SentRequest["max_off_centre"]): OffCentre | null {
  if (sent === null) return null;
  return { length: sent?.length ?? OFF_CENTRE_DEFAULT, width: sent?.width ?? OFF_CENTRE_DEFAULT };
}

/** A text is the validation error. */
function vehicleOf(sent: (SentRequest["vehicle"] & {}) | null): Vehicle | string | null {
  if (sent === null) return null;
  const kingpinMm = sent.kingpin_mm ?? null;
  const axleGroups = sent.axle_groups.map((group) => ({
    name: group.name,
    positionMm: group.position_mm,
    tareG: grams(group.tare_kg, Math.ceil),
    maxG: grams(group.max_kg, Math.floor),
  }));
  const needed = kingpinMm === null ? 2 : 3;
  if (axleGroups.length !== needed)
    return `axle_groups must be ${needed}: two of a lorry, or with a kingpin_mm two of the tractor and one of the trailer`;
  const again = firstRepeated(axleGroups.map(({ name }) => name));
  if (again !== null) return `axle_groups[${again}].name must differ from the names above`;
  const at = axleGroups.findIndex(
    (one, index) => index > 0 && one.positionMm <= axleGroups[index - 1]!.positionMm,
  );
  if (at !== -1) return `axle_groups[${at}].position_mm must be behind the group above`;
  if (kingpinMm !== null && kingpinMm >= axleGroups.at(-1)!.positionMm)
    return "kingpin_mm must be before the trailer's axle group, the last";
  return { kingpinMm, axleGroups };
}

function invalid(problem: string): ReadRequest {
  return { kind: "invalid", message: `body.${problem}` };
}

/** The default id of one line, its number, may be the id that another line was given. */
function duplicateIdError(sent: readonly SentCargo[], id: string): string {
  const must = "must differ from the ids above";
  const unnamed = sent.findIndex((line, index) => line.id === undefined && String(index + 1) === id);
  return unnamed === -1 ? must : `${must}; cargo[${unnamed}] has no id, so its number "${id}" is its id`;
}

function cargoLine(sent: SentCargo, index: number, shaped: Shaped): CargoLine {
  return {
    id: sent.id ?? String(index + 1),
    ...shaped,
    weightG: grams(sent.weight_kg, Math.ceil),
    count: sent.count,
    stackable: sent.stackable ?? true,
    maxLoadG: typeof sent.max_load_kg === "number" ? grams(sent.max_load_kg, Math.floor) : null,
    layersMax: sent.layers_max ?? null,
    stop: sent.stop ?? 1,
    turnable: sent.turnable ?? true,
    palletised: sent.palletised ?? false,
  };
}

/** A text is the validation error, without the field before it. */
function containerChoice(sent: SentContainer): ContainerChoice | string {
  const code = standardCode(sent.type) ?? sent.type;
  const standard = CONTAINER_TYPES.get(code);
  const lengthMm = sent.length_mm ?? standard?.lengthMm;
  const widthMm = sent.width_mm ?? standard?.widthMm;
  const heightMm = sent.height_mm ?? standard?.heightMm;
  const payloadG =
    sent.max_payload_kg === undefined ? standard?.payloadG : grams(sent.max_payload_kg, Math.floor);
  if (lengthMm === undefined || widthMm === undefined || heightMm === undefined || payloadG === undefined) {
    return missingMeasuresError(sent);
  }
  const open = OPEN_PARTS.filter((part) => (sent.open ?? standard?.open ?? []).includes(part));
  const { max_over_height_mm: overHeightMaxMm = null, max_over_width_mm: overWidthMaxMm = null } = sent;
  if (overHeightMaxMm !== null && !open.includes("roof")) return closedError("max_over_height_mm", "roof");
  if (overWidthMaxMm !== null && !open.includes("sides")) return closedError("max_over_width_mm", "sides");
  if ((sent.door_width_mm ?? 0) > widthMm) return doorError("width_mm", widthMm);
  if ((sent.door_height_mm ?? 0) > heightMm) return doorError("height_mm", heightMm);
  const doorWidthMm = sent.door_width_mm ?? Math.min(widthMm, standard?.doorWidthMm ?? widthMm);
  const doorHeightMm = sent.door_height_mm ?? Math.min(heightMm, standard?.doorHeightMm ?? heightMm);
  const tareG = typeof sent.tare_kg === "number" ? grams(sent.tare_kg, Math.ceil) : (standard?.tareG ?? null);
  const line = sent.max_line_load_kg_m === undefined ? (standard?.lineLoadG ?? null) : null;
  const lineLoadG =
    typeof sent.max_line_load_kg_m === "number" ? grams(sent.max_line_load_kg_m, Math.floor) : line;
  const door = { doorWidthMm, doorHeightMm };
  const over = { open, overHeightMaxMm, overWidthMaxMm };
  const type: ContainerType = {
    code,
    lengthMm,
    widthMm,
    heightMm,
    ...door,
    payloadG,
    tareG,
    lineLoadG,
    ...over,
  };
  return { type, count: sent.count ?? null, cost: sent.cost ?? null };
}

/** What the names of containers with ISO's minimum dimensions end with. */
const ISO_SUFFIX = /[- ]ISO$/i;

/** The standard type, also from `20gp`, `40HQ` or `40hq iso`; null: none. */
function standardCode(type: string): string | null {
  const group = readSizeType(type.replace(ISO_SUFFIX, ""));
  const code = group === null ? "" : `${group.feet}${group.kind}${ISO_SUFFIX.test(type) ? "-ISO" : ""}`;
  return CONTAINER_TYPES.has(code) ? code : null;
}

const MEASURES = ["length_mm", "width_mm", "height_mm", "max_payload_kg"] as const;

function missingMeasuresError(sent: SentContainer): string {
  const standard = [...CONTAINER_TYPES.keys()].join(", ");
  const lacking = MEASURES.filter((name) => sent[name] === undefined);
  return lacking.length === MEASURES.length
    ? `.type must be one of ${standard}, or your own name for a type with ${MEASURES.join(", ")}`
    : ` lacks ${lacking.join(", ")}: ${sent.type} is none of ${standard}, so it needs all measures`;
}

function closedError(field: string, part: OpenPart): string {
  return `.${field} needs "${part}" in its open, since nothing stands out of a closed container`;
}

function doorError(extent: "width_mm" | "height_mm", insideMm: number): string {
  return `.door_${extent} must be at most its ${extent}, ${insideMm}`;
}

/** The index of the first value that is there twice. */
function firstRepeated(values: readonly string[]): number | null {
  const at = values.findIndex(createRepeatedCheck());
  return at === -1 ? null : at;
}

/** The shape of a line of cargo as it was sent → its edges, and which of them may stand upright. */
type Shaped = Pick<CargoLine, "shape" | "lengthMm" | "widthMm" | "heightMm" | "upright">;

/** A text is the validation error, without the line before it. */
function shapeOf(sent: SentCargo): Shaped | string {
  return sent.shape === "cylinder" ? cylinderOf(sent) : boxOf(sent);
}

function boxOf(sent: SentCargo): Shaped | string {
  const { length_mm: lengthMm, width_mm: widthMm, height_mm: heightMm } = sent;
  if (typeof sent.diameter_mm === "number")
    return '.diameter_mm is for cylinders; add shape "cylinder", or leave it out';
  if (sent.lying === true) return ".lying is for cylinders; name the edges of a box in upright";
  if (lengthMm === undefined || widthMm === undefined) {
    const lacking = (["length_mm", "width_mm"] as const).filter((name) => sent[name] === undefined);
    return ` lacks ${lacking.join(" and ")}; a cylinder needs shape "cylinder" and diameter_mm instead`;
  }
  return { shape: "box", lengthMm, widthMm, heightMm, upright: edgesOf(sent.upright ?? ["height"]) };
}

/** What answers show of a cylinder may be sent again: its diameter as length and width, and all edges as upright. */
function cylinderOf(sent: SentCargo): Shaped | string {
  const { diameter_mm: diameterMm = null, height_mm: heightMm } = sent;
  if (diameterMm === null) return " lacks diameter_mm, which a cylinder needs beside height_mm";
  for (const name of ["length_mm", "width_mm"] as const) {
    if (sent[name] !== undefined && sent[name] !== diameterMm)
      return `.${name} must be left out, since a cylinder is as long and as wide as its diameter_mm`;
  }
  const upright: readonly Edge[] = sent.lying === true ? EDGES : ["height"];
  if (sent.upright !== undefined && edgesOf(sent.upright).join() !== upright.join())
    return ".upright must be left out; with lying, true or false, you say whether a cylinder may lie";
  return { shape: "cylinder", lengthMm: diameterMm, widthMm: diameterMm, heightMm, upright };
}

function edgesOf(edges: readonly Edge[]): readonly Edge[] {
  return EDGES.filter((edge) => edges.includes(edge));
}
