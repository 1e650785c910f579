/** `boathook try` as a newcomer runs it: everything that it prints to paste succeeds, and Ctrl-C leaves nothing. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { ask, start, until } from "./boathook.ts";
import { ownFolder } from "./own-folder.ts";

/** Where the addresses and keys of the world are written. */
const VARIABLES = "try.env";

test("each command that it prints succeeds and finds something, deliveries arrive on four products, and Ctrl-C leaves nothing", async (t) => {
  const { folder, settings, leftovers } = ownFolder(t);
  const variablesFile = join(folder, VARIABLES);
  const tried = start(t, ["try", "--port", "0", "--variables", variablesFile], settings);
  await until(() => tried.out().includes("Retry waits are cut"), "it is up", 60_000);
  const commands = [...tried.out().matchAll(/^# (\w+).*\n(curl .*)$/gm)];
  assert.deepEqual(
    commands.map(([, product]) => product),
    ["Ocean", "Air", "Schedules", "Rates", "Load"],
  );
  for (const [, product, command = ""] of commands) {
    const { stdout } = await promisify(execFile)("bash", ["-c", command.replace("curl", "curl --fail")]);
    const answer = JSON.parse(stdout);
    if (product === "Ocean") assert.equal(answer.reference, "AVCU0000085");
    else assert.ok(Object.keys(answer.data).length > 0, `${product}: ${stdout}`);
  }

  // Where the console is, and how to sign in.
  const [, opsUrl = "", token = ""] = /console +(\S+)\n +sign in with +(\S+)/.exec(tried.out()) ?? [];
  assert.equal((await ask("GET", `${opsUrl}/v1/accounts`, token)).status, 200);

  const arrived = (product: string) =>
    new RegExp(`^${product} .* signature verified .* answered 204$`, "m").test(tried.out());
  for (const product of ["tracking", "air", "rates", "loading"]) {
    await until(() => arrived(product), `${product} is delivered`, 60_000);
  }
  const leads = /^That shipment in the console: (\S+)\/console(\/accounts\/[^/]+\/tracking)\/(\S+)$/m;
  await until(() => leads.test(tried.out()), "it leads to the first shipment that was delivered", 60_000);
  const [, console = "", pages = "", id = ""] = leads.exec(tried.out()) ?? [];
  assert.equal((await ask("GET", `${console}/console${pages}/${id}`, "")).status, 200);
  const shipment = await ask("GET", `${console}/v1${pages}/v1/containers/${id}`, token);
  assert.deepEqual([shipment.status, shipment.body.data.id], [200, id]);
  await until(() => /tracking-broken .* attempt 2 .* answered 503/.test(tried.out()), "one endpoint fails");

  tried.signal("SIGINT");
  assert.equal(await tried.ended, 0, tried.err());
  assert.deepEqual([leftovers(), existsSync(variablesFile), tried.err()], [[], false, ""]);
});

test("Ctrl-C while it starts leaves nothing", async (t) => {
  const { folder, settings, leftovers } = ownFolder(t);
  const variablesFile = join(folder, VARIABLES);
  const tried = start(t, ["try", "--port", "0", "--variables", variablesFile], settings);
  await until(() => leftovers().length > 0, "it has begun");
  tried.signal("SIGINT");
  assert.equal(await tried.ended, 0, tried.err());
  assert.deepEqual(leftovers(), []);
});

test("it overwrites no file that it has not written", async (t) => {
  const variablesFile = join(ownFolder(t).folder, VARIABLES);
  writeFileSync(variablesFile, "MINE=1\n");
  const tried = start(t, ["try", "--port", "0", "--variables", variablesFile]);
  assert.equal(await tried.ended, 1);
  assert.match(tried.err(), /try\.env is there already: name another file with --variables\n$/);
  assert.equal(readFileSync(variablesFile, "utf8"), "MINE=1\n");
});
