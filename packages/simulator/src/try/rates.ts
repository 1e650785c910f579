/** Rates that `try` loads and moves, because no world reports rates: an operator loads them. */
import type { Api } from "../demo/api.ts";
import type { Clock } from "../world/clock.ts";

const LANES = [
  { origin: "CNSHA", destination: "NLRTM", base: 2_100 },
  { origin: "CNSHA", destination: "DEHAM", base: 2_180 },
  { origin: "CNNGB", destination: "USLAX", base: 1_890 },
] as const;

const EQUIPMENT = "40HC";
const CURRENCY = "USD";

export const TRY_INDEX = "try-asia";

/** How often a price moves, and by how much, in turns. */
const MOVE_MS = 30_000;
const MOVES = [-80, 45, 120, -30, 0, 160, -110] as const;

/** The first prices, and an index over them that began at them. */
export async function loadRates(ops: Api, today: string): Promise<void> {
  await ops.post("/v1/rates", { rates: LANES.map((_, lane) => rateOf(lane, today, 0)) });
  await ops.post("/v1/rates/indices", {
    id: TRY_INDEX,
    name: "Asia, 40' high cube",
    currency: CURRENCY,
    base_date: today,
    day: "none",
    lanes: LANES.map(({ origin, destination }) => ({
      origin,
      destination,
      equipment: EQUIPMENT,
      weight: "1",
    })),
  });
  await ops.post(`/v1/rates/indices/${TRY_INDEX}/values`, { on: today });
}

/** Moves a price every now and then, until the function that it returns is called. */
export function moveRates(ops: Api, today: string, clock: Clock): () => void {
  let move = 0;
  let isStopped = false;
  let cancel = () => {};
  const next = () => {
    if (!isStopped) cancel = clock.after(MOVE_MS, () => void load());
  };
  const load = async () => {
    const moved = rateOf(move % LANES.length, today, MOVES[move % MOVES.length]!);
    move += 1;
    // A price that cannot be loaded moves the next time.
    await ops.post("/v1/rates", { rates: [moved] }).catch(() => {});
    next();
  };
  next();
  return () => {
    isStopped = true;
    cancel();
  };
}

function rateOf(lane: number, today: string, change: number): object {
  const { base, ...ends } = LANES[lane]!;
  return {
    ...ends,
    equipment: EQUIPMENT,
    currency: CURRENCY,
    valid_from: today,
    base: (base + change).toFixed(2),
    surcharges: [{ code: "BAF", amount: "310.00" }],
  };
}
