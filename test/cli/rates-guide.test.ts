/** The files and commands of docs/rates.md, as they are written: what they come to is what the page shows. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { blocks } from "../docs/examples.ts";
import { openShell } from "./shell.ts";

const page = blocks.filter((block) => block.page === "docs/rates.md");

/** `cat > name <<'END'`, its lines, `END`. */
const FILE = /^cat > (\S+) <<'(\w+)'\n(.*?)^\2$/gms;

test("the index over several currencies has the value that the guide shows", async (t) => {
  const boathook = await openShell(t);
  const shown = page.find(({ language, code }) => language === "json" && code.includes('"rate":'))!;
  const before = page.filter(({ language, number }) => language === "console" && number < shown.number);
  const paths = new Map<string, string>();
  let last = "";
  for (const { code } of before) {
    for (const [, name = "", , text = ""] of code.matchAll(FILE))
      paths.set(name, await boathook.file(name, text));
    for (const [, line = ""] of code.replaceAll(FILE, "").matchAll(/^npx boathook (.*?)(?: [#|].*)?$/gm)) {
      const ran = await boathook(...line.split(" ").map((word) => paths.get(word) ?? word));
      assert.equal(ran.status, 0, `${line}: ${ran.err}`);
      last = ran.out;
    }
  }
  const { computed_at: _at, ...computed } = JSON.parse(last);
  const { computed_at: _shown, ...expected } = JSON.parse(shown.code);
  assert.deepEqual(computed, expected);
});
