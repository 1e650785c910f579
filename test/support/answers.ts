/** What tests check in the answers of routes. */
import assert from "node:assert/strict";

import Schema from "typebox/schema";

import { send, type Answer, type TestListeners } from "./service.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- of JSON, what is wrong with it, the assertions say
type Json = any;

export function assertRefused(answer: Answer, status: number, code: string, message = /./): void {
  assert.deepEqual([answer.status, answer.body.error?.code], [status, code], JSON.stringify(answer.body));
  assert.match(answer.body.error.message, message);
}

/** The rows of all pages, each asked for with what follows `limit=…`. */
export async function allPages(
  ask: (cursor: string) => Promise<Answer>,
  rows: (body: Json) => Json = ({ data }) => data,
): Promise<Json[]> {
  const all: Json[] = [];
  for (let cursor = ""; ;) {
    const { status, body } = await ask(cursor);
    assert.equal(status, 200, JSON.stringify(body));
    all.push(...rows(body));
    if (body.next_cursor === undefined) return all;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

/** The answer is one that the product's document names for the operation, such as `GET /v1/webhooks/{id}`. */
export async function assertDocumented(
  service: TestListeners,
  tag: string,
  operation: string,
  { status, body }: Pick<Answer, "status" | "body">,
): Promise<void> {
  const document = (await send(service.api, { method: "GET", url: `/${tag}/openapi.json` })).body;
  const [method, path] = operation.split(" ") as [string, string];
  const said = document.paths[path][method.toLowerCase()].responses[status];
  assert.ok(said, `${operation} does not say that it answers ${status}`);
  const [{ schema }] = Object.values<{ schema: object }>(said.content) as [{ schema: object }];
  const [isRight, errors] = Schema.Errors({ ...document, ...schema }, body);
  assert.ok(isRight, `${operation} ${status}: ${JSON.stringify(errors)}`);
}
