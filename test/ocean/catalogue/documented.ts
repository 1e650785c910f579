/**
 * How each carrier of the catalogue behaves by its documents: written by hand from the sources that its entry names, and
 * not from the entry, so that what an entry says wrong is refused.
 */
import { FORMS } from "../carrier-forms/forms.ts";
import type { DocumentedToken } from "../../source-check/replayed.ts";
import type { CarrierForm } from "../carrier-forms/statement.ts";

export type Documented = {
  /** The path of the question, from the root of its server. */
  readonly path: string;
  /** Credentials in headers of the question: the name, and the need whose value it has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly token?: DocumentedToken;
  /** Parameters that it refuses a question without. */
  readonly wanted?: readonly string[];
  /** Events a page, with `Next-Page`; null: one page. */
  readonly pageEvents: number | null;
  /** The most events of an answer, which `limit` may lessen; what is over is cut without a word. */
  readonly cutsAt?: number;
  /** What is asked for in tests, where it is no container. */
  readonly booking?: string;
  readonly form: CarrierForm;
  readonly refusal: { readonly status: number; readonly body: object };
};

type HmmEvent = { eventType: string; transportCall?: Readonly<Record<string, unknown>> };

const NO_VESSEL = { vessel: undefined, carrierVoyageNumber: undefined };

const form = (name: string): CarrierForm => FORMS[name]!;

/** Each kind of event in a list of its own, the vessels in two more; kinds in small letters. */
const threeLists: CarrierForm = {
  answer(statements, atMs) {
    const { items } = form("hmm").answer(statements, atMs) as { items: HmmEvent[] };
    const list = (kind: string) =>
      items
        .filter(({ eventType }) => eventType === kind.toUpperCase())
        .map(({ transportCall, ...event }) => ({
          ...event,
          eventType: kind,
          ...(transportCall !== undefined && { transportCall: { ...transportCall, ...NO_VESSEL } }),
        }));
    const calls = items.flatMap(({ transportCall }, index) =>
      transportCall?.["vessel"] === undefined ? [] : [{ ...transportCall, transportCallID: `SELM${index}` }],
    );
    return {
      shipment: { carrierID: "HDMU" },
      shipmentEvent: list("Shipment"),
      transportEvent: list("Transport"),
      equipmentEvent: list("Equipment"),
      transportCall: calls,
    };
  },
};

const ZIM = {
  path: "/trackAndTrace/v1",
  pageEvents: null,
  form: form("zim"),
  refusal: {
    status: 401,
    body: { statusCode: 401, message: "Access denied due to invalid subscription key." },
  },
} as const;

const MAERSK: Documented = {
  path: "/track-and-trace-private/events",
  headers: { "consumer-key": "clientId" },
  token: {
    path: "/customer-identity/oauth/v2/access_token",
    by: "form",
    headers: { "consumer-key": "clientId" },
    expiresInS: 7200,
  },
  pageEvents: 3,
  form: form("maersk"),
  refusal: {
    status: 401,
    body: {
      error: [{ code: "ERR_GW_001", message: "API Key Validation Failed", reason: "Invalid or expired Key" }],
    },
  },
};

const CMA_CGM = {
  path: "/operation/trackandtrace/v1/events",
  pageEvents: 3,
  form: form("cma-cgm"),
  refusal: { status: 403, body: { message: "Access denied" } },
} as const;

/** By SCAC, and the kind of signing in where a carrier has several. */
export const DOCUMENTED: Readonly<Record<string, Documented>> = {
  MAEU: MAERSK,
  "CMDU key": { ...CMA_CGM, headers: { keyid: "apiKey" } },
  "CMDU client credentials": {
    ...CMA_CGM,
    headers: {},
    token: {
      path: "/as/token.oauth2",
      by: "form",
      scope: "tandtcommercial:read:be tandtpublic:read:be",
      expiresInS: 299,
    },
  },
  HLCU: {
    path: "/hlag/external/v2/events",
    headers: { "x-ibm-client-id": "clientId", "x-ibm-client-secret": "clientSecret" },
    pageEvents: null,
    cutsAt: 100,
    form: form("hapag-lloyd"),
    refusal: {
      status: 401,
      body: { httpCode: "401", httpMessage: "Unauthorized", moreInformation: "Invalid client id or secret." },
    },
  },
  ONEY: {
    path: "/v2/cargotracking/events",
    headers: { apikey: "apiKey" },
    token: {
      path: "/v1/oauth/accesstoken",
      by: "basic",
      headers: { apikey: "apiKey" },
      isGrantInQuery: true,
      expiresInS: 3599,
    },
    pageEvents: null,
    cutsAt: 100,
    form: form("one"),
    refusal: { status: 401, body: { fault: { faultstring: "Invalid API Key" } } },
  },
  EGLV: {
    path: "/eventUrl/events",
    headers: {},
    token: { path: "/tokenUrl", by: "basic", scope: "TNT", expiresInS: 600 },
    pageEvents: 3,
    form: form("evergreen"),
    refusal: { status: 401, body: { error: "invalid_token" } },
  },
  HDMU: {
    path: "/gateway/dcsaCargoTracking/v1/cargo-tracking-dcsa",
    headers: { "x-gateway-apikey": "apiKey" },
    wanted: ["carrierBookingReference", "equipmentReference"],
    booking: "SELM96466400",
    pageEvents: null,
    form: threeLists,
    refusal: { status: 401, body: { Exception: "Unauthorized application request" } },
  },
  MSCU: {
    path: "/msc/trackandtrace/v2.2/events",
    headers: {},
    token: {
      path: "/088e9b00-ffd0-458e-bfa1-acf4c596d3cb/oauth2/v2.0/token",
      by: "assertion",
      scopeNeed: "scope",
      expiresInS: 3599,
    },
    pageEvents: null,
    form: form("msc"),
    refusal: {
      status: 401,
      body: { statusCode: 401, message: "Unauthorized. Access token is missing or invalid." },
    },
  },
  "ZIMU client credentials and key": {
    ...ZIM,
    headers: { "ocp-apim-subscription-key": "subscriptionKey" },
    token: { path: "/authorize/v1", by: "form", scope: "tracing", expiresInS: 3599 },
  },
  "ZIMU key": { ...ZIM, headers: { "ocp-apim-subscription-key": "subscriptionKey" } },
  YMLU: {
    path: "/open/dcsa/api/tnt/v2/events",
    headers: { keyid: "apiKey" },
    pageEvents: null,
    form: form("yang-ming"),
    refusal: { status: 401, body: { statusCode: 401, statusCodeText: "Unauthorized", errors: [] } },
  },
};
