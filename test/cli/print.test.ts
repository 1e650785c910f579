/** What commands print of texts that others wrote. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { facts, table } from "../../src/cli/print.ts";

test("control characters of carriers and clients reach no terminal", () => {
  const written = "Grey\u001b[31m Heron\u0007\u009b2J\r";
  for (const printed of [table([written], [["VESSEL", (name) => name]]), facts([["Vessel", written]])]) {
    assert.match(printed, /Grey\ufffd\[31m Heron\ufffd\ufffd2J\ufffd\n$/);
  }
});
