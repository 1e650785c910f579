/**
 * `npm run bench:orders`: how many containers the plans of random orders take, beside the fewest that hold their volume,
 * and the time of each plan on one core. `--orders <n>`: how many; by default a hundred.
 */
import { parseArgs } from "node:util";

import { planLoad } from "../src/products/loading/planning/load-plan.ts";
import { readLoadRequest } from "../src/products/loading/request/read-request.ts";
import { order } from "./packing/orders.ts";
import { describe, thisMachine } from "./report/machine.ts";
import { sampleOf } from "./report/statistics.ts";

const { values: options } = parseArgs({ options: { orders: { type: "string", default: "100" } } });
const used: number[] = [];
const spare: number[] = [];
const times: number[] = [];
for (let number = 1; number <= Number(options.orders); number += 1) {
  const { request, fewest } = order(number);
  const read = readLoadRequest(request);
  if (read.kind === "invalid") throw new Error(read.message);
  const before = process.cpuUsage();
  const { containers } = planLoad(read.request);
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1_000);
  used.push(containers.length);
  if (containers.length > fewest) spare.push(number);
}
const { median, most } = sampleOf(times);
console.log(describe(thisMachine("none")));
console.log(`${used.reduce((sum, count) => sum + count, 0)} containers for ${used.length} orders`);
console.log(`${spare.length} orders take more than the volume needs: ${spare.join(", ")}`);
console.log(`a plan: median ${median.toFixed(0)} ms, most ${most.toFixed(0)} ms`);
