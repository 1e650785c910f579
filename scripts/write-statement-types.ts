/** `npm run sql:types`: writes the types of the statements, as a PostgreSQL with all migrations describes them. */
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

import { pino } from "pino";

import { startSystemClock } from "../src/runtime/system-clock.ts";
import { cellsNamed, SCHEMA_PREFIX } from "../src/store/cell.ts";
import { startEmbedded } from "../src/store/embedded/embedded.ts";
import { migrate } from "../src/store/migrate.ts";
import { statementFiles } from "./statement-types.ts";

const ROOT = join(import.meta.dirname, "..");

/** Without the manifests: they import what is written here, which may be broken. A folder is named as its product's tag. */
const products = globSync("src/products/*/migrations", { cwd: ROOT }).map((folder) => ({
  tag: basename(dirname(folder)),
  migrations: join(ROOT, folder),
}));

const log = pino({ level: "error" });
const clock = startSystemClock(log);
const dataFolder = mkdtempSync(join(tmpdir(), "boathook-sql-types-"));
const postgres = await startEmbedded({ dataFolder, clock, log });
try {
  const cells = cellsNamed(SCHEMA_PREFIX, 1);
  await migrate(postgres.address, cells, log, products);
  const files = await statementFiles(postgres.address, cells[0]);
  for (const [path, text] of files) writeFileSync(join(ROOT, path), text);
  console.log(`${files.size} files`);
} finally {
  await postgres.stop();
  clock.stop();
  rmSync(dataFolder, { recursive: true });
}
