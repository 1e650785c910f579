/**
 * Clients that are generated from the OpenAPI documents, by a generator from the registry: what the documents show of each
 * request and answer compiles against its types, and a client need not send what has a default.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { readDocuments, type Document } from "../../scripts/client-types.ts";
import { products } from "../../src/products/index.ts";
import { makeDataFolder } from "../service/boathook.ts";
import { silentLog } from "../support/log.ts";
import { assertOk, run } from "../support/packed-package.ts";
import { realClock } from "../support/real-clock.ts";

const GENERATOR = ["openapi-typescript@7.13.0", "typescript@5.9.3"];
const REGISTRY_WAIT_MS_MAX = 20_000;

const registry = spawnSync("npm", ["view", GENERATOR[0]!, "version"], { timeout: REGISTRY_WAIT_MS_MAX });
const skip = registry.status === 0 ? false : "the npm registry cannot be reached";

const JSON_TYPE = "application/json";
const dataFolder = makeDataFolder({ withDatabase: true });

type Shown = {
  readonly content?: Readonly<Record<string, { readonly example?: unknown; readonly examples?: object }>>;
};

describe("a generated client", { skip }, () => {
  let folder = "";
  let documents: ReadonlyMap<string, Document>;
  before(async () => {
    documents = await readDocuments(dataFolder, { clock: realClock, log: silentLog });
    folder = mkdtempSync(join(tmpdir(), "boathook-clients-"));
    writeFileSync(join(folder, "package.json"), '{"name":"client","private":true,"type":"module"}');
    assertOk(run("npm", ["install", "--no-audit", "--no-fund", ...GENERATOR], folder));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const name of [...products.map(({ tag }) => tag), "operator"]) {
    test(`of ${name} takes what its document shows`, () => {
      const document = documents.get(name)!;
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
      assertOk(run("npx", ["openapi-typescript", `${name}.json`, "--output", `${name}.d.ts`], folder));
      const lines = shownIn(document);
      assert.ok(lines.length > 10, `${lines.length} examples`);
      const client = [
        `import type { paths } from "./${name}.d.ts";`,
        "declare function is<T>(value: T): void;",
        ...lines,
      ];
      writeFileSync(join(folder, `${name}-client.ts`), client.join("\n"));
      const options = [
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "false",
        "--allowImportingTsExtensions",
        "--module",
        "esnext",
      ];
      assertOk(
        run(
          "npx",
          ["tsc", ...options, "--target", "esnext", "--moduleResolution", "bundler", `${name}-client.ts`],
          folder,
        ),
      );
    });
  }
});

/** Each example as an argument of the type that the generator gives it. */
function shownIn({ paths }: Document): readonly string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
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
