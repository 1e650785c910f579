import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the names in a folder, or the bytes of a file, outlive a loss of power. Throws the system's errors. */
export function syncFolder(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
