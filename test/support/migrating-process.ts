/** A process that migrates the database at the address in its first argument, for the test of several at once. */
import { cellsNamed } from "../../src/store/cell.ts";
import { migrate } from "../../src/store/migrate.ts";
import { silentLog } from "./log.ts";

console.log(
  JSON.stringify(await migrate(JSON.parse(process.argv[2]!), cellsNamed("boathook", 2), silentLog)),
);
