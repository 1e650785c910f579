/**
 * What accounts may do, changed in the middle of it all: keys and links of the portal that are revoked, entitlements that
 * are taken and given back. Each revoked credential knocks at every node, soon after and at the end.
 */
import { type Answer, ask, type Body } from "./http.ts";
import { type Node, OPERATOR_TOKEN } from "./node.ts";
import { type Revoked, seconds } from "./observed.ts";
import { after, worldMs } from "./time.ts";
import { type Account, see, servingNodes, type World } from "./world.ts";

/** After a revocation, when what was revoked is tried. */
const KNOCKS_MS = [0, 1_500, 30_000];

/** A new key in place of the old one, which is revoked, and its session of the portal with it. */
export async function rotate(world: World, node: Node, account: Account, prefix: string): Promise<void> {
  const made = await ofOperator(world, node, "POST", `/v1/accounts/${account.id}/keys`, { prefix });
  const old = account.keys.get(prefix);
  if (made === null || old === undefined) return;
  account.keys.set(prefix, { id: String(made["id"]), text: String(made["key"]) });
  const session = await openSession(node, prefix, { key: old.text });
  account.leaving.add(old.text);
  const gone = await ofOperator(world, node, "DELETE", `/v1/keys/${old.id}`);
  if (gone === null) return;
  see(world, "revoke a key", node);
  const texts = session === null ? [old.text] : [old.text, session];
  await knockWith(world, { texts, node: node.name, doneMs: worldMs(), product: prefix });
}

/** A link to the portal, a session of it, and its revocation. */
export async function lend(world: World, node: Node, account: Account): Promise<void> {
  const path = `/v1/accounts/${account.id}/portal-links`;
  const made = await ofOperator(world, node, "POST", path, { product: "tracking" });
  if (made === null) return;
  const [, link = ""] = String(made["url"]).split("#link=");
  const session = await openSession(node, "tracking", { link });
  const gone = await ofOperator(world, node, "DELETE", `${path}/${String(made["id"])}`);
  if (gone === null) return;
  see(world, "revoke a link", node);
  if ((await openSession(node, "tracking", { link })) !== null)
    world.wrong.push(`a link was followed at ${seconds(worldMs())}, after its revocation`);
  if (session !== null)
    await knockWith(world, { texts: [session], node: node.name, doneMs: worldMs(), product: "tracking" });
}

export async function entitle(world: World, node: Node, account: Account, isOn: boolean): Promise<void> {
  const change = { to: isOn ? ("active" as const) : ("paused" as const), askedMs: worldMs() };
  const made: Account["entitlement"][number] = { ...change, doneMs: null };
  account.entitlement.push(made);
  const entitlements = isOn ? ["aircargo"] : [];
  if ((await ofOperator(world, node, "PATCH", `/v1/accounts/${account.id}`, { entitlements })) === null)
    return;
  made.doneMs = worldMs();
  see(world, isOn ? "entitle" : "take an entitlement", node);
}

/** When all is at rest, nothing that was ever revoked is good anywhere. */
export async function knockAtTheEnd(world: World): Promise<void> {
  for (const { texts, product, doneMs } of world.revoked)
    for (const node of servingNodes(world))
      for (const text of texts) {
        const answer = await ask(node.ports.api, "GET", `/${product}/v1/webhooks`, text);
        if (answer?.status === 401) continue;
        world.wrong.push(
          `${node.name} answered ${answer?.status ?? "nothing"} at the end to what was revoked at ${seconds(doneMs)}`,
        );
      }
}

async function knockWith(world: World, revoked: Revoked): Promise<void> {
  world.revoked.push(revoked);
  const { product } = revoked;
  const knock = async (): Promise<void> => {
    const askedMs = worldMs();
    await Promise.all(
      servingNodes(world).flatMap((node) =>
        revoked.texts.map(async (text) => {
          const answer = await ask(node.ports.api, "GET", `/${product}/v1/webhooks`, text);
          if (answer === null || answer.status >= 500) return;
          const [isOwn, isLetIn] = [node.name === revoked.node, answer.status < 300];
          const times = { revokedMs: revoked.doneMs, askedMs, doneMs: worldMs() };
          world.knocks.push({ node: node.name, isOwn, isLetIn, ...times });
        }),
      ),
    );
  };
  for (const afterMs of KNOCKS_MS) after(afterMs, () => void knock());
}

async function openSession(node: Node, product: string, body: Body): Promise<string | null> {
  const answer = await ask(node.ports.api, "POST", `/${product}/v1/portal/session`, "", body);
  return answer?.status === 201 ? String((answer.body["data"] as Body)["token"]) : null;
}

/** Null: nobody knows what became of it. */
async function ofOperator(
  world: World,
  node: Node,
  method: string,
  path: string,
  body?: Body,
): Promise<Body | null> {
  world.letIn.clear();
  const answer: Answer | null = await ask(node.ports.operator, method, path, OPERATOR_TOKEN, body);
  world.note(`${method} ${path} at ${node.name}: ${answer?.status ?? "no answer"}`);
  world.letIn.clear();
  const isKnown = answer !== null && answer.status < 300;
  if (world.rightsChangeMs !== null) world.rightsChangeMs = isKnown ? worldMs() : null;
  return isKnown ? answer.body : null;
}
