/** What the sources of a fictitious carrier and airline say, by the clock of today. */
import { realClock } from "../support/real-clock.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = realClock.nowMs();
export const inDays = (days: number) => new Date(NOW_MS + days * DAY_MS).toISOString();

/** So many hours ago by a clock in UTC, as Cargo-IMP writes it: 02NOV1405. The zone is no matter here. */
export function ago(hours: number): string {
  const [, day, month, time] = /^\w+, (\d\d) (\w+) \d+ (\d\d:\d\d)/.exec(
    new Date(NOW_MS - hours * HOUR_MS).toUTCString(),
  )!;
  return `${day}${month!.toUpperCase()}${time!.replace(":", "")}`;
}

export const PORTS = ["JPYOK", "CNSHA", "SGSIN"];

type Differently = { readonly status?: string; readonly slipDays?: number; readonly cutOffDays?: number };

export function call(number: string, port: string, arrives: string, leaves: string, more: object = {}) {
  return {
    transportCallReference: `${number}-${port}`,
    ...{ carrierImportVoyageNumber: number, carrierExportVoyageNumber: number },
    location: { locationType: "UNLO", UNLocationCode: port },
    timestamps: [
      { eventTypeCode: "ARRI", eventClassifierCode: "PLN", eventDateTime: arrives },
      { eventTypeCode: "DEPA", eventClassifierCode: "EST", eventDateTime: leaves },
    ],
    ...more,
  };
}

export function vessel(number: string | number, transportCalls: readonly object[]) {
  const named = { vesselIMONumber: `93214${number}`, vesselName: `HERON ${number}` };
  return { ...named, vessel: named, isDummyVessel: false, transportCalls };
}

/** A voyage of a vessel of its own, with a call every three days from that day on. */
export function voyage(
  number: string,
  day: number,
  differently: Record<string, Differently> = {},
  ports = PORTS,
) {
  const calls = ports.map((port) => {
    const { status, slipDays = 0, cutOffDays } = differently[port] ?? {};
    const arrival = day + 3 * PORTS.indexOf(port);
    return call(number, port, inDays(arrival), inDays(arrival + 1 + slipDays), {
      ...(status === undefined ? {} : { statusCodes: [status] }),
      ...(cutOffDays === undefined
        ? {}
        : { cutOffTimes: [{ cutOffDateTimeCode: "FCO", cutOffDateTime: inDays(cutOffDays) }] }),
    });
  });
  return vessel(number.slice(1, 3), calls);
}

export const schedule = (service: string, vesselSchedules: readonly object[]) => [
  { carrierServiceCode: service, carrierServiceName: "Heron Express", vesselSchedules },
];
