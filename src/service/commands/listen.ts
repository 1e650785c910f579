import { Agent } from "undici";

import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { secretOption } from "../../cli/files.ts";
import { uuid } from "../../cli/options.ts";
import { mintSecret } from "../../engine/secret.ts";
import { ping } from "../../model/ping.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { followEvents, summaryOf, type StreamedEvent } from "./follow-events.ts";
import { forwardTo, isLocal, readTarget } from "./forward.ts";
import {
  AFTER_OPTION,
  KEY_FILE_OPTION,
  KEY_OPTION,
  PRODUCT_URL_OPTION,
  REFERENCE_OPTION,
} from "./client-options.ts";

/** Samples of one `trigger` are raised for one endpoint after the other. */
const SAME_SAMPLE_MS_MAX = 3 * SECOND_MS;

export const command: CommandFactory = (at) =>
  action(
    "listen",
    "Forward what your endpoints would get to a server on your machine, signed, until you press Ctrl-C. Nothing is " +
      "retried, and no endpoint is registered or changed. Proxies are taken from HTTP_PROXY, HTTPS_PROXY and NO_PROXY.",
    "boathook listen --key-file key.txt --forward http://localhost:3000/hooks",
  )
    .requiredOption("--forward <url>", "where each event is POSTed")
    .option(...PRODUCT_URL_OPTION)
    .option(...KEY_OPTION)
    .option(...KEY_FILE_OPTION)
    .option("--secret <whsec_…>", "sign with this secret, instead of a new one")
    .option("--secret-file <file>", "the same, out of sight of other users' ps")
    .option(...REFERENCE_OPTION)
    .option(...AFTER_OPTION, uuid)
    .action(async ({ forward, secret: given, secretFile, ...options }) => {
      const target = readTarget(forward);
      const secret = (await secretOption(given, secretFile, at)) ?? mintSecret(systemRandom());
      if (secret === "") throw new CommandError("The secret is empty.");
      if (!isLocal(target)) at.err(`${target.host} is not this machine: your events leave it.\n`);
      at.out(`Signing with ${secret}\n`);
      const local = new Agent();
      const isRepeated = createSampleFilter();
      try {
        await followEvents(at, options, async (event, following) => {
          if (isRepeated(event)) return;
          const dispatcher = isLocal(target) ? local : following.proxied;
          const time = new Date(following.clock.nowMs()).toISOString().slice(11, 19);
          const outcome = await forwardTo(target, event, secret, dispatcher, following);
          const summary = summaryOf(event);
          at.out(`${time} ${event.type} ${event.id} ${outcome}${summary === null ? "" : ` · ${summary}`}\n`);
        });
      } finally {
        await local.destroy();
      }
    });

/** True for a sample that the same command raised for another endpoint: here it has one receiver. */
function createSampleFilter(): (event: StreamedEvent) => boolean {
  let last = { sample: "", atMs: Number.NaN };
  return ({ type, body }) => {
    const { data, occurred_at: at } = JSON.parse(body) as {
      readonly data: { readonly sample?: boolean };
      readonly occurred_at: string;
    };
    if (type !== ping.name && data.sample !== true) return false;
    const next = { sample: `${type} ${JSON.stringify(data)}`, atMs: Date.parse(at) };
    const isSame = next.sample === last.sample && next.atMs - last.atMs <= SAME_SAMPLE_MS_MAX;
    last = next;
    return isSame;
  };
}
