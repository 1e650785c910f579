/** `npm run docs:client-types`: writes the types of the routes for the pages of packages/console. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { pino } from "pino";

import { startSystemClock } from "../src/runtime/system-clock.ts";
import { clientTypes, readDocuments } from "./client-types.ts";

const log = pino({ level: "error" });
const clock = startSystemClock(log);
const dataFolder = mkdtempSync(join(tmpdir(), "boathook-client-types-"));
try {
  const files = await clientTypes(await readDocuments(dataFolder, { clock, log }));
  for (const [path, text] of files) {
    const file = join(import.meta.dirname, "..", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${files.size} files`);
} finally {
  clock.stop();
  rmSync(dataFolder, { recursive: true });
}
