/** A client of the service: an account with keys, and an HTTPS receiver that checks what it is sent. */
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { verify } from "../../packages/receiver/src/verify.ts";
import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { checkDelivery } from "../support/check-deliveries.ts";
import { newAccount, operatorAt, productAt } from "../support/clients.ts";
import { operatorToken, serve, type Addresses, type Settings } from "./boathook.ts";

export type Arrival = {
  readonly path: string;
  readonly id: string;
  readonly type: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what is wrong with it, the assertions say
  readonly data: any;
  /** As it came. */
  readonly received: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };
};

/** Answers a delivery with this status; null: not before the test ends. */
export type Behaviour = (arrival: Arrival) => number | null | Promise<number | null>;

export type Receiver = {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** Signatures that did not fit. There should never be one. */
  readonly wrong: readonly string[];
  /** The settings with which a service reaches it. */
  readonly settings: Settings;
  trust(path: string, secret: string): void;
  behave(behaviour: Behaviour): void;
};

export async function startReceiver(t: Pick<TestContext, "after">): Promise<Receiver> {
  const authority = await createAuthority(Date.now());
  const folder = mkdtempSync(join(tmpdir(), "boathook-receiver-"));
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, authority.cert);
  const certificate = await authority.issue({ hosts: ["127.0.0.1"], ...validAround(Date.now()) });

  const secrets = new Map<string, string>();
  const arrivals: Arrival[] = [];
  const wrong: string[] = [];
  let behaviour: Behaviour = () => 204;

  async function take(request: IncomingMessage): Promise<number | null> {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const path = request.url!.slice(1);
    const verified = verify(body, request.headers, secrets.get(path) ?? "none");
    if (!verified.ok) {
      wrong.push(`${path}: ${verified.message}`);
      return 401;
    }
    const { id, type, data } = verified.delivery;
    checkDelivery(request.headers, body.toString());
    const headers = request.headers as Record<string, string>;
    const arrival = { path, id, type, data, received: { headers, body } };
    arrivals.push(arrival);
    return behaviour(arrival);
  }

  const server = createServer(certificate, (request, response) => {
    take(request).then(
      (status) => void (status !== null && response.writeHead(status).end()),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  });
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    wrong,
    settings: { BOATHOOK_EXTRA_CA_FILE: caFile, BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8" },
    trust: (path, secret) => void secrets.set(path, secret),
    behave: (next) => void (behaviour = next),
  };
}

export type Client = {
  readonly accountId: string;
  readonly key: string;
  /** The id of an endpoint registered at the receiver. */
  register(at: Addresses, product: string, path: string): Promise<string>;
};

/** An account with every entitlement and a key, of the family unless another prefix is named. */
export async function newClient(
  serving: Addresses,
  token: string,
  receiver: Receiver,
  prefix = "tracking",
): Promise<Client> {
  const entitlements = ["aircargo", "freightrates", "loading"];
  const { accountId, key } = await newAccount(serving.opsUrl, token, { prefix, entitlements });
  return {
    accountId,
    key,
    async register(at, product, path) {
      const url = `${receiver.url}/${path}`;
      const { data } = await productAt(`${at.publicUrl}/${product}`, key).ask(
        "POST /v1/webhooks",
        {},
        { url },
      );
      receiver.trust(path, data.secret);
      return data.id;
    },
  };
}

/** A service on the folder's database, and a client whose endpoint of the product is at a receiver. */
export async function serveClient(
  t: TestContext,
  folder: string,
  product: string,
  {
    prefix = "tracking",
    path = product,
    settings = {},
  }: { readonly prefix?: string; readonly path?: string; readonly settings?: Settings } = {},
) {
  const receiver = await startReceiver(t);
  const served = { BOATHOOK_DATA_DIR: folder, ...receiver.settings, ...settings };
  const service = await serve(t, served);
  const token = settings["BOATHOOK_OPERATOR_TOKEN"] ?? operatorToken(folder);
  const client = await newClient(service, token, receiver, prefix);
  const endpoint = await client.register(service, product, path);
  return { receiver, service, served, token, client, endpoint };
}

/** Raises events of the rates product with these numbers; true when they were accepted. */
export async function raise(
  serving: Addresses,
  token: string,
  accountId: string,
  numbers: readonly number[],
): Promise<boolean> {
  const events = numbers.map((number) => ({
    product: "rates",
    account_id: accountId,
    type: "index_refreshed",
    data: { index_id: "europe", dated: "2026-10-30", value: "1042.17", number },
  }));
  return (await operatorAt(serving.opsUrl, token).tryAsking("POST /v1/events", {}, { events })).ok;
}
