/** The whole service in this process, with an upstream for each of the world's worst answers. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { checkDigitOf } from "../../src/freight/references/awb.ts";
import { checkDigit } from "../../src/freight/references/reference.ts";
import { products } from "../../src/products/index.ts";
import { readConfiguration } from "../../src/runtime/configuration.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { startService, type Service } from "../../src/service/service.ts";
import { silentLog } from "../support/log.ts";
import { realClock } from "../support/real-clock.ts";

export const OPERATOR_TOKEN = "operator-token-of-the-tests";
export const CALLBACK_SECRET = "bm90IGEgc2VjcmV0LCBhbiBleGFtcGxlIG9mIG9uZQ==";

/** An airline for each of these answers, and feeds by name. */
export type Upstreams = {
  readonly feeds: readonly string[];
  readonly fsr: readonly { readonly answer: string; readonly format?: "json" | "xml" }[];
  readonly oneRecord: readonly string[];
};

const FEEDS = { carrier: "HRNL", secret: "the-secret-of-herons" };

export const CARRIER = "HRNL";

/** A container of the carrier. */
export function containerOf(at: number): string {
  const number = `HRNU${String(at).padStart(6, "0")}`;
  return number + checkDigit(number);
}

/** The nth waybill of the airline. */
export function waybillOf(at: number, nth = 0): string {
  const serial = `${900 + at}${1_234_567 + nth}`;
  return serial + checkDigitOf(serial);
}

export async function startAll(
  url: string,
  folder: string,
  { fsr, oneRecord, feeds }: Upstreams,
): Promise<Service> {
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
    return path;
  };
  const sources = [
    ...fsr.map(({ answer, format }) => ({
      kind: "fsr",
      url: `${url}/${answer}`,
      ...(format === undefined ? {} : { answer: { format, at: "a" } }),
    })),
    ...oneRecord.map((answer) => ({ kind: "one-record", objectUrl: `${url}/${answer}/{awb}` })),
  ];
  const read = readConfiguration(
    {
      BOATHOOK_DATA_DIR: folder,
      BOATHOOK_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPERATOR_TOKEN: OPERATOR_TOKEN,
      BOATHOOK_CARRIERS_FILE: file("carriers.json", [
        {
          scac: CARRIER,
          name: "Heron Lines",
          api: "dcsa-tnt-2.2",
          baseUrl: `${url}/${CARRIER}`,
          ownerCodes: ["HRNU"],
          callbackSecrets: [CALLBACK_SECRET],
        },
      ]),
      BOATHOOK_AIRLINES_FILE: file(
        "airlines.json",
        sources.map((source, at) => ({
          name: `Airline ${at}`,
          iata: `X${at % 10}`,
          prefixes: [waybillOf(at).slice(0, 3)],
          sources: [source],
        })),
      ),
      BOATHOOK_SCHEDULES_FILE: file("schedules.json", [
        { ...FEEDS, name: "pushed", kind: "cs-vessel-schedules" },
        { ...FEEDS, name: "routes", kind: "cs-point-to-point" },
        ...feeds.map((name, at) => ({
          ...FEEDS,
          // Of its own, so that no feed leaves out what another listed.
          carrier: `HRN${String.fromCharCode(65 + at)}`,
          name,
          kind: "cs-vessel-schedules",
          url: `${url}/${name}`,
          services: ["HE1"],
          every: "1s",
        })),
      ]),
    },
    products,
  );
  if (read.kind === "invalid") throw new Error(read.message);
  return startService(read.settings, { clock: realClock, random: systemRandom(), log: silentLog }, products);
}
