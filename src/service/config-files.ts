/** The files that settings name, read before anything is started: all of them, or a line for each that is wrong. */
import { readAirlines } from "../products/air/sources/airlines/airlines-file.ts";
import { readAisFile } from "../products/ocean/sources/ais/ais-file.ts";
import { readCarriers } from "../products/ocean/sources/carriers.ts";
import { readFeeds } from "../products/schedules/sources/feeds-file.ts";
import type { Settings } from "../runtime/settings.ts";
import { readCertificateAuthorities } from "./certificate-authorities.ts";
import { readConfigFile, type Invalid } from "./config-file.ts";
import { ServiceStartupError } from "./startup-error.ts";
import type { Upstreams } from "./upstreams.ts";

export type ConfigFiles = {
  readonly upstreams: Upstreams;
  /** Certificate authorities, PEM, that deliveries trust besides the usual ones; null: none are named. */
  readonly authorities: readonly string[] | null;
};

export type FileSettings = Pick<
  Settings,
  "extraCaFile" | "carriersFile" | "airlinesFile" | "aisFile" | "schedulesFile"
>;

/** What is not named holds nothing. Rejects with `ServiceRefused` when any is wrong. */
export async function readConfigFiles(settings: FileSettings): Promise<ConfigFiles> {
  const refusals: string[] = [];
  async function whereNamed<Read extends { readonly kind: string }>(
    setting: string,
    file: string | null,
    read: (text: string) => Read | Invalid,
  ): Promise<Read | null> {
    if (file === null) return null;
    return readConfigFile(setting, file, read).catch((cause: unknown) => {
      if (!(cause instanceof ServiceStartupError)) throw cause;
      refusals.push(cause.message);
      return null;
    });
  }
  const extraCa = await whereNamed(
    "BOATHOOK_EXTRA_CA_FILE",
    settings.extraCaFile,
    readCertificateAuthorities,
  );
  const carriers = await whereNamed("BOATHOOK_CARRIERS_FILE", settings.carriersFile, readCarriers);
  const airlines = await whereNamed("BOATHOOK_AIRLINES_FILE", settings.airlinesFile, readAirlines);
  const ais = await whereNamed("BOATHOOK_AIS_FILE", settings.aisFile, readAisFile);
  const schedules = await whereNamed("BOATHOOK_SCHEDULES_FILE", settings.schedulesFile, readFeeds);
  if (refusals.length > 0) throw new ServiceStartupError(refusals.join("\n"));
  return {
    upstreams: {
      carriers: carriers?.carriers ?? [],
      airlines: airlines?.airlines ?? [],
      aisFeed: ais?.feed ?? null,
      scheduleFeeds: schedules?.feeds ?? [],
    },
    authorities: extraCa?.authorities ?? null,
  };
}
