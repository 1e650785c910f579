/** What `try` says once it is up: the addresses, how to sign in, and commands to paste for every product. */
import { RETRY_WAITS } from "../demo/environment.ts";
import { TRADE_SPEED_MAX } from "../simulate/trade.ts";
import { DAY_MS } from "../world/durations.ts";
import { WORLD_SPEED } from "./worlds.ts";

export type Welcome = {
  readonly publicUrl: string;
  readonly opsUrl: string;
  readonly receiverUrl: string;
  readonly token: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly container: string;
  readonly waybill: string;
  readonly variablesFile: string;
};

const PLAN = {
  name: "Order 4711",
  cargo: [{ id: "pallet", length_mm: 1200, width_mm: 800, height_mm: 1000, weight_kg: 400, count: 20 }],
};

export function welcomeText(values: Welcome): string {
  const { publicUrl, opsUrl, receiverUrl, token, keys, variablesFile } = values;
  return `
Boathook runs on a simulated world until Ctrl-C.

  public API          ${publicUrl}
  references          ${publicUrl}/tracking/docs, /air/docs, /schedules/docs, /rates/docs, /loading/docs, /operations/docs
  operator's console  ${opsUrl}
    sign in with      ${token}
  clients' portal     ${publicUrl}/tracking/portal, with the key
  receiver            ${receiverUrl}, any path; what arrives is shown below
  key                 ${keys["tracking"]} (ocean, air, rates)

${commands(values)
  .map(([title, command]) => `# ${title}\n${command}\n`)
  .join("\n")}
The examples of the guides work in another terminal in this folder, ${guidesText(variablesFile)}.

A day of the ships and flights passes in ${DAY_MS / WORLD_SPEED / 1000} seconds, one of the sailing schedules in ${DAY_MS / TRADE_SPEED_MAX / 60_000} minutes.
What the sources report (events, ETAs, seen_at) is of the world's time, which runs ahead of this machine's. What Boathook does
(created_at, refreshed_at, occurred_at, attempts) is of the latter. Retry waits are cut to ${RETRY_WAITS}.
The endpoint tracking-broken fails for good, so that you can find out why in the console.

`;
}

function guidesText(variablesFile: string): string {
  const first = `after \`. ${variablesFile}\``;
  return variablesFile === VARIABLES_OF_GUIDES
    ? `${first}, as they stand`
    : `${first} in place of \`. ${VARIABLES_OF_GUIDES}\``;
}

const VARIABLES_OF_GUIDES = "./boathook-try.env";

function commands({ publicUrl, keys, container, waybill }: Welcome): readonly (readonly [string, string])[] {
  const tracking = `-H 'Authorization: Bearer ${keys["tracking"]}'`;
  const json = "-H 'Content-Type: application/json'";
  return [
    [
      "Ocean: track a container",
      `curl -s ${publicUrl}/tracking/v1/containers ${tracking} ${json} -d '{"reference": "${container}"}'`,
    ],
    ["Air: track a waybill", `curl -s ${publicUrl}/air/track/${waybill} ${tracking}`],
    [
      "Schedules: search sailings",
      `curl -s '${publicUrl}/schedules/public/sailings?origin=CNSHA&destination=NLRTM'`,
    ],
    [
      "Rates: read a trade lane",
      `curl -s '${publicUrl}/rates/v1/lanes?origin=CNSHA&destination=NLRTM' ${tracking}`,
    ],
    [
      "Load planning: ask for a plan",
      `curl -s ${publicUrl}/loading/v1/plans -H 'Authorization: Bearer ${keys["loading"]}' ${json} -d '${JSON.stringify(PLAN)}'`,
    ],
  ];
}
