/** A version's shape is frozen (spec 9: pinning): what answers had by a day, `answer-fields.txt`, and what entries say since. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { products } from "../../src/products/index.ts";
import { ofSuite } from "../support/suite.ts";
import { startEveryRoute } from "./every-route.ts";

type Schema = Readonly<Record<string, unknown>>;
type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, unknown>> };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** Lines of `product operation: field field …`, as of 2026-11-26. */
const FROZEN = new Map(
  readFileSync(new URL("answer-fields.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2).split(" ")] as const),
);

const ROOT = new URL("../../", import.meta.url);
const CHANGELOG = readFileSync(new URL("CHANGELOG.md", ROOT), "utf8");
/** What the ocean product announces of its changes. */
const ANNOUNCED = readdirSync(new URL("changelog/", ROOT))
  .map((name) => readFileSync(new URL(`changelog/${name}`, ROOT), "utf8"))
  .join("\n");

describe("the fields of answers", () => {
  const service = ofSuite(() => startEveryRoute());

  for (const { tag } of products)
    test(`${tag}: none is gone, and each that was added has an entry that names it`, async () => {
      const { payload } = await service.api.inject({ method: "GET", url: `/${tag}/openapi.json` });
      const said = tag === "tracking" ? ANNOUNCED : CHANGELOG;
      const operations = fieldsOf(JSON.parse(payload) as Document);
      for (const [operation, fields] of operations) {
        const frozen = FROZEN.get(`${tag} ${operation}`);
        const added = [...fields].filter((field) => !frozen?.includes(field));
        if (frozen === undefined) continue;
        assert.deepEqual(
          added.filter((field) => !said.includes(field)),
          [],
          `${operation} has fields without an entry`,
        );
        assert.deepEqual(
          frozen.filter((field) => !fields.has(field)),
          [],
          `${operation} has lost fields`,
        );
      }
      const gone = [...FROZEN.keys()].filter(
        (key) => key.startsWith(`${tag} `) && !operations.has(key.slice(tag.length + 1)),
      );
      assert.deepEqual(gone, [], "operations that are gone");
    });
});

/** By operation, the names of all fields of its answers of success. */
function fieldsOf({ paths, components }: Document): ReadonlyMap<string, ReadonlySet<string>> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return new Map(
    operations.map(({ operationId, responses }) => {
      const names = new Set<string>();
      const seen = new Set<string>();
      for (const [status, response] of Object.entries(responses))
        if (status.startsWith("2")) addNames(response, components.schemas, names, seen);
      return [operationId, names];
    }),
  );
}

function addNames(
  value: unknown,
  schemas: Document["components"]["schemas"],
  names: Set<string>,
  seen: Set<string>,
): void {
  if (Array.isArray(value)) for (const one of value) addNames(one, schemas, names, seen);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return;
  const schema = value as Schema;
  const { $ref: link, properties, example: _, examples: __, ...rest } = schema;
  if (typeof link === "string" && !seen.has(link)) {
    seen.add(link);
    addNames(schemas[link.split("/").at(-1)!], schemas, names, seen);
  }
  for (const [name, one] of Object.entries((properties ?? {}) as Schema)) {
    names.add(name);
    addNames(one, schemas, names, seen);
  }
  for (const one of Object.values(rest)) addNames(one, schemas, names, seen);
}
