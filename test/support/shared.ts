import { existsSync } from "node:fs";

/**
 * The path of a file beside the project that tests may read and the project does not hold; null where it is
 * absent.
 */
export function sharedPath(name: string): string | null {
  const path = new URL(`../../../shared/${name}`, import.meta.url).pathname;
  return existsSync(path) ? path : null;
}
