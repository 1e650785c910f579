/** Weeks of rates, a contract with a promotion, exchange rates, and an index over them. */
import { HOSTILE } from "./scene.ts";

const DAY_MS = 86_400_000;

type Operator = (path: string, body: object) => Promise<unknown>;

const LANES = ["CNSHA,NLRTM", "CNSHA,DEHAM", "CNYTN,USLAX", "NLRTM,USNYC"] as const;
const BOXES = ["20GP", "40HC"] as const;
const RATE_CARRIERS = ["HRNL", "KITE", "LOON", ""] as const;
const WEEKS = 14;
/** A trade lane in another currency. */
const IN_EUR = { origin: "CNYTN", destination: "NLRTM", equipment: "40HC", carrier: "KITE", currency: "EUR" };

export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Some weeks of rates for each lane, and an index. */
export async function loadRates(operator: Operator, nowMs: number): Promise<void> {
  const rates = LANES.flatMap((lane, place) =>
    BOXES.flatMap((equipment, size) =>
      RATE_CARRIERS.flatMap((carrier, own) => {
        const [origin, destination] = lane.split(",");
        return Array.from({ length: WEEKS }, (_, week) => ({
          origin,
          destination,
          equipment,
          carrier,
          currency: "USD",
          valid_from: dayOf(nowMs - (WEEKS - 2 - week) * 7 * DAY_MS),
          base: String(
            Math.round(
              (1_400 + place * 350 + own * 70) * (1 + size * 0.75) + Math.sin((week + own * 3) / 5) * 260,
            ),
          ),
          surcharges: [
            { code: "BAF", amount: String(180 + week) },
            { code: "THC", amount: "210", included: true },
          ],
        }));
      }),
    ),
  );
  await operator("/v1/rates", { rates: [...rates, { ...rates[0], ...IN_EUR }, ...contractRates(nowMs)] });
  await operator("/v1/rates/currencies", {
    exchange_rates: Array.from({ length: 12 }, (_, week) => ({
      source: `Bank ${HOSTILE}`,
      base: "EUR",
      currency: "USD",
      date: dayOf(nowMs - week * 7 * DAY_MS),
      rate: (1.1 + week / 100).toFixed(2),
    })),
  });
  await operator("/v1/rates/indices", {
    id: "asia-europe",
    name: `Asia to North Europe ${HOSTILE}`,
    currency: "USD",
    base_date: dayOf(nowMs - 11 * 7 * DAY_MS),
    day: "none",
    lanes: [
      { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", weight: "3" },
      { origin: "CNSHA", destination: "DEHAM", equipment: "40HC", carrier: "KITE", weight: "1.5" },
      { ...IN_EUR, weight: "1" },
    ],
  });
  for (let week = 10; week >= 0; week -= 1)
    await operator("/v1/rates/indices/asia-europe/values", { on: dayOf(nowMs - week * 7 * DAY_MS) });
}

/** A contract beside them, with a promotion that runs. */
function contractRates(nowMs: number): readonly object[] {
  const lane = { origin: "NLRTM", destination: "USNYC", equipment: "40HC", carrier: "KITE", currency: "USD" };
  const rate = {
    ...lane,
    ...{ contract: "SC-118", commodity: "furniture", transit_days: 32, destination_combined_free_days: 14 },
    surcharges: "BAF(Bunker)=350.50|CAF=7.5%|DOC=45.00:bill|THC=1200:CNY|ISPS=12:included",
  };
  const year = { valid_from: dayOf(nowMs - 200 * DAY_MS), valid_to: dayOf(nowMs + 165 * DAY_MS) };
  const days = { valid_from: dayOf(nowMs - 3 * DAY_MS), valid_to: dayOf(nowMs + 4 * DAY_MS) };
  return [
    { ...rate, ...year, base: "2000" },
    { ...rate, ...days, base: "1750", layer: "promotion" },
  ];
}
