/** The examples of the operator's document are true: each request, sent as it is shown, is answered in the shape shown. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Compile } from "typebox/schema";

import { differenceOf } from "../docs/shown-json.ts";
import { ask, until } from "./boathook.ts";
import { startTryWorld } from "./try-world.ts";

type Media = { readonly schema: object; readonly example: unknown };
type Operation = {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly example: unknown;
  }[];
  readonly requestBody?: { readonly content: { readonly "application/json": Media } };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
};

/** In this order: what makes something goes before what removes it. The console's own page alone can sign in. */
const ROUTES = [
  "GET /healthz",
  "GET /readyz",
  "POST /v1/accounts",
  "GET /v1/accounts",
  "GET /v1/accounts/{id}",
  "PATCH /v1/accounts/{id}",
  "POST /v1/accounts/{id}/keys",
  "GET /v1/accounts/{id}/keys",
  "POST /v1/accounts/{id}/portal-links",
  "GET /v1/accounts/{id}/portal-links",
  "DELETE /v1/accounts/{id}/portal-links/{link_id}",
  "POST /v1/events",
  "GET /v1/events",
  "GET /v1/events/{id}",
  "GET /v1/endpoints",
  "GET /v1/endpoints/failing",
  "GET /v1/endpoints/{id}",
  "GET /v1/endpoints/{id}/health",
  "POST /v1/endpoints/{id}/enable",
  "GET /v1/deliveries",
  "GET /v1/deliveries/{id}",
  "GET /v1/deliveries/{id}/body",
  "GET /v1/deliveries/{id}/signature",
  "GET /v1/status",
  "GET /v1/history",
  "GET /v1/settings",
  "GET /v1/sources",
  "GET /v1/sources/{id}",
  "GET /v1/broadcasts",
  "GET /v1/migrations",
  "POST /v1/vessels/positions",
  "POST /v1/tracking/milestones",
  "POST /v1/air/messages",
  "POST /v1/schedules/{feed}",
  "POST /v1/rates",
  "POST /v1/rates/indices",
  "POST /v1/rates/indices/{id}/values",
  "DELETE /v1/rates/indices/{id}",
  "POST /v1/rates/currencies",
  "GET /v1/rates/currencies",
  "DELETE /v1/rates/currencies",
  "DELETE /v1/rates/{id}",
  "DELETE /v1/keys/{id}",
  "DELETE /v1/session",
  "DELETE /v1/accounts/{id}",
] as const;

/** Streams, and what is no JSON: test/console, test/operator/health.test.ts. */
const NOT_SENT = ["GET /metrics", "GET /v1/live", "POST /v1/session"];

/** Objects whose names are products, reasons and the like. */
const RECORDS: ReadonlySet<string> = new Set([
  ...["checks", "delivered", "failed_attempts", "dead", "backlog", "attempt_seconds", "arrival_seconds"],
]);

test("each request of the operator's document is answered as it shows", async (t) => {
  const { variables } = await startTryWorld(t);
  const { API, OPS, TOKEN, KEY, ACCOUNT } = variables as Record<
    "API" | "OPS" | "TOKEN" | "KEY" | "ACCOUNT",
    string
  >;
  const get = async (url: string, key = TOKEN) => (await ask("GET", url, key)).body;
  await until(
    async () => (await get(`${OPS}/v1/deliveries`)).deliveries.length > 0,
    "something is delivered",
  );

  const { paths, components } = JSON.parse(
    JSON.stringify(await get(`${OPS}/openapi.json`)).replaceAll("#/components/schemas/", "#/$defs/"),
  ) as {
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { readonly schemas: object };
  };
  const documented = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual([...ROUTES, ...NOT_SENT].toSorted(), documented.toSorted());

  /** No example can know them. */
  const idFor = async (route: string): Promise<string | null> => {
    if (route.includes("/indices/") || route.includes("/sources/")) return null;
    if (route.includes("/events/")) return (await get(`${OPS}/v1/events`)).events[0].id;
    if (route.includes("/endpoints/")) return (await get(`${OPS}/v1/endpoints`)).endpoints[0].id;
    if (route.includes("/deliveries/")) return (await get(`${OPS}/v1/deliveries`)).deliveries[0].id;
    if (route.includes("/rates/"))
      return (await get(`${API}/rates/v1/lanes?destination=SGSIN`, KEY)).data[0].rate.id;
    const accounts = (await get(`${OPS}/v1/accounts`)).accounts;
    if (route.includes("/keys/")) return (await get(`${OPS}/v1/accounts/${accounts[0].id}/keys`)).keys[0].id;
    return accounts[0].id;
  };

  const linkOf = async (account: string): Promise<string> =>
    (await get(`${OPS}/v1/accounts/${account}/portal-links`)).portal_links[0].id;

  for (const route of ROUTES) {
    const [method, path] = route.split(" ") as ["GET", string];
    const { parameters = [], requestBody, responses } = paths[path]![method.toLowerCase()]!;
    const id = path.includes("{id}") ? await idFor(route) : null;
    const ids = { id, link_id: path.includes("{link_id}") ? await linkOf(id!) : null };
    const where = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      String(ids[name as keyof typeof ids] ?? parameters.find((one) => one.name === name)!.example),
    );
    const query = new URLSearchParams(
      parameters
        .filter((one) => one.in === "query" && one.required === true)
        .map(({ name, example }) => [name, String(example)]),
    );
    const shown = requestBody?.content["application/json"].example;
    const body = JSON.parse(JSON.stringify(shown ?? null), (name, value) =>
      name === "account_id" ? ACCOUNT : value,
    );
    const answer = await fetch(`${OPS}${where}?${query.toString()}`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body !== null && { "content-type": "application/json" }),
      },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
    const said = await answer.text();
    const documentedAs = responses[answer.status];
    assert.ok(answer.ok && documentedAs !== undefined, `${route} ${answer.status} ${said}`);
    if (said === "") continue;
    const { schema, example } = documentedAs.content!["application/json"]!;
    const real = JSON.parse(said, (name, value) =>
      RECORDS.has(name) && !Array.isArray(value) ? null : value,
    );
    assert.equal(differenceOf(real, example), null, `${route} ${said}`);
    assert.ok(Compile({ ...schema, $defs: components.schemas }).Check(JSON.parse(said)), `${route} ${said}`);
  }

  for (const [url, key, status] of [
    [`${OPS}/v1/accounts`, "wrong", "401"],
    [`${OPS}/v1/accounts/01900000-0000-7000-8000-00000000dead`, TOKEN, "404"],
  ] as const) {
    const path = status === "404" ? "/v1/accounts/{id}" : "/v1/accounts";
    const { example } = paths[path]!["get"]!.responses[status]!.content!["application/json"]!;
    assert.deepEqual(await get(url, key), example);
  }
  const created = paths["/v1/accounts"]!["post"]!.responses["400"]!.content!["application/json"]!;
  assert.deepEqual((await ask("POST", `${OPS}/v1/accounts`, TOKEN, {})).body, created.example);
});
