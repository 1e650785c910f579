/** Freight rates' running parts: what time changes by itself. */
import { createRateUpdater, type RateUpdaterPorts } from "./rate-updater.ts";

export type Rates = {
  /** Looks no more; resolves when what is under way has ended. */
  stop(): Promise<void>;
};

/** Starts looking where `polls` says so; loading and reading work without it. */
export function startRates(polls: boolean, ports: RateUpdaterPorts): Rates {
  const ticker = createRateUpdater(ports);
  if (polls) ticker.start();
  return { stop: ticker.stop };
}
