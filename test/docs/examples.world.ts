/**
 * The examples of the README and the guides, run as they are written on the world of `boathook try`. What is not run
 * has its reason here.
 */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test, type TestContext } from "node:test";

import { ask, until } from "../service/boathook.ts";
import { ownerOfSuite } from "../service/running.ts";
import { startTryWorld } from "../service/try-world.ts";
import { differenceOf } from "../../scripts/examples/difference.ts";
import { blocks, isCommand, nameOf, ROOT, type Block } from "./examples.ts";
import { isKnownJson } from "./shown-json.ts";

/** By the first line of each block. */
const NOT_RUN: readonly (readonly [page: string, firstLine: RegExp, reason: string])[] = [
  ["README.md", /^npm ci && npm run demo$/, "installs; test/service/demo.world.ts runs the demo"],
  ["README.md", /^npm ci && npm test$/, ".ci/run runs it"],
  ["README.md", /^npm start$/, "takes the ports of a real service; test/service/serve.test.ts runs it"],
  [
    "docs/receiving.md",
    /^npm install/,
    "asks a service elsewhere: test/console/installing.pages.ts runs them",
  ],
  ["docs/receiving.md", /^echo whsec_/, "runs until Ctrl-C: below"],
  ["docs/receiving.md", /^echo \$KEY > key\.txt$/, "runs until Ctrl-C: below"],
  ["docs/simulate.md", /^npx boathook try$/, "runs until Ctrl-C: every example here is run on it"],
  ["docs/simulate.md", /simulate|OPERATOR_TOKEN/, "run until Ctrl-C: test/cli/simulate.test.ts runs them"],
  ["docs/operations.md", /^git clone/, "installs; test/package/installed.faults.ts does"],
  [
    "docs/operations.md",
    /^export BOATHOOK_OPS_URL/,
    "asks a service elsewhere: the README asks the one of `try`",
  ],
  ["docs/operations.md", /^npx boathook cells/, "needs several servers: test/cli/cells.test.ts"],
  ["docs/operations.md", /^npx boathook backup/, "needs a folder for backups: test/cli/backup.test.ts"],
  ["docs/operations.md", /^psql/, "needs psql and a data folder of its own"],
  ["docs/airlines.md", /airlines check/, "asks airlines: test/cli/source-commands.test.ts"],
  ["docs/carriers.md", /carriers check/, "asks carriers: test/cli/source-commands.test.ts"],
  ["docs/schedules.md", /schedules check/, "asks carriers: test/cli/source-commands.test.ts"],
  ["docs/announcements.md", /^(update|select)/, "is for a psql, after a mistake"],
  ["docs/deploying.md", /./, "needs Docker, Kubernetes or systemd: test/deploy checks the files"],
  [
    "docs/scale.md",
    /./,
    "needs several database servers: test/cli/move-store.test.ts, test/store/citus.faults.ts",
  ],
];

function reasonOf({ page, code }: Block): string | undefined {
  return NOT_RUN.find(([of, firstLine]) => of === page && firstLine.test(code.split("\n")[0]!))?.[2];
}

const owner = ownerOfSuite();
let folder = "";
let variables: Readonly<Record<string, string>> = {};

before(async () => {
  ({ folder, variables } = await startTryWorld(owner, "boathook-try.env"));
  writeTools(folder);
  writeDelivery(folder);
});

/** `curl` that fails with what it is answered, and `npx` without the start of npm. */
function writeTools(where: string): void {
  const tools = join(where, "tools");
  mkdirSync(tools);
  for (const [name, text] of [
    ["curl", 'exec "$CURL" --fail-with-body "$@"'],
    ["npx", `[ "$1" = boathook ] && shift && exec '${process.execPath}' '${ROOT}/bin/boathook.js' "$@"`],
  ] as const) {
    writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(tools, name), 0o755);
  }
}

/** A delivery as a receiver has saved it, for `boathook verify`. */
function writeDelivery(where: string): void {
  const body = JSON.stringify({
    id: "01a1fc9f-9e48-73e0-b3a1-06c2d680d67c",
    type: "container_available",
    occurred_at: "2026-11-21T05:41:21.608Z",
    data: {},
  });
  const secret = `whsec_${"s".repeat(64)}`;
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  writeFileSync(join(where, "body.json"), body);
  writeFileSync(join(where, "secret.txt"), secret);
  const headers = [
    "Content-Type: application/json",
    "User-Agent: Tracking-Webhooks/1",
    "X-Tracking-Event: container_available",
    "X-Tracking-Delivery: 01a1fc9f-9e48-73e0-b3a1-06c2d680d67c",
    `X-Tracking-Signature: sha256=${signature}`,
  ];
  writeFileSync(join(where, "headers.txt"), `${headers.join("\n")}\n`);
}

const CURL = "/usr/bin/curl";
const PAGE_MS_MAX = 400_000;

type Printed = { readonly status: number; readonly out: string; readonly err: string };

/** Runs a page's blocks in one shell, as a reader goes on in theirs; each one's output. */
function runPage(page: readonly Block[]): Promise<Printed> {
  const script = page.map(({ number, code }) => `echo '@@ ${number}'\n${code}echo`).join("\n");
  const environment = { ...process.env, CURL, PATH: `${join(folder, "tools")}:${process.env["PATH"]}` };
  return new Promise((resolve) => {
    const options = { cwd: folder, env: environment, timeout: PAGE_MS_MAX };
    execFile("bash", ["-e", "-o", "pipefail", "-c", script], options, (failure, out, err) => {
      const status = failure === null ? 0 : Number(failure.code ?? 1);
      resolve({ status, out, err });
    });
  });
}

/** The last JSON that a block has printed. */
function answerOf(out: string, number: number): unknown {
  const printed = out.split(`@@ ${number}\n`)[1]!.split("\n@@ ")[0]!;
  const last = printed
    .trim()
    .split("\n")
    .at(-1)!
    .replace(/^.*\}(?=\{"(?:ok|data|error)")/, "");
  return JSON.parse(last);
}

const wanted = blocks.filter((block) => isCommand(block) && reasonOf(block) === undefined);

for (const [page, run] of Map.groupBy(wanted, (block) => block.page)) {
  test(`the commands of ${page} succeed as they are written, and what it shows below them is answered`, async () => {
    const { status, out, err } = await runPage(run);
    assert.equal(status, 0, `${out}\n${err}`);
    for (const block of run) {
      const next = blocks.find((one) => one.page === page && one.number === block.number + 1);
      if (next?.language !== "json" || isKnownJson(next)) continue;
      const difference = differenceOf(JSON.parse(next.code), answerOf(out, block.number));
      assert.equal(difference, null, `${nameOf(next)} ${out}`);
    }
  });
}

test("the receiver in plain JavaScript takes what `boathook listen` forwards", async (t) => {
  const page = blocks.filter((block) => block.page === "docs/receiving.md");
  const [code, receive, listen] = [/^\/\/ receiver\.mjs/, /^echo whsec_/, /^echo \$KEY/].map(
    (first) => page.find((block) => first.test(block.code))!.code,
  );
  writeFileSync(join(folder, "receiver.mjs"), code!);
  const receiver = inBackground(t, receive!);
  const listening = inBackground(t, `. ./boathook-try.env\n${listen}`);
  await until(() => listening.out().includes("Signing with"), "it listens");
  const { OPS, TOKEN, ACCOUNT } = variables as Record<"OPS" | "TOKEN" | "ACCOUNT", string>;
  const data = { container_id: ACCOUNT, identifier: "AVCU0000085", previous_status: "pre_departure" };
  const event = { product: "tracking", account_id: ACCOUNT, type: "vessel_departed" };
  await until(async () => {
    const events = [{ ...event, data: { ...data, new_status: "in_transit" } }];
    assert.equal((await ask("POST", `${OPS}/v1/events`, TOKEN, { events })).status, 202);
    return receiver.out().includes("vessel_departed");
  }, `it is forwarded: ${receiver.err()} ${listening.err()}`);
  assert.match(receiver.out(), /identifier: 'AVCU0000085'/);
});

function inBackground(t: TestContext, code: string) {
  const environment = { ...process.env, PATH: `${join(folder, "tools")}:${process.env["PATH"]}` };
  const child = spawn("bash", ["-c", code], { cwd: folder, env: environment, detached: true });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  t.after(async () => {
    // The shell and what it has started.
    process.kill(-child.pid!, "SIGKILL");
    await ended;
  });
  return { out: () => out, err: () => err };
}

test("each block that is not run has a reason, and each reason a block", () => {
  for (const [page, firstLine] of NOT_RUN) {
    const found = blocks.some((block) => block.page === page && firstLine.test(block.code.split("\n")[0]!));
    assert.ok(found, `${page} ${firstLine.source}`);
  }
});

test("what else the guides show is an event, a file or an answer that its schema or reader takes", () => {
  const shown = blocks.filter(({ language }) => language === "json");
  const follows = (block: Block) =>
    wanted.some((one) => one.page === block.page && one.number === block.number - 1);
  const unknown = shown.filter((block) => !follows(block) && !isKnownJson(block));
  assert.deepEqual(unknown.map(nameOf), []);
});
