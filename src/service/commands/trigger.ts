import { Agent, EnvHttpProxyAgent } from "undici";

import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import type { CommandContext } from "../../cli/context.ts";
import { secretOption } from "../../cli/files.ts";
import { uuid } from "../../cli/options.ts";
import { mintSecret } from "../../engine/secret.ts";
import { sampleOf } from "../../http/webhooks/test.ts";
import { buildDeliveryBody } from "../../model/delivery-body.ts";
import { subscribesTo } from "../../model/endpoint.ts";
import { ping, PING_DATA } from "../../model/ping.ts";
import { products } from "../../products/index.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { keyOf, productClient, productUrl, proxiesOf, type ProductClient } from "./client-request.ts";
import { forwardTo, isLocal, readTarget } from "./forward.ts";
import { KEY_FILE_OPTION, KEY_OPTION, PRODUCT_URL_OPTION } from "./client-options.ts";

export const command: CommandFactory = (at) =>
  action(
    "trigger",
    "Send a sample of an event type, or a ping, to those of your endpoints that subscribe to it. A sample is marked by " +
      "data.sample.",
    "boathook trigger eta_changed --key-file key.txt",
    "boathook trigger eta_changed --forward http://localhost:3000/hooks",
  )
    .argument("<event-type>", "such as eta_changed, or ping")
    .option(...PRODUCT_URL_OPTION)
    .option(...KEY_OPTION)
    .option(...KEY_FILE_OPTION)
    .option("--endpoint <id>", "to this endpoint alone, instead of all that would receive it", uuid)
    .option("--forward <url>", "to this server alone, from here: no key and no endpoint needed")
    .option("--secret <whsec_…>", "with --forward: sign with this secret, instead of a new one")
    .option("--secret-file <file>", "the same, out of sight of other users' ps")
    .action(async (eventType, { endpoint, forward, secret, secretFile, ...options }) => {
      if (forward !== undefined) {
        const given = await secretOption(secret, secretFile, at);
        return forwardSample(at, { eventType, url: options.url, forward, secret: given });
      }
      const proxied = new EnvHttpProxyAgent(proxiesOf(at.environment));
      const client = productClient(productUrl(options.url), await keyOf(options, at), proxied);
      try {
        const ids = endpoint === undefined ? await receivers(client, eventType, at) : [endpoint];
        if (ids.length === 0)
          throw new CommandError(
            `You have no active endpoint that receives ${eventType}; --forward <url> needs none.`,
            1,
          );
        for (const id of ids) {
          const body = eventType === "ping" ? {} : { event_type: eventType };
          const { data: queued } = await client.askOrThrow("POST /v1/webhooks/{id}/test", { id }, body);
          at.out(`${queued.event_type} ${queued.id} to endpoint ${id}\n`);
        }
      } finally {
        await proxied.destroy();
      }
    });

type Forwarded = {
  readonly eventType: string;
  readonly url: string;
  readonly forward: string;
  readonly secret: string | undefined;
};

/** A sample that no service sees. */
async function forwardSample(
  at: CommandContext,
  { eventType, url, forward, secret }: Forwarded,
): Promise<void> {
  const target = readTarget(forward);
  const { headerTag, type, data } = sampleFor(eventType, productUrl(url));
  const signing = secret ?? mintSecret(systemRandom());
  if (signing === "") throw new CommandError("The secret is empty.");
  const clock = startSystemClock(jsonLog("warn"));
  const dispatcher = isLocal(target) ? new Agent() : new EnvHttpProxyAgent(proxiesOf(at.environment));
  const stopped = new AbortController();
  void at.untilSignal().then(() => stopped.abort());
  at.out(`Signing with ${signing}\n`);
  try {
    const nowMs = clock.nowMs();
    const id = systemRandom().uuid(nowMs);
    const event = { id, type, body: buildDeliveryBody(id, type, nowMs, data), headerTag };
    const outcome = await forwardTo(target, event, signing, dispatcher, { clock, signal: stopped.signal });
    at.out(`${type} ${id} ${outcome}\n`);
    if (!outcome.startsWith("2")) at.exitStatus = 1;
  } finally {
    await dispatcher.destroy();
    clock.stop();
  }
}

/** Of the product that the URL ends with, else of the only one that has the type. */
function sampleFor(eventType: string, url: string) {
  const having = products.flatMap((product) => {
    const sample = sampleOf(product, eventType);
    if (sample === null) return [];
    return { ...product, ...(sample ?? { type: ping.name, data: PING_DATA }) };
  });
  const found =
    having.find(({ tag }) => url.endsWith(`/${tag}`)) ?? (having.length === 1 ? having[0] : undefined);
  if (found !== undefined) return found;
  if (having.length === 0) throw new CommandError(`No product raises ${eventType}.`);
  const tags = having.map(({ tag }) => tag).join(", ");
  throw new CommandError(`${eventType} is of ${tags}: name one at the end of --url.`);
}

/** Names the ones that are off. An account has 100 endpoints at most, which is a page. */
async function receivers(
  { askOrThrow }: ProductClient,
  type: string,
  { err }: Pick<CommandContext, "err">,
): Promise<readonly string[]> {
  const { data } = await askOrThrow("GET /v1/webhooks", { limit: 100 });
  const subscribed = data.filter(
    (one) => type === ping.name || subscribesTo({ eventTypes: one.event_types }, type),
  );
  for (const { url, active } of subscribed) if (!active) err(`not to ${url}: it is off\n`);
  return subscribed.filter(({ active }) => active).map(({ id }) => id);
}
