/** The package as a client installs it: packed, unpacked elsewhere, run on older Nodes and compiled against. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

import { codeBlocks } from "../receiver/readme.ts";
import { assertOk, installPacked, run } from "../support/packed-package.ts";

const PROGRAM = `
import { createServer } from "node:http";
import { createClient, sendWith } from "@boathook/client";

const server = createServer((request, response) => response.end(JSON.stringify({ id: request.url })));
server.listen(0, "127.0.0.1", async () => {
  const { ask } = createClient(\`http://127.0.0.1:\${server.address().port}\`, sendWith("token"));
  console.log(JSON.stringify(await ask("GET /v1/accounts/{id}", { id: "a b" })));
  server.close();
  server.closeAllConnections?.();
});
`;

describe("the package of the client", () => {
  let folder = "";
  before(() => {
    folder = installPacked("client");
    writeFileSync(join(folder, "program.mjs"), PROGRAM);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("brings JavaScript, types and licence, and no dependency", () => {
    const names = readdirSync(join(folder, "node_modules/@boathook/client")).toSorted();
    assert.deepEqual(names, ["LICENSE", "README.md", "dist", "package.json"]);
    const installed = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
    assert.deepEqual(installed, ["@boathook"]);
  });

  for (const path of [process.execPath, "/usr/bin/node"]) {
    it(`works on ${path === process.execPath ? "this Node" : "the system's Node"}`, (t) => {
      if (!existsSync(path)) return t.skip(`there is no ${path}`);
      const { stdout } = assertOk(run(path, ["program.mjs"], folder));
      assert.deepEqual(JSON.parse(stdout), { ok: true, value: { id: "/v1/accounts/a%20b" } });
    });
  }

  it("compiles in a project that has not Node's types, and so does every example of the README", () => {
    const examples = join(folder, "examples");
    mkdirSync(examples);
    for (const [at, code] of codeBlocks("ts", "client").entries())
      writeFileSync(join(examples, `example-${at}.ts`), code);
    const options = { strict: true, noEmit: true, module: "nodenext", target: "es2022", types: [] };
    const compilerOptions = { ...options, lib: ["es2022", "dom"], skipLibCheck: false };
    writeFileSync(join(examples, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    assertOk(run("tsc", ["-p", "examples"], folder));
  });
});
