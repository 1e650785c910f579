import { CELLS } from "./cells.ts";
import { CLIENTS } from "./clients.ts";
import { DATABASE } from "./database.ts";
import type { Fault } from "./fault.ts";
import { PROCESSES } from "./processes.ts";
import { RECEIVERS } from "./receivers.ts";
import { STARTS } from "./starts.ts";
import { UPSTREAMS } from "./upstreams.ts";

/** All faults of the drill, by what fails. */
export const ALL: Readonly<Record<string, readonly Fault[]>> = {
  Database: DATABASE,
  "Cells and servers": CELLS,
  Processes: PROCESSES,
  Receivers: RECEIVERS,
  "Carriers and feeds": UPSTREAMS,
  "Clients and attackers": CLIENTS,
  Starts: STARTS,
};
