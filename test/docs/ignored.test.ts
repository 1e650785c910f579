/** What the examples of the documents leave in a clone is no change of it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { blocks, isCommand, nameOf, ROOT } from "./examples.ts";

const WRITTEN =
  /(?:(?<=\s)>|\btee|--(?:record|carriers-file|airlines-file|schedules-file)) *(?!\/)([\w.-]+)/g;
/** The block is the file that its first line names. */
const NAMED = /^(?:\/\/|#) ([\w-]+\.\w+)\n/g;

test("git ignores what the examples write", () => {
  const ignored = new Set(readFileSync(join(ROOT, ".gitignore"), "utf8").split("\n"));
  const written = blocks.flatMap((block) =>
    [...block.code.matchAll(isCommand(block) ? WRITTEN : NAMED)].map(([, name = ""]) => ({
      name,
      where: nameOf(block),
    })),
  );
  assert.ok(written.length >= 10, "they are found");
  assert.deepEqual(
    written.filter(({ name }) => !ignored.has(`/${name}`) && !ignored.has(`/${name}/`)),
    [],
  );
});
