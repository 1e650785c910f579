/** The process in which worlds are lived, one after the other, as `main.ts` asks for them. */
import "./time.ts";
import "./network.ts";
import { inspect } from "node:util";

import { lineOf, storyOf } from "./story.ts";

const { live } = await import("./live.ts");

/** Which world, and where its database is; only these of its steps, if any are named. */
export type Wanted = {
  readonly seed: number;
  readonly steps?: readonly number[] | undefined;
  readonly isVerbose: boolean;
  /** Nothing happens: what is imported late is loaded, which waits for the machine. */
  readonly isFirst?: boolean;
  readonly server: Parameters<typeof live>[1];
};

export type Lived = {
  readonly isRight: boolean;
  readonly said: readonly string[];
  /** How often what happened under which kind of fault. */
  readonly seen: Readonly<Record<string, number>>;
  /** It does not end. */
  readonly stands?: boolean;
};

process.on("message", (wanted: Wanted) => {
  void liveOne(wanted).then((lived) => process.send?.(lived));
});

async function liveOne({ seed, steps: kept, isVerbose, isFirst, server }: Wanted): Promise<Lived> {
  const said: string[] = [];
  const story = { ...storyOf(seed), ...(isFirst && { lastsMs: 0, hasSources: true }) };
  const steps = story.steps.filter((_step, index) => kept?.includes(index) ?? true);
  try {
    const { wrong, hash, counts, seen, tookMs } = await live(
      { ...story, steps },
      server,
      (line) => void (isVerbose && said.push(line)),
    );
    if (wrong.length > 0) {
      const { nodes, cells, brokenStarts } = story;
      said.push(
        `seed ${seed}, ${nodes} nodes, ${cells} cells, after ${brokenStarts.length} starts that broke off:`,
        ...steps.map(lineOf),
        "What must hold does not:",
      );
      said.push(...wrong.map((one) => `  ${one}`));
    }
    const { faults, calls, attempts, statements } = counts;
    const seconds = (tookMs / 1_000).toFixed(0);
    said.push(
      `seed ${seed}: ${seconds} s, ${faults} faults, ${calls} calls, ${attempts} attempts, ${statements} statements`,
    );
    said.push(`hash ${hash}`);
    return { isRight: wrong.length === 0, said, seen: Object.fromEntries(seen) };
  } catch (cause) {
    said.push(inspect(cause), `seed ${seed}: broken`, "hash none");
    return { isRight: false, said, seen: {} };
  }
}
