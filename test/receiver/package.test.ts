/** The package as a client installs it: packed, unpacked elsewhere, run on older Nodes and compiled against. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { assertOk, installPacked, PROJECT, run } from "../support/packed-package.ts";
import { codeBlocks } from "./readme.ts";
import { vectors } from "./vectors.ts";

const tsc = join(PROJECT, "node_modules/typescript/bin/tsc");

const PROGRAM = `
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createReceiver, verify } from "@boathook/receiver";

const { vectors } = JSON.parse(readFileSync(new URL(import.meta.resolve?.("@boathook/receiver/vectors.json")
  ?? "node_modules/@boathook/receiver/vectors.json", import.meta.url), "utf8"));
let agreed = 0;
for (const { body, body_base64, secret, signature, event, delivery, verdict } of vectors) {
  const headers = { "X-Air-Signature": signature, "X-Air-Event": event, "X-Air-Delivery": delivery };
  const result = verify(body ?? Buffer.from(body_base64, "base64"), headers, secret);
  if ((result.ok ? "ok" : result.reason) === verdict) agreed += 1;
}
const [{ body, secret, signature, event, delivery }] = vectors;
let handled = 0;
const receiver = createReceiver({ secret, onDelivery: () => void (handled += 1) });
const server = createServer(receiver.node).listen(0, "127.0.0.1", async () => {
  const headers = { "X-Air-Signature": signature, "X-Air-Event": event, "X-Air-Delivery": delivery };
  const url = \`http://127.0.0.1:\${server.address().port}/\`;
  const statuses = [];
  for (let times = 0; times < 2; times += 1) statuses.push((await fetch(url, { method: "POST", body, headers })).status);
  const direct = await receiver.fetch(new Request(url, { method: "POST", body, headers }));
  console.log(JSON.stringify({ agreed, of: vectors.length, handled, statuses: [...statuses, direct.status] }));
  server.close();
  server.closeAllConnections?.();
});
`;

describe("the package", () => {
  let folder = "";
  let installed = "";

  before(() => {
    folder = installPacked("receiver");
    installed = join(folder, "node_modules/@boathook/receiver");
    writeFileSync(join(folder, "program.mjs"), PROGRAM);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("brings JavaScript, types, sources, vectors and licence, and no dependency", () => {
    const names = readdirSync(installed);
    for (const name of ["LICENSE", "README.md", "dist", "package.json", "src", "vectors.json"]) {
      assert.ok(names.includes(name), name);
    }
    const described = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Record<
      string,
      unknown
    >;
    assert.equal(described["dependencies"], undefined);
    assert.doesNotMatch(JSON.stringify(described["exports"]), /src/, "the sources are for a clone");
    assert.deepEqual(
      readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith(".")),
      ["@boathook"],
    );
  });

  const nodes = [
    { what: "this Node", path: process.execPath },
    { what: "the system's Node", path: "/usr/bin/node" },
  ];
  for (const { what, path } of nodes) {
    it(`works on ${what}`, (t) => {
      if (!existsSync(path)) return t.skip(`there is no ${path}`);
      const { stdout } = assertOk(run(path, ["program.mjs"], folder));
      const { agreed, of, handled, statuses } = JSON.parse(stdout) as Record<string, unknown>;
      assert.equal(agreed, of);
      assert.equal(handled, 1);
      assert.deepEqual(statuses, [204, 204, 204]);
    });
  }

  const { body, secret, signature, event, delivery } = vectors.find(({ verdict }) => verdict === "ok")!;
  const signed = { "X-Air-Signature": signature, "X-Air-Event": event, "X-Air-Delivery": delivery };
  const check = `const headers = ${JSON.stringify(signed)};
console.log(verify(${JSON.stringify(String(body))}, headers, ${JSON.stringify(secret)}).ok);`;
  for (const { what, path } of nodes) {
    it(`verifies in three lines of CommonJS on ${what}`, (t) => {
      if (!existsSync(path)) return t.skip(`there is no ${path}`);
      writeFileSync(join(folder, "three.cjs"), `const { verify } = require("@boathook/receiver");\n${check}`);
      assert.equal(assertOk(run(path, ["three.cjs"], folder)).stdout, "true\n");
    });
  }

  it("compiles in a project that has not Node's types, and so does every example of the README", () => {
    const blocks = codeBlocks("ts");
    assert.ok(blocks.length >= 8);
    const examples = join(folder, "examples");
    mkdirSync(examples);
    for (const [at, code] of blocks.entries()) {
      const isReceiver = code.includes("export const receiver") && !code.includes("diagnose");
      writeFileSync(join(examples, isReceiver ? "receiver.ts" : `example-${at}.ts`), code);
    }
    writeFileSync(join(examples, "others.d.ts"), OTHERS);
    const options = { strict: true, noEmit: true, module: "nodenext", target: "es2022", types: [] };
    writeFileSync(
      join(examples, "tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, lib: ["es2022", "dom", "dom.iterable"] } }),
    );
    const compiled = run(process.execPath, [tsc, "-p", "examples"], folder);
    assert.equal(compiled.status, 0, compiled.stdout);
  });
});

/** What the examples use and this project's client has not installed. */
const OTHERS = `
declare const process: { readonly env: { readonly [name: string]: string | undefined } };
declare module "node:http" {
  type Listener = (request: any, response: any) => void;
  export function createServer(listener: Listener): { listen(port: number): void };
}
declare module "express" {
  const express: { (): any; json(): any };
  export default express;
}
declare module "fastify" {
  export default function fastify(): { register(plugin: (scope: any, options: object) => Promise<void>, options: object): Promise<void> };
}
`;
