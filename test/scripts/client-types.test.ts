import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { clientTypes, readDocuments, typesOf } from "../../scripts/client-types.ts";
import { makeDataFolder } from "../service/boathook.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const folder = makeDataFolder({ withDatabase: true });

test("the pages have the types of the OpenAPI documents (npm run docs:client-types writes them)", async () => {
  const files = await clientTypes(await readDocuments(folder, { clock: realClock, log: silentLog }));
  assert.equal(files.size, 6);
  for (const [path, text] of files) assert.equal(readFileSync(join(ROOT, path), "utf8"), text, path);
});

test("a schema becomes the type of what it allows", () => {
  const answer = {
    type: "object",
    required: ["id", "state"],
    properties: {
      id: { type: "string" },
      state: { enum: ["on", "off"] },
      count: { anyOf: [{ type: "integer" }, { type: "null" }] },
      names: { type: "array", items: { type: ["string", "null"] } },
      by_name: { type: "object", patternProperties: { "^.*$": { type: "number" } } },
      part: { $ref: "#/components/schemas/Part" },
    },
  };
  const responses = {
    200: { content: { "application/json": { schema: answer } } },
    404: { content: { "application/json": { schema: { type: "string" } } } },
  };
  const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string" } }];
  const types = typesOf("test", {
    paths: { "/{id}": { get: { parameters, responses }, delete: { parameters, responses: { 204: {} } } } },
    components: {
      schemas: { Part: { type: "object", properties: { ok: { const: true } } }, Unused: { type: "string" } },
    },
  });
  const lines = types.split("\n").map((line) => line.trim());
  for (const line of [
    'readonly "id": string;',
    'readonly "state": ("on" | "off");',
    'readonly "count"?: (number | null);',
    'readonly "names"?: readonly ((string | null))[];',
    'readonly "by_name"?: Readonly<Record<string, number>>;',
    'readonly "part"?: Schemas["Part"];',
    'readonly "ok"?: true;',
    '"GET /{id}": {',
    'readonly "answer": null;',
  ])
    assert.ok(lines.includes(line), line);
  assert.doesNotMatch(types, /Unused/);
});

test("a reference that leads nowhere is an error", () => {
  const schema = { $ref: "#/components/schemas/Nowhere" };
  const responses = { 200: { content: { "application/json": { schema } } } };
  assert.throws(() => typesOf("test", { paths: { "/": { get: { responses } } } }), /no schema Nowhere/);
});
