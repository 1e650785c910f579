/** How a line says that a box can be fetched. */
import type { Line } from "./lines.ts";

/** 2.2 has a paper for the release of the cargo, 3.0 says of each box that it can be fetched. */
export function reportsReleaseByBox({ version }: Line): boolean {
  return version === "3.0";
}
