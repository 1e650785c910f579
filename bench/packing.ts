/**
 * `npm run bench:packing`: how full one container gets on the test problems BR1 to BR7, beside what has been
 * published. `--quick`: ten problems a set; `--units <n>`: the work allowed a problem.
 */
import { parseArgs } from "node:util";

import { fillRoom } from "../src/producers/loading/packing/search.ts";
import { FILL_UNITS_MAX } from "../src/producers/loading/load-plan.ts";
import { instance, PROBLEMS, SETS } from "./packing/instances.ts";
import { itemsOf, ROOM } from "./packing/items.ts";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    units: { type: "string", default: String(FILL_UNITS_MAX) },
  },
});
const problems = options.quick ? 10 : PROBLEMS;
for (const set of Object.keys(SETS)) {
  let fill = 0;
  let ms = 0;
  let units = 0;
  for (let problem = 1; problem <= problems; problem += 1) {
    const work = { units: 0 };
    const before = process.cpuUsage();
    const filled = fillRoom(itemsOf(instance(set, problem)), ROOM, Number(options.units), work);
    const spent = process.cpuUsage(before);
    ms += (spent.user + spent.system) / 1_000;
    units += work.units;
    fill += filled.volume / (ROOM.length * ROOM.width * ROOM.height);
  }
  console.log(
    set,
    ((100 * fill) / problems).toFixed(2),
    (ms / problems).toFixed(0),
    "ms",
    (units / problems / 1e6).toFixed(1),
    "M units",
  );
}
