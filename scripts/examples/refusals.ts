/** Provokes what a route refuses, for the message of each code that its document lists. */
import { ERRORS, type ErrorCode } from "../../src/model/errors.ts";
import { ask, send, type Request, type Route, type Scene } from "./api.ts";

const NOWHERE = "01900000-0000-7000-8000-00000000dead";

/** The codes that the document lists. */
export function codesOf({ responses }: Route): readonly ErrorCode[] {
  return Object.entries(responses)
    .filter(([status]) => status >= "400")
    .flatMap(([, { description }]) => description.split(", ").map((code) => code.toUpperCase()))
    .filter((code): code is ErrorCode => code in ERRORS);
}

/** What is said with the code; null where nothing here provokes it. `asked` succeeded. */
export async function messageOf(
  scene: Scene,
  route: Route,
  code: ErrorCode,
  asked: Request,
): Promise<string | null> {
  const wrong = await wrongIn(scene, route, code, asked);
  if (wrong === null) return null;
  const { text } = await send(scene.api, route, { ...asked, ...wrong });
  const { error } = JSON.parse(text) as {
    readonly error?: { readonly code: string; readonly message: string };
  };
  if (error?.code.toUpperCase() !== code) throw new Error(`${route.name} ${code}: ${text}`);
  return error.message;
}

async function wrongIn(scene: Scene, route: Route, code: ErrorCode, asked: Request): Promise<Request | null> {
  const { api } = scene;
  const { parameters = {} } = asked;
  const having = (values: Readonly<Record<string, unknown>>) => ({
    parameters: { ...parameters, ...values },
  });
  const takes = (name: string) => route.parameters?.some((one) => one.name === name) === true;
  switch (code) {
    case "INVALID_REQUEST":
      // A file is served whatever its query is.
      if (route.path.endsWith(".json")) return null;
      return having(takes("limit") ? { limit: 1_000_000 } : { colour: "red" });
    case "UNAUTHORIZED":
      if (route.operationId === "openPortalSession") return { body: { key: FAKE_KEY } };
      if (route.operationId === "postSession") return { body: { token: "another" } };
      // An address may be refused a minute's share only, and all others say the same.
      return route === api.routes.find(isKeyed) ? { key: null } : null;
    case "ENTITLEMENT_REQUIRED":
      return { key: api.poorKey };
    case "UNSUPPORTED_MEDIA_TYPE":
      return { body: "x", type: "image/png" };
    case "PAYLOAD_TOO_LARGE":
      return { body: "x".repeat(BODY_BYTES) };
    case "INVALID_URL":
      return { body: { url: "http://example.com/" } };
    case "INVALID_REFERENCE":
      return route.method === "POST"
        ? { body: { reference: "AVCU0003378" } }
        : having({ reference: "AVCU0003378" });
    case "INVALID_AWB":
      return having({ awb: "941-10003034" });
    case "UNKNOWN_AIRLINE":
      return having({ awb: "000-10003033" });
    case "AIRLINE_NOT_CONFIGURED":
      return having({ awb: "176-12345675" });
    case "WAYBILL_NOT_FOUND":
      return having({ awb: "941-10003044" });
    case "UNKNOWN_VERSION":
      return having({ "api-version": "2019-01-01" });
    case "ENDPOINT_DISABLED":
      return having({ id: await inactiveEndpoint(scene) });
    case "NOT_FOUND":
      return having(unknown(route));
    default:
      return null;
  }
}

/** As no key is: of the right form alone. */
export const FAKE_KEY = "tracking_EWaetCt3RC5HyDWCnd8XqirvnjiReT1pKA2Q";

/** More than any route takes but those for many events. */
const BODY_BYTES = 17 * 1024 * 1024;

function isKeyed({ operationId, responses }: Route): boolean {
  return "401" in responses && !/session/i.test(operationId);
}

/** Values of the path, or of the query where it has none, that lead nowhere. */
function unknown({ path, parameters = [] }: Route): Readonly<Record<string, string>> {
  const asked = parameters.find((one) => one.in === "query" && one.required === true)?.name;
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? asked ?? "endpoint_id";
  // The operator's routes find a shipment by its id, too.
  const isOfOperator = last === "reference" && path.startsWith("/v1/");
  return { [last]: (isOfOperator ? undefined : WRONG[last]) ?? NOWHERE };
}

const WRONG: Readonly<Record<string, string>> = {
  ...{
    awb: "941-10003033",
    prefix: "000",
    imo: "9074729",
    reference: "LESU0001007",
    feed: "none",
    source: "NOWHERE",
  },
};

async function inactiveEndpoint({ api, world }: Scene): Promise<string> {
  type Registered = { readonly data: { readonly id: string } };
  const { data } = await ask<Registered>(api, "POST", "/v1/webhooks", { url: `${world.RECEIVER}/off` });
  await ask(api, "PATCH", `/v1/webhooks/${data.id}`, { active: false });
  return data.id;
}
