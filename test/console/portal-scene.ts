/** A client with a receiver, some of whose endpoints fail, on a service whose portal another site may frame. */
import type { TestContext } from "node:test";

import type { Page } from "playwright-core";

import { ask, operatorToken, serve, until, type Serving, type Settings } from "../service/boathook.ts";
import { newClient, raise, startReceiver, type Receiver } from "../service/client.ts";
import { HOSTILE } from "./scene.ts";

const FAILURES = 2;

export function portalOf({ service }: Pick<PortalScene, "service">, path = ""): string {
  return `${service.publicUrl}/rates/portal${path}`;
}

export async function signInTo(page: Page, address: string, key: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
}

export type PortalScene = {
  readonly service: Serving;
  readonly settings: Settings;
  readonly token: string;
  readonly accountId: string;
  readonly key: string;
  readonly receiver: Receiver;
  readonly wellId: string;
  readonly offId: string;
  readonly deliveredId: string;
  readonly failedId: string;
  /** The address of a link that the operator mints. */
  link(product: string, seconds?: number): Promise<string>;
  mint(prefix: string): Promise<{ readonly id: string; readonly key: string }>;
};

/** `folder` is a data folder with a database. */
export async function openPortalScene(
  t: TestContext,
  folder: string,
  given: Settings = {},
): Promise<PortalScene> {
  const receiver = await startReceiver(t);
  const settings = {
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_DISABLE_AFTER_FAILURES: String(FAILURES),
    BOATHOOK_RATE_LIMIT_PER_ADDRESS: "100000",
    BOATHOOK_RETRY_WAITS: "1s,1s,5m,30m,2h",
    ...receiver.settings,
    ...given,
  };
  const service = await serve(t, settings);
  const token = operatorToken(folder);
  receiver.behave(({ path }) => (path === "broken" ? 503 : 204));
  const client = await newClient(service, token, receiver);
  const { accountId, key } = client;
  const wellId = await client.register(service, "rates", "well");
  const offId = await client.register(service, "rates", "broken");
  const of = (id: string) => `${service.publicUrl}/rates/v1/webhooks/${id}`;
  await ask("PATCH", of(offId), key, { description: HOSTILE });
  await raise(service, token, accountId, [1, 2, 3]);
  const read = async (path: string) => (await ask("GET", path, key)).body.data;
  await until(async () => (await read(of(offId))).active === false, "failures disable the endpoint");
  const listed = (id: string, query: string) => read(`${of(id)}/deliveries?${query}`);
  await until(async () => (await listed(wellId, "status=delivered")).length === 3, "deliveries arrive");
  const [delivered] = await listed(wellId, "limit=1");
  const [failed] = await listed(offId, "limit=1");
  return {
    service,
    settings,
    token,
    accountId,
    key,
    receiver,
    wellId,
    offId,
    deliveredId: delivered.id,
    failedId: failed.id,
    async link(product, seconds = 300) {
      const body = { product, expires_in_seconds: seconds };
      return (await ask("POST", `${service.opsUrl}/v1/accounts/${accountId}/portal-links`, token, body)).body
        .url;
    },
    async mint(prefix) {
      return (await ask("POST", `${service.opsUrl}/v1/accounts/${accountId}/keys`, token, { prefix })).body;
    },
  };
}
