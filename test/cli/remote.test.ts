/** Commands that ask a running service, without its store. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

test("what sources say, tariffs and cells are read and changed through a running service", async (t) => {
  const { settings } = await openPlace(t);
  const { opsUrl } = await serve(t, settings);
  const environment = { BOATHOOK_OPS_URL: opsUrl, BOATHOOK_OPERATOR_TOKEN: TOKEN };
  const file = join(settings["BOATHOOK_DATA_DIR"]!, "rows.csv");
  const boathook = async (line: string, rows = "") => {
    writeFileSync(file, rows);
    const { status, out, err } = await run(line.split(" "), { environment });
    assert.equal(status, 0, `${line} ${err}`);
    return out;
  };
  const tariff = "carrier,free_days,valid_from\nHRNL,7,2026-01-01\n";
  assert.equal(await boathook(`tariffs load ${file}`, tariff), "Loaded 1 tariff.\n");
  const [{ id }] = JSON.parse(await boathook("tariffs list --json"));
  assert.match(await boathook("tariffs list"), new RegExp(`^ID .*\n${id} +HRNL +any +any +7 calendar`));
  assert.equal(await boathook(`tariffs remove ${id}`), "Removed.\n");
  const milestone = "container,milestone,time,location\nHRNU4000017,gate_in,2026-03-01 08:00,NLRTM\n";
  const imported = await boathook(`containers import ${file} --source sheet`, milestone);
  assert.equal(imported, "Imported 1 milestones; 0 were known, 0 refused.\n");
  assert.match(await boathook("schedules feeds"), /^FEED +CARRIER +KIND +FETCHED/);
  assert.match(await boathook("schedules calls --port NLRTM"), /^CARRIER +SERVICE .* FEEDS\n$/);
  assert.match(await boathook("cells list"), /^0 +directory +open +0$/m);
  assert.match(await boathook("cells close 0"), /^0 +directory +closed/m);
  assert.match(await boathook("cells open 0"), /^0 +directory +open/m);
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
