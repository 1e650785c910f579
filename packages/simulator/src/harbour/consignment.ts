/** Which boxes travel together, with which line, and under which numbers: all from an index and the seed. */
import { containerCheckDigit } from "../world/check-digits.ts";
import { seededRandom } from "../world/seeded-random.ts";
import { LESSOR_CODE, LINES, type Line } from "./lines.ts";

/** One booking, one bill of lading, and one box or several. */
export type Consignment = {
  /** The index of its first box, which is its own number as well. */
  readonly first: number;
  readonly size: number;
  readonly line: Line;
  readonly bill: string;
  readonly booking: string;
  readonly lessor: boolean;
};

export type TrackingType = "container_id" | "bill_of_lading" | "booking";

/** Boxes numbered in one block are shared out among consignments of these sizes. */
const BLOCK = 8;
const SHARES: readonly (readonly number[])[] = [
  [1, 1, 1, 1, 1, 1, 1, 1],
  [1, 1, 1, 1, 1, 1, 2],
  [1, 1, 1, 2, 1, 1, 1],
  [1, 4, 1, 1, 1],
  [3, 1, 1, 1, 1, 1],
];

/** What six digits can number. */
export const BOXES_MAX = 1_000_000;

export function consignmentOf(seed: number, index: number, boxes: number): Consignment {
  const block = Math.floor(index / BLOCK) * BLOCK;
  const shares = seededRandom(seed, "consignment", -1 - block).pick(SHARES);
  let first = block;
  for (const share of shares) {
    if (index < first + share) return consignmentFrom(seed, first, Math.min(share, boxes - first));
    first += share;
  }
  throw new Error(`no consignment has box ${index}`);
}

function consignmentFrom(seed: number, first: number, size: number): Consignment {
  const draws = seededRandom(seed, "consignment", first);
  const line = draws.pick(LINES);
  return {
    first,
    size,
    line,
    bill: `${line.scac}${String(first).padStart(7, "0")}`,
    booking: `6${String(first).padStart(8, "0")}`,
    lessor: draws.chance(0.3),
  };
}

/** The numbers of another trip belong to somebody else, and nobody here can ask for them. */
export function documentsOf(
  { bill, booking, line, first }: Consignment,
  trip: number,
): { readonly bill: string; readonly booking: string } {
  if (trip === 0) return { bill, booking };
  const number = `${trip + 5}${String(first).padStart(7, "0")}`;
  return { bill: `${line.scac}X${number}`, booking: `7${number}` };
}

export function containerNumber({ line, lessor }: Consignment, index: number): string {
  const number = (lessor ? LESSOR_CODE : line.ownerCode) + String(index).padStart(6, "0");
  return number + containerCheckDigit(number);
}

/** What a reference asks for; null when no line of this world has given it out. */
export type FoundConsignment = { readonly consignment: Consignment; readonly box: number | null };

const PARAMETERS = {
  equipmentReference: /^[A-Z]{4}(\d{6})\d$/,
  transportDocumentReference: /^[A-Z]{4}(\d{7})$/,
  carrierBookingReference: /^6(\d{8})$/,
} as const;

export function findConsignment(
  seed: number,
  boxes: number,
  query: URLSearchParams,
): FoundConsignment | null {
  let named: Consignment | null = null;
  let box: number | null = null;
  for (const [parameter, pattern] of Object.entries(PARAMETERS)) {
    const reference = query.get(parameter);
    if (reference === null) continue;
    const index = Number(pattern.exec(reference)?.[1] ?? Number.NaN);
    // Not a number of this world is not below it either.
    if (!(index < boxes)) return null;
    const consignment = consignmentOf(seed, index, boxes);
    const isBox = parameter === "equipmentReference";
    const own = [consignment.bill, consignment.booking];
    if (isBox ? containerNumber(consignment, index) !== reference : !own.includes(reference)) return null;
    if (isBox) box = index;
    named = consignment;
  }
  return named === null ? null : { consignment: named, box };
}
