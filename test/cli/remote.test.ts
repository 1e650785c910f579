/** Commands that ask a running service, without its store. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openPlace, run as serve, TOKEN } from "../service/running.ts";
import { run } from "./run.ts";

test("with its address and token, a command asks a running service and opens no store", async (t) => {
  const { settings } = await openPlace(t);
  const { opsUrl } = await serve(t, settings);
  const environment = { BOATHOOK_OPS_URL: opsUrl, BOATHOOK_OPERATOR_TOKEN: TOKEN };
  const boathook = (...words: string[]) => run(words, { environment });
  const made = await boathook("accounts", "create", "Acme", "--json");
  assert.equal(made.status, 0, made.err);
  const { id } = JSON.parse(made.out) as { readonly id: string };
  const listed = await boathook("accounts", "list");
  assert.match(listed.out, new RegExp(`^ID .*\n${id} +Acme +- +off`));
  const refused = await boathook("keys", "revoke", id);
  assert.deepEqual([refused.status, refused.err], [1, "There is no key of that id.\n"]);
  assert.equal((await boathook("status")).status, 0);
  assert.equal((await boathook("accounts", "remove", id, "--yes")).status, 0);
});

test("a service that does not answer, or wants another token, is named", async (t) => {
  const { settings } = await openPlace(t);
  const { opsUrl } = await serve(t, settings);
  const list = (url: string, token: object) =>
    run(["accounts", "list"], { environment: { BOATHOOK_OPS_URL: url, ...token } });
  const silent = await list("http://127.0.0.1:1", { BOATHOOK_OPERATOR_TOKEN: TOKEN });
  assert.deepEqual(
    [silent.status, silent.err],
    [1, "http://127.0.0.1:1 cannot be reached (ECONNREFUSED).\n"],
  );
  const forged = await list(opsUrl, { BOATHOOK_OPERATOR_TOKEN: "a-guess-of-the-token" });
  assert.deepEqual([forged.status, /operator's token/.test(forged.err)], [1, true]);
  const without = await list(opsUrl, { BOATHOOK_DATA_DIR: "/nowhere" });
  assert.match(without.err, /^BOATHOOK_OPERATOR_TOKEN is missing/);
});
