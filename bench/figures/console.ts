/** What pages of the console that are open cost the deliveries: the same load with and without, by turns. */
import { compareRates, milliseconds, type Result } from "../report/result.ts";
import type { Bench } from "../setting/bench.ts";
import { loadFully } from "../setting/load.ts";
import { openConsole, type OpenConsole } from "../setting/open-console.ts";
import { perDelivery, processorTime } from "../setting/processor-time.ts";
import { startWithEndpoints } from "../setting/running.ts";
import { measureTurns } from "../setting/undisturbed.ts";

const SHARE = 0.98;

function asked({ tookMs }: OpenConsole): string {
  return `${tookMs.length} requests of at most ${milliseconds(Math.max(...tookMs))}`;
}

/** Two steps of the live stream and more, so that every measurement has some. */
const SECONDS_MIN = 25;

export async function besideConsole(bench: Bench): Promise<Result[]> {
  const { plan, receiver, raising } = bench;
  const running = await startWithEndpoints(bench, plan.endpoints);
  const seconds = Math.max(SECONDS_MIN, plan.seconds);
  const whole = {
    service: running.service.pid,
    PostgreSQL: running.postgres.pid(),
    receiver: receiver.pid,
    load: raising.pid,
  };
  await loadFully(bench, running, plan.warmUpSeconds);

  async function measure(isOpen: boolean): Promise<number> {
    const console = isOpen ? await openConsole(running.service) : null;
    const before = processorTime(whole);
    const { raised, perSecond } = await loadFully(bench, running, seconds);
    const after = processorTime(whole);
    await console?.close();
    bench.say(
      `${console === null ? "no console" : `console open, ${asked(console)}`}: ` +
        `${Math.round(perSecond)} a second (${perDelivery(before, after, raised)})`,
    );
    return perSecond;
  }

  const pairs = await measureTurns(bench, async (turn) => {
    const isOpenFirst = turn % 2 === 1;
    const first = await measure(isOpenFirst);
    const second = await measure(!isOpenFirst);
    return isOpenFirst ? { open: first, without: second } : { without: first, open: second };
  });
  await running.stop();
  return [
    compareRates(
      "durable deliveries a second with three pages of the console open",
      pairs.map(({ open }) => open),
      { name: "none open", rates: pairs.map(({ without }) => without) },
      SHARE,
    ),
  ];
}
