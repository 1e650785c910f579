/**
 * `node test/run/load-files.ts <file>...`: runs test files in this process, one after the other, each as a test that
 * has the file's own below it.
 */
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { endFile } from "../support/endings.ts";

for (const path of process.argv.slice(2)) {
  void test(path, async (file) => {
    // Before all that it may do to the process.
    process.send?.({ begins: path });
    await import(pathToFileURL(resolve(path)).href);
    // After the file's own hooks.
    file.after(endFile);
  });
}
