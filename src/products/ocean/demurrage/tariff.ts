/** A carrier's free days and charges for boxes at its terminals, and which tariff applies to a box. */

/** Calendar days are `YYYY-MM-DD` at the port. */
export type Tariff = {
  /** SCAC. */
  readonly carrier: string;
  /** UN/LOCODE; null: every port. */
  readonly port: string | null;
  /** A prefix of the box's ISO 6346 size and type code: `2`, `45`, `22G1`; null: every box. */
  readonly equipment: string | null;
  readonly freeDays: number;
  /** True: the day of discharge is the first free day; false: the day after. */
  readonly dischargeDayCounts: boolean;
  /** Which days count as free days. Charged days are always calendar days. */
  readonly days: "calendar" | "working";
  /** Days off besides the weekend of the port's country. */
  readonly holidays: readonly string[];
  /** By first overdue day, beginning with day 1; empty if the charges are unknown. */
  readonly rates: readonly Rate[];
  /** By day of discharge, inclusive. */
  readonly validFrom: string;
  readonly validTo: string | null;
};

export type Rate = { readonly fromDay: number; readonly centsUsd: number };

export type Tariffs = readonly Tariff[];

export type TariffCase = {
  readonly carrier: string;
  /** The UN/LOCODEs that the port may have. */
  readonly ports: readonly string[];
  /** The box's ISO 6346 size and type code; null if unknown. */
  readonly equipment: string | null;
  readonly dischargeDay: string;
};

/** The most specific tariff by port, then by equipment; of equally specific ones, the latest. */
export function tariffFor(tariffs: Tariffs, box: TariffCase): Tariff | null {
  let best: Tariff | null = null;
  for (const tariff of tariffs) {
    if (appliesTo(tariff, box) && (best === null || isMoreSpecific(tariff, best))) best = tariff;
  }
  return best;
}

function appliesTo(tariff: Tariff, { carrier, ports, equipment, dischargeDay }: TariffCase): boolean {
  return (
    tariff.carrier === carrier &&
    (tariff.port === null || ports.includes(tariff.port)) &&
    (tariff.equipment === null || equipment?.startsWith(tariff.equipment) === true) &&
    tariff.validFrom <= dischargeDay &&
    (tariff.validTo === null || dischargeDay <= tariff.validTo)
  );
}

function isMoreSpecific(a: Tariff, b: Tariff): boolean {
  const byPort = Number(a.port !== null) - Number(b.port !== null);
  if (byPort !== 0) return byPort > 0;
  const byEquipment = (a.equipment?.length ?? 0) - (b.equipment?.length ?? 0);
  return byEquipment === 0 ? a.validFrom > b.validFrom : byEquipment > 0;
}

/** In US cents; null if the tariff has no rates. */
export function accruedCents({ rates }: Tariff, daysOverdue: number): number | null {
  if (rates.length === 0) return null;
  let cents = 0;
  for (const [index, { fromDay, centsUsd }] of rates.entries()) {
    const untilDay = Math.min(daysOverdue, (rates[index + 1]?.fromDay ?? Number.POSITIVE_INFINITY) - 1);
    cents += Math.max(0, untilDay - fromDay + 1) * centsUsd;
  }
  return cents;
}
