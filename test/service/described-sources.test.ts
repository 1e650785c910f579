/** The outside sources that the files of an installation name, as the operator's API describes them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";

import { Compile } from "typebox/compile";

import { readSources } from "../../src/freight/sources/read-sources.ts";
import { sourceRoutes } from "../../src/freight/sources/routes.ts";
import { createSourceLog } from "../../src/freight/sources/source-log.ts";
import { products } from "../../src/products/index.ts";
import { readConfiguration } from "../../src/runtime/configuration.ts";
import { readConfigFiles } from "../../src/service/config-files.ts";
import { describeSources } from "../../src/service/products.ts";
import { manualClock } from "../support/clock.ts";
import { createTestDatabase } from "../support/database.ts";
import { recordingLog } from "../support/log.ts";
import { unwatchedLoops } from "../support/loops.ts";

describe("the sources of all products", () => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-sources-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };

  async function describedBy(environment: Readonly<Record<string, string>>) {
    const configured = readConfiguration(environment, products);
    if (configured.kind === "invalid") assert.fail(configured.message);
    return describeSources(products, await readConfigFiles(configured.settings, products));
  }

  test("are there, polled and pushed, with no secret of their entries", async () => {
    const described = await describedBy({
      BOATHOOK_CARRIERS_FILE: file("carriers.json", [
        {
          scac: "HRNL",
          name: "Heron Line",
          api: "dcsa-tnt-2.2",
          baseUrl: "https://heron.example",
          headers: { "x-key": "sesame" },
          callbackSecrets: [Buffer.alloc(16).toString("base64")],
          portCalls: { baseUrl: "https://heron.example/calls", quota: { perDay: 9 } },
        },
      ]),
      BOATHOOK_AIS_FILE: file("ais.json", {
        name: "Lookout",
        url: "https://ais.example/{imo}?key=sesame",
        fields: { status: "status", at: "at" },
      }),
      BOATHOOK_AIRLINES_FILE: file("airlines.json", [
        {
          name: "Falcon",
          iata: "F8",
          prefixes: ["176", "901"],
          sources: [{ kind: "one-record", objectUrl: "https://falcon.example/{awb}" }, { kind: "push" }],
        },
      ]),
      BOATHOOK_SCHEDULES_FILE: file("schedules.json", [
        {
          name: "heron-east",
          carrier: "HRNL",
          kind: "cs-vessel-schedules",
          url: "https://heron.example/cs",
          ports: ["NLRTM"],
          secret: "sesame-sesame-sesame",
        },
        { name: "heron-west", carrier: "HRNL", kind: "cs-vessel-schedules" },
      ]),
    });
    const listed = described.flatMap(({ product, sources }) =>
      sources.map(({ id, channels }) => [product, id, channels.map(({ name }) => name)]),
    );
    assert.deepEqual(listed, [
      ["tracking", "carrier-hrnl", ["ocean HRNL", "ocean HRNL port calls", "ocean HRNL callbacks"]],
      ["tracking", "vessels", ["ais Lookout", "vessel positions"]],
      ["tracking", "imported-milestones", ["imported milestones"]],
      ["air", "airline-f8-176", ["air F8 one-record 1", "air messages"]],
      ["air", "air-messages", ["air messages"]],
      ["schedules", "schedules-heron-east", ["schedules heron-east", "schedules heron-east pushes"]],
      ["schedules", "schedules-heron-west", ["schedules heron-west pushes"]],
      ["rates", "rates", ["rates", "exchange rates"]],
    ]);
    assert.ok(!JSON.stringify(described).includes("sesame"));
    assert.equal(new Set(listed.map(([, id]) => id)).size, listed.length);
  });

  test("answer as their schema says", async () => {
    const stored = await createTestDatabase();
    const described = await describedBy({});
    const log = recordingLog();
    const clock = manualClock();
    const cells = stored.cells as readonly [(typeof stored.cells)[number]];
    const note = createSourceLog({ database: stored.database, cells, clock, log, loops: unwatchedLoops });
    note.onPushed("rates", { subject: "3 lines", isRead: true, problems: ["line 2: no price"] });
    await note.stop();
    const schemas: object[] = [];
    const app = {
      get: (_path: string, { schema }: { readonly schema: { readonly response: object } }) =>
        schemas.push((schema.response as Readonly<Record<number, object>>)[200]!),
    };
    for (const route of sourceRoutes(async () => described).guarded!) route(app as never, {} as never);
    const sources = await readSources({ database: stored.database, cells, clock }, described);
    const check = Compile(closed(schemas[0]!) as object);
    assert.ok(check.Check({ sources }), JSON.stringify(check.Errors({ sources })));
    assert.ok(!check.Check({ sources: [{ ...sources[0]!, more: 1 }] }));
    assert.equal(sources.find(({ id }) => id === "rates")!.channels[0]!.last?.subject, "3 lines");
    await stored.drop();
  });
});

/** No field that is not described. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return "properties" in schema ? { ...inside, additionalProperties: false } : inside;
}
