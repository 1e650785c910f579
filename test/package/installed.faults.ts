/**
 * Boathook as npm installs it: packed, and started by npx from the tarball in an empty folder, with the system's Node.
 * Its dependencies come from the registry.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";

import packageJson from "../../package.json" with { type: "json" };
import { assertOk, packBoathook, run } from "../support/packed-package.ts";

const REGISTRY_WAIT_MS_MAX = 20_000;
const INSTALL_WAIT_MS_MAX = 300_000;

const registry = spawnSync("npm", ["view", "fastify", "version"], { timeout: REGISTRY_WAIT_MS_MAX });
const skip = registry.status === 0 ? false : "the npm registry cannot be reached";

describe("the package of Boathook", { skip, timeout: 2 * INSTALL_WAIT_MS_MAX }, () => {
  let folder = "";
  let tarball = "";
  let empty = "";
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "boathook-package-"));
    tarball = packBoathook(folder);
    empty = join(folder, "empty");
    mkdirSync(empty);
    // What was downloaded before is used; what npx installs goes with the folder.
    mkdirSync(join(folder, "cache"));
    const { stdout } = assertOk(run("npm", ["config", "get", "cache"], folder));
    symlinkSync(join(stdout.trim(), "_cacache"), join(folder, "cache", "_cacache"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** As a user types it: not on the project's Node, and without install scripts. */
  function npx(...command: readonly string[]) {
    const path = (process.env["PATH"] ?? "").split(":").filter((part) => !part.includes("node_modules"));
    return spawn("npx", ["--yes", "--ignore-scripts", join("..", basename(tarball)), ...command], {
      cwd: empty,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        PATH: path.join(":"),
        npm_config_cache: join(folder, "cache"),
        BOATHOOK_LISTEN: "127.0.0.1:0",
        BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
      },
    });
  }

  it("brings what runs, licences and documents, and neither tests nor benchmarks nor sources", () => {
    const { stdout } = assertOk(run("tar", ["tzf", tarball], folder));
    const files = stdout
      .trim()
      .split("\n")
      .map((file) => file.replace("package/", ""));
    const tops = new Set(files.map((file) => file.split("/")[0]));
    const expected = [
      "CHANGELOG.md",
      "LICENSE",
      "NOTICE",
      "README.md",
      "bin",
      "build",
      "carriers",
      "changelog",
      "dist",
      "docs",
    ];
    for (const name of [...expected, "node_modules", "package.json"]) assert.ok(tops.has(name), name);
    for (const name of ["src", "test", "bench", "scripts", "packages", ".ci"])
      assert.ok(!tops.has(name), name);
    const bundled = new Set(
      files.filter((file) => file.startsWith("node_modules/")).map((file) => file.split("/")[2]!),
    );
    assert.deepEqual([...bundled].toSorted(), ["client", "receiver", "simulator"]);
    assert.ok(files.includes("dist/store/migrations/cell/001_deliveries.sql"));
    assert.ok(files.includes("dist/freight/places/ports.csv"));
    const packages = files.filter((file) => file.startsWith("build/packages/"));
    for (const kind of [/receiver-.*\.tgz$/, /client-.*\.tgz$/, /\.whl$/, /@v\/v.*\.zip$/])
      assert.ok(
        packages.some((file) => kind.test(file)),
        String(kind),
      );
  });

  it("serves, and stops on SIGTERM", { timeout: INSTALL_WAIT_MS_MAX }, async () => {
    const child = npx("serve");
    const errors = text(child.stderr);
    const lines = createInterface(child.stdout);
    const [line] = (await Promise.race([once(lines, "line"), once(child, "exit")])) as [unknown];
    assert.equal(typeof line, "string", `ended with ${String(line)}`);
    const { event, public: url, ops } = JSON.parse(line as string) as Record<string, string>;
    assert.equal(event, "listening");
    assert.equal((await fetch(`${ops}/readyz`)).status, 200);
    assert.equal((await fetch(`${ops}/console`)).status, 200);
    assert.equal((await fetch(`${url}/tracking/openapi.json`)).status, 200);
    const wheel = `boathook_receiver-${packageJson.version}-py3-none-any.whl`;
    assert.equal((await fetch(`${url}/tracking/packages/${wheel}`)).status, 200);
    const stopped = once(child, "close");
    child.kill("SIGTERM");
    await stopped;
    assert.match(await errors, /"msg":"stopped"/);
  });

  it("shows its demo", { timeout: INSTALL_WAIT_MS_MAX }, async () => {
    const child = npx("demo");
    const ended = once(child, "close");
    const [shown, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.deepEqual(await ended, [0, null], errors + shown);
    assert.match(shown, /Everything that should have arrived has\./);
  });
});
