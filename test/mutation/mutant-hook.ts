/** Loaded into a test's process by `--import`: every read of the statement's file returns the mutant. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { file, text } = JSON.parse(process.env["BOATHOOK_MUTATION_MUTANT"] ?? "{}") as {
  readonly file?: string;
  readonly text?: string;
};
const read = fs.readFileSync as (...given: unknown[]) => unknown;

fs.readFileSync = ((...given: unknown[]) =>
  given[0] === file && file !== undefined ? text : read(...given)) as typeof fs.readFileSync;
syncBuiltinESMExports();
