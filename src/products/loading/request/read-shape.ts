/** The shape of a line of cargo as it was sent → its edges, and which of them may stand upright. */
import { EDGES, type CargoLine, type Edge } from "./cargo.ts";
import type { SentCargo } from "./request-schema.ts";

export type Shaped = Pick<CargoLine, "shape" | "lengthMm" | "widthMm" | "heightMm" | "upright">;

/** A text is the validation error, without the line before it. */
export function shapeOf(sent: SentCargo): Shaped | string {
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
