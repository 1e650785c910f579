/**
 * The types that openapi-typescript makes of the OpenAPI documents, as `npm run client` and clients run it: what the
 * documents show of each request and answer compiles against them, and a client need not send what has a default.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { products } from "../../src/products/index.ts";
import { readDocuments, typesOf, type OpenAPI3 } from "../../packages/client/generator/types.ts";
import { makeDataFolder } from "../service/boathook.ts";
import { silentLog } from "../support/log.ts";
import { assertOk, run } from "../support/packed-package.ts";
import { realClock } from "../support/real-clock.ts";

const JSON_TYPE = "application/json";
const dataFolder = makeDataFolder({ withDatabase: true });

type Shown = {
  readonly content?: Readonly<Record<string, { readonly example?: unknown; readonly examples?: object }>>;
};

test("the types of each document take what it shows", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-types-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const documents = await readDocuments(dataFolder, { clock: realClock, log: silentLog });
  assert.equal(documents.size, products.length + 1);
  const clients: string[] = [];
  for (const [name, document] of documents) {
    writeFileSync(join(folder, `${name}.d.ts`), await typesOf(document));
    const lines = shownIn(document);
    assert.ok(lines.length > 10, `${name} has ${lines.length} examples`);
    const client = [
      `import type { paths } from "./${name}.d.ts";`,
      "declare function is<T>(value: T): void;",
      ...lines,
    ];
    writeFileSync(join(folder, `${name}-client.ts`), client.join("\n"));
    clients.push(`${name}-client.ts`);
  }
  const options = ["--noEmit", "--strict", "--skipLibCheck", "false", "--allowImportingTsExtensions"];
  const modules = ["--module", "esnext", "--target", "esnext", "--moduleResolution", "bundler"];
  assertOk(run("tsc", [...options, ...modules, ...clients], folder));
});

/** Each example as an argument of the type that the generator gives it. */
function shownIn({ paths = {} }: OpenAPI3): readonly string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as object).flatMap(([method, operation]) => {
      const type = `paths[${JSON.stringify(path)}]["${method}"]`;
      const { requestBody = {}, responses } = operation as {
        readonly requestBody?: Shown;
        readonly responses: object;
      };
      const answers = Object.entries(responses as Readonly<Record<string, Shown>>);
      return [
        ...linesOf(requestBody, `NonNullable<${type}["requestBody"]>`),
        ...answers.flatMap(([status, answer]) => linesOf(answer, `${type}["responses"][${status}]`)),
      ];
    }),
  );
}

function linesOf({ content }: Shown, type: string): readonly string[] {
  const { example, examples = {} } = content?.[JSON_TYPE] ?? {};
  const named = Object.values(examples as Readonly<Record<string, { readonly value: unknown }>>);
  const values = [...(example === undefined ? [] : [example]), ...named.map(({ value }) => value)];
  return values.map((value) => `is<${type}["content"]["${JSON_TYPE}"]>(${JSON.stringify(value)});`);
}
