/** How each carrier of the catalogue serves schedules by its documents: addresses, what it wants to see, its refusals. */
import type { DocumentedToken } from "../../source-check/replayed.ts";

export type Documented = {
  /** Host and path of each feed's kind. */
  readonly paths: Readonly<Record<string, string>>;
  /** Headers, by the need that fills each. */
  readonly headers: Readonly<Record<string, string>>;
  /** Its path has the host in it. */
  readonly token?: DocumentedToken;
  /** The longest period of departures that routes may be asked for, in days. */
  readonly routeDaysMax?: number;
};

const MAERSK = "api.maersk.com/ocean/commercial-schedules/dcsa/v1";
const HAPAG = "api.hlag.com/hlag/external/v1";
const CMA = "apis.cma-cgm.net/vesseloperation/commercialschedule/v1";
/** Carriers that send an address with the credentials; see `GIVEN`. */
const SENT = "schedules.carrier.example/base";

const dcsa = (base: string) => ({
  "cs-vessel-schedules": `${base}/vessel-schedules`,
  "cs-point-to-point": `${base}/point-to-point-routes`,
});

/** By SCAC, and the way to sign in where a carrier has several. */
export const DOCUMENTED: Readonly<Record<string, Documented>> = {
  MAEU: { paths: dcsa(MAERSK), headers: { "consumer-key": "apiKey" }, routeDaysMax: 56 },
  HLCU: {
    paths: dcsa(HAPAG),
    headers: { "x-ibm-client-id": "clientId", "x-ibm-client-secret": "clientSecret" },
  },
  "CMDU key": { paths: dcsa(CMA), headers: { keyid: "apiKey" } },
  "CMDU client credentials": {
    paths: dcsa(CMA),
    headers: {},
    token: { path: "/auth.cma-cgm.com/as/token.oauth2", by: "form", scope: "commercialschedule:read:be" },
  },
  EGLV: {
    paths: {
      "cs-vessel-schedules": `${SENT}/server/sol/mvs1api/commSch/v1/vessel`,
      "cs-port-schedules": `${SENT}/server/sol/mvs1api/commSch/v1/port`,
      "cs-point-to-point": `${SENT}/server/sol/route/commercial/v1/point-to-point-routes`,
    },
    headers: {},
    token: { path: "/token.carrier.example/token", by: "basic", scope: "DCSA_CS" },
  },
  MSCU: {
    paths: dcsa(SENT),
    headers: {},
    token: {
      path: "/login.microsoftonline.com/088e9b00-ffd0-458e-bfa1-acf4c596d3cb/oauth2/v2.0/token",
      by: "assertion",
      scopeNeed: "scope",
    },
  },
};

/** What a client gives that is no secret. */
export const GIVEN: Readonly<Record<string, string>> = {
  scheduleUrl: `https://${SENT}`,
  tokenUrl: "https://token.carrier.example/token",
};
