/**
 * `npm run bench:orders`: how many containers the plans of random orders take, beside the fewest that hold their volume,
 * how many of them are in balance, and the time of each plan on one core. `--orders <n>`: how many; by default a
 * hundred. `--stops`: orders of several stops, with lines of differing weight.
 */
import { parseArgs } from "node:util";

import { planLoad } from "../src/products/loading/planning/load-plan.ts";
import { planDetail } from "../src/products/loading/plan/plan-view.ts";
import { readLoadRequest } from "../src/products/loading/request/read-request.ts";
import { order, orderWithStops } from "./packing/orders.ts";
import { describe, thisMachine } from "./report/machine.ts";
import { sampleOf } from "./report/statistics.ts";

const { values: options } = parseArgs({
  options: {
    orders: { type: "string", default: "100" },
    stops: { type: "boolean", default: false },
  },
});
const used: number[] = [];
const spare: number[] = [];
const times: number[] = [];
const broken: string[] = [];
for (let number = 1; number <= Number(options.orders); number += 1) {
  const { request, fewest } = options.stops ? orderWithStops(number) : order(number);
  const read = readLoadRequest(request);
  if (read.kind === "invalid") throw new Error(read.message);
  const before = process.cpuUsage();
  const plan = planLoad(read.request);
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / 1_000);
  const { containers } = planDetail(read.request, plan);
  used.push(containers.length);
  if (containers.length > fewest) spare.push(number);
  for (const { limits } of containers) {
    const names = limits.filter(({ kept }) => !kept).map(({ limit, value }) => `${limit} ${value}`);
    if (names.length > 0) broken.push(`${number}: ${names.join(", ")}`);
  }
}
const all = used.reduce((sum, count) => sum + count, 0);
const { median, most } = sampleOf(times);
console.log(describe(thisMachine("none")));
console.log(`${all} containers for ${used.length} orders`);
console.log(`${spare.length} orders take more than the volume needs: ${spare.join(", ")}`);
console.log(
  `${all - broken.length} of ${all} containers keep all limits of weight; not: ${broken.join("; ")}`,
);
console.log(`a plan: median ${median.toFixed(0)} ms, most ${most.toFixed(0)} ms`);
