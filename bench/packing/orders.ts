/** Random orders that take most of one container, or of two: the same ones each time. */
import type { SentRequest } from "../../src/products/loading/request/request-schema.ts";
import { minimalStandard } from "./instances.ts";

/** Of the containers' volume. */
const LEAST_FILL = 0.8;
const MOST_FILL = 0.93;
const DISCARDED = 10;

const SIZES = {
  "20GP": 5_898 * 2_352 * 2_393,
  "40HC": 12_032 * 2_352 * 2_698,
} as const;

export type Order = {
  readonly request: SentRequest;
  /** Containers that hold its volume. */
  readonly fewest: number;
};

export function order(number: number): Order {
  const next = minimalStandard(7 * 7_919 + number * 104_729);
  for (let drawn = 0; drawn < DISCARDED; drawn += 1) next();
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const type = next() < 0.5 ? "40HC" : "20GP";
  const fewest = next() < 0.3 ? 2 : 1;
  const room = fewest * SIZES[type] * (LEAST_FILL + (MOST_FILL - LEAST_FILL) * next());
  const kinds = Array.from({ length: whole(2, 8) }, () => ({
    length_mm: whole(30, 120) * 10,
    width_mm: whole(25, 80) * 10,
    height_mm: whole(20, 100) * 10,
    isTipped: next() < 0.5,
    count: 0,
  }));
  let volume = 0;
  while (true) {
    const kind = kinds[whole(0, kinds.length - 1)]!;
    volume += kind.length_mm * kind.width_mm * kind.height_mm;
    if (volume > room) break;
    kind.count += 1;
  }
  const cargo = kinds
    .filter(({ count }) => count > 0)
    .map(({ isTipped, ...measures }) => ({
      ...measures,
      weight_kg: 1,
      upright: isTipped ? (["length", "width", "height"] as const) : (["height"] as const),
    }));
  const request = {
    cargo: cargo.map((line) => ({ ...line, upright: [...line.upright] })),
    containers: [{ type }],
  };
  return { request, fewest };
}

const STOPS = { least: 2, most: 3 } as const;
const DENSITY_KG_M3 = { least: 100, most: 550 } as const;

/** The same order with lines of differing weight for several stops. */
export function orderWithStops(number: number): Order {
  const { request, fewest } = order(number);
  const next = minimalStandard(11 * 7_919 + number * 15_485_863);
  for (let drawn = 0; drawn < DISCARDED; drawn += 1) next();
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const stops = whole(STOPS.least, STOPS.most);
  const cargo = request.cargo.map((line, at) => {
    const volumeM3 = (line.length_mm! * line.width_mm! * line.height_mm) / 1e9;
    const density = whole(DENSITY_KG_M3.least, DENSITY_KG_M3.most);
    return { ...line, weight_kg: Math.max(1, Math.round(volumeM3 * density)), stop: 1 + (at % stops) };
  });
  return { request: { ...request, cargo }, fewest };
}
