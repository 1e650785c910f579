/** Simulated carriers, airlines and liner services, replays of recorded answers, and a demo of a service on them. */
export { demo, type DemoHost, type DemoOptions } from "./demo/demo.ts";
export type { Host } from "./host.ts";
export { nodeHost } from "./node-host.ts";
export { replay, type ReplayOptions } from "./replay/run.ts";
export { JOURNEYS_FOLDER } from "./replay/server.ts";
export { simulate, type SimulateOptions } from "./simulate/simulate.ts";
export { tryOut, type TryOptions } from "./try/try.ts";
