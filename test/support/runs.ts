/** Cases of a property in a change's run. */
const CHANGE_RUNS_MAX = 60;

/** How many of a property's cases a run draws: all of them in the soak (BOATHOOK_TEST_SOAK=1), else sixty at most. */
export function runs(all: number): number {
  return process.env["BOATHOOK_TEST_SOAK"] === "1" ? all : Math.min(all, CHANGE_RUNS_MAX);
}
