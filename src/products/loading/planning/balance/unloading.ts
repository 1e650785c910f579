/** Whether each piece still has its way out to the door when it is unloaded. */
import type { CargoLine } from "../../request/cargo.ts";
import type { Row } from "./sections.ts";

/** Something of a later stop is between a piece and the door, at its height and width. */
export function isAnyBarred(cargo: readonly CargoLine[], rows: readonly Row[]): boolean {
  const byStop = [...Map.groupBy(rows, ({ item }) => cargo[item]!.stop)].toSorted(([a], [b]) => a - b);
  return byStop.some(([, early], at) => {
    const later = byStop.slice(at + 1).flatMap(([, group]) => group);
    return early.some((row) => later.some((other) => isBetween(row, other)));
  });
}

/** Whether `other` is nearer to the door than `row`, and before it. */
function isBetween(row: Row, other: Row): boolean {
  const { x, y, z, ny, nz, pose } = row;
  if (other.x + other.pose.dx <= x + pose.dx) return false;
  if (other.y >= y + ny * pose.dy || y >= other.y + other.ny * other.pose.dy) return false;
  return other.z < z + nz * pose.dz && z < other.z + other.nz * other.pose.dz;
}
