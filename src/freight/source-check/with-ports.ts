/** The ports of a check that a command runs: the network, the time and chance as they are. */
import { Agent } from "undici";

import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { createHttpPort } from "../upstream/http.ts";
import type { CheckPorts } from "./run-steps.ts";

export async function withCheckPorts(work: (ports: CheckPorts) => Promise<void>): Promise<void> {
  const log = jsonLog("warn");
  const clock = startSystemClock(log);
  const agent = new Agent({ allowH2: false });
  try {
    await work({ http: createHttpPort(agent, clock), clock, random: systemRandom(), log });
  } finally {
    clock.stop();
    await agent.destroy();
  }
}
