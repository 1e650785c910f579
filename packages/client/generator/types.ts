/** The OpenAPI documents that a service gives, and the types of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import openapiTypes, { astToString, type OpenAPI3 } from "openapi-typescript";
import { pino } from "pino";

import { products } from "../../../src/products/index.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import { readConfiguration } from "../../../src/runtime/configuration.ts";
import type { Log } from "../../../src/runtime/log.ts";
import { startSystemClock } from "../../../src/runtime/system-clock.ts";
import { systemRandom } from "../../../src/runtime/system-random.ts";
import { startService } from "../../../src/service/service.ts";

export type { OpenAPI3 };

/** Of a service that starts and ends here, as `readDocuments` names them. */
export async function readTypes(): Promise<ReadonlyMap<string, string>> {
  const log = pino({ level: "error" });
  const clock = startSystemClock(log);
  const dataFolder = mkdtempSync(join(tmpdir(), "boathook-client-"));
  try {
    const types = new Map<string, string>();
    for (const [name, document] of await readDocuments(dataFolder, { clock, log }))
      types.set(name, await typesOf(document));
    return types;
  } finally {
    clock.stop();
    rmSync(dataFolder, { recursive: true });
  }
}

/** As `openapi-typescript --immutable` writes them. */
export async function typesOf(document: OpenAPI3): Promise<string> {
  return astToString(await openapiTypes(document, { immutable: true }));
}

/** The documents of a service on a data folder, by the tag of the product, and of the operator. */
export async function readDocuments(
  dataFolder: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<ReadonlyMap<string, OpenAPI3>> {
  const anyPort = "127.0.0.1:0";
  const environment = {
    BOATHOOK_DATA_DIR: dataFolder,
    BOATHOOK_LISTEN: anyPort,
    BOATHOOK_OPS_LISTEN: anyPort,
    BOATHOOK_ROLES: "api",
  };
  const read = readConfiguration(environment, products);
  if (read.kind === "invalid") throw new Error(read.message);
  const service = await startService(read.settings, { clock, random: systemRandom(), log });
  try {
    const addresses = [
      ["operator", service.opsUrl] as const,
      ...products.map(({ tag }) => [tag, `${service.publicUrl}/${tag}`] as const),
    ];
    const documents = new Map<string, OpenAPI3>();
    for (const [name, address] of addresses) {
      const answer = await fetch(`${address}/openapi.json`);
      documents.set(name, (await answer.json()) as OpenAPI3);
    }
    return documents;
  } finally {
    await service.stop();
  }
}
