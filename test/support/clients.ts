/** Typed clients of a running service. */
import {
  createClient,
  orThrow,
  sendWith,
  type AnyProduct,
  type Api,
  type BodyOf,
  type Operator,
} from "@boathook/client";

const ANSWER_MS_MAX = 20_000;

type Prefix = BodyOf<Operator, "POST /v1/accounts/{id}/keys">["prefix"];

export const operatorAt = (opsUrl: string, token: string) => clientAt<Operator>(opsUrl, token);
export const productAt = (url: string, key: string) => clientAt<AnyProduct>(url, key);

/** `ask` throws a refusal, `tryAsking` returns it. */
function clientAt<One extends Api>(url: string, token: string) {
  const client = createClient<One>(url, sendWith(token, ANSWER_MS_MAX));
  const ask = orThrow(client, ({ status, message }) => new Error(`${url} answered ${status}: ${message}`));
  return { ask, tryAsking: client.ask };
}

/** An account with a key. */
export async function newAccount(
  opsUrl: string,
  token: string,
  { prefix = "tracking", entitlements = [] }: { prefix?: string; entitlements?: readonly string[] } = {},
): Promise<{ readonly accountId: string; readonly key: string }> {
  const { ask } = operatorAt(opsUrl, token);
  const { id: accountId } = await ask("POST /v1/accounts", {}, { name: "Acme", entitlements });
  const { key } = await ask("POST /v1/accounts/{id}/keys", { id: accountId }, { prefix: prefix as Prefix });
  return { accountId, key };
}
