/**
 * `DELETE /v1/accounts/{id}`: with all that is its. Nodes, transactions and attempts that have to end first may take
 * minutes, longer than a connection or a proxy stays idle.
 *
 *     asked ─▶ removing ─▶ 200
 *                 └─ANSWER_MS_MAX─▶ 202; removing goes on ─▶ asked again: joins it, or hears its end: 200, 503
 *
 * A removal that was refused, or ended with its process, is finished by asking again.
 */
import Type, { type Static } from "typebox";

import type { Listener } from "../http/listener.ts";
import type { CommandView } from "../model/command-view.ts";
import { readUuid } from "../model/uuid.ts";
import { waitAtMost } from "../runtime/cleanup.ts";
import { SECOND_MS } from "../runtime/durations.ts";
import { RemovalRefused } from "../store/account-removal/fence.ts";
import { removeAccount } from "../store/account-removal/remove-account.ts";
import { AccountPath, NO_ACCOUNT } from "./accounts.ts";
import { refuse } from "./errors.ts";
import type { OperatorPorts } from "./ports.ts";

/** Well below the minute after which listeners and proxies close an idle connection. */
const ANSWER_MS_MAX = 30 * SECOND_MS;
/** Ends of removals that came after their answer, and that nobody has asked about again. */
const ENDS_MAX = 1_000;

type Removal = { readonly ended: Promise<boolean | RemovalRefused>; isAwaitedNoMore: boolean };

const Removed = Type.Object({
  id: Type.String(),
  deleted: Type.Boolean({ description: "false: it goes on; ask again" }),
});

type RemovedAnswer = Static<typeof Removed>;

const REMOVE: CommandView = {
  command: "accounts remove",
  about:
    "Keys, endpoints, deliveries, shipments and plans go with it. Run it again after any failure. It asks for the " +
    "account's name unless you give --yes.",
  confirm: { name: "{name}", about: "This removes the account {name} for good." },
  text: "The account {id} is removed.",
};

export function removeAccountRoute(app: Listener, ports: OperatorPorts): void {
  const { clock, catchUp } = ports;
  const remove = createRemovals(ports);
  const schema = {
    summary: "Remove an account with all that is its",
    params: AccountPath,
    response: { 200: Removed, 202: Removed },
    "x-cli": REMOVE,
  };
  app.delete("/v1/accounts/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    if (id === null) return refuse(reply, NO_ACCOUNT);
    const removal = remove(id);
    if (
      !(await waitAtMost(
        clock,
        ANSWER_MS_MAX,
        removal.ended.then(() => undefined),
      ))
    ) {
      removal.isAwaitedNoMore = true;
      return reply.code(202).send({ id, deleted: false } satisfies RemovedAnswer);
    }
    const removed = await removal.ended;
    if (removed === false) return refuse(reply, NO_ACCOUNT);
    if (removed !== true) {
      return refuse(reply, { code: "UNAVAILABLE", message: `not removed: ${removed.message}` });
    }
    await catchUp?.();
    return { id, deleted: true } satisfies RemovedAnswer;
  });
}

/** Begins the removal of an account, or joins the one that goes on in this process. */
function createRemovals(ports: OperatorPorts): (accountId: string) => Removal {
  const { products, log } = ports;
  const accountTables = products.flatMap((product) => product.accountTables ?? []);
  const underWay = new Map<string, Removal>();
  const ends = new Map<string, true | RemovalRefused>();

  async function run(accountId: string): Promise<boolean | RemovalRefused> {
    try {
      return await removeAccount({ ...ports, accountTables }, accountId);
    } catch (cause) {
      log.warn({ account: accountId, err: cause }, "an account is not removed yet; ask again");
      if (cause instanceof RemovalRefused) return cause;
      throw cause;
    }
  }

  return (accountId) => {
    const end = ends.get(accountId);
    if (ends.delete(accountId)) return { ended: Promise.resolve(end!), isAwaitedNoMore: false };
    const known = underWay.get(accountId);
    if (known !== undefined) return Object.assign(known, { isAwaitedNoMore: false });
    const ended = run(accountId);
    const removal = { ended, isAwaitedNoMore: false };
    underWay.set(accountId, removal);
    const forget = (): void => void underWay.delete(accountId);
    ended.then((removed) => {
      forget();
      if (removed === false || !removal.isAwaitedNoMore) return;
      if (ends.size >= ENDS_MAX) ends.delete(ends.keys().next().value!);
      ends.set(accountId, removed);
    }, forget);
    return removal;
  };
}
