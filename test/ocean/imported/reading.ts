import {
  readImport,
  type ImportFormat,
  type ReadImport,
} from "../../../src/products/ocean/sources/imported/read-import.ts";
import { runToEnd } from "../../../src/runtime/time-slices.ts";

export function readText(text: string | Buffer, format: ImportFormat): ReadImport {
  return runToEnd(readImport(Buffer.from(text), format, "edi-provider"));
}

/** What was read; fails where nothing can be. */
export function readAll(text: string | Buffer, format: ImportFormat) {
  const read = readText(text, format);
  if (read.kind === "unreadable") throw new Error(read.problems.join("; "));
  return read;
}
