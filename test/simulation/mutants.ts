/**
 * Faults put into the source by hand, each of which some world must show: `npm run simulate:mutants -- 1-50` lives
 * those worlds with each mutant until one ends wrong, and prints a table. Arguments after the seeds choose mutants.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Edit = { readonly file: string; readonly from: string; readonly to: string };
/** `and`: what else guards against the same, and goes with it. */
type Mutant = Edit & { readonly about: string; readonly and?: Edit };

const MEMBERSHIP = "src/engine/membership/membership.ts";
const DELIVERIES = "src/store/deliveries/deliveries.sql";
const NODES = "src/store/nodes/nodes.sql";
const REFRESH = "src/engine/membership/refresh.ts";
const CLAIM = "src/engine/claim/claim.ts";
const HEAP = "src/engine/claim/due-heap.ts";
const POLLS = "src/freight/polling/store/polls.sql";
const POLL_WRITER = "src/freight/polling/poll-writer.ts";
const MODEL = "src/model/delivery.ts";
const ENDPOINTS = "src/store/endpoints/endpoints.sql";
const ATTEMPT = "src/engine/send/attempt.ts";
const CONNECTION = "src/engine/send/connection.ts";
const RESOLVE = "src/engine/send/resolve.ts";
const PRUNE = "src/engine/prune/prune.ts";

const ATTEMPT_AGAIN = {
  file: DELIVERIES,
  from: "and d.attempt_count < s.attempt_count",
  to: "and d.attempt_count <= s.attempt_count",
};
const PAST_LEASE = {
  file: MEMBERSHIP,
  from: "lastHeartbeatMs < settings.leaseMs",
  to: "lastHeartbeatMs < 100 * settings.leaseMs",
};

const MUTANTS: readonly Mutant[] = [
  {
    about: "a seventh attempt",
    file: MODEL,
    from: "attemptCount >= policy.attemptsMax",
    to: "attemptCount > policy.attemptsMax",
  },
  {
    about: "dead after five",
    file: MODEL,
    from: "attemptCount >= policy.attemptsMax",
    to: "attemptCount + 1 >= policy.attemptsMax",
  },
  {
    about: "the ladder begins a rung later",
    file: MODEL,
    from: "policy.waitsMs.length) - 1]",
    to: "policy.waitsMs.length) - 2]",
  },
  {
    about: "a retry waits for nothing",
    file: MODEL,
    from: "dueAtMs: endedAtMs + waitMs",
    to: "dueAtMs: endedAtMs",
  },
  {
    about: "a redirect is a success",
    file: MODEL,
    from: "outcome.statusCode <= 299",
    to: "outcome.statusCode <= 399",
  },
  {
    about: "201 is a failure",
    file: MODEL,
    from: "outcome.statusCode <= 299",
    to: "outcome.statusCode <= 200",
  },
  {
    about: "settling asks neither who holds a delivery nor which attempt it is",
    file: DELIVERIES,
    from: "      d.node = @node::integer\n",
    to: "      d.node = @node::integer or true\n",
    and: ATTEMPT_AGAIN,
  },
  { about: "a result counts again", ...ATTEMPT_AGAIN },
  {
    about: "the 21st failure disables",
    file: DELIVERIES,
    from: "select t.*, @disableAfter::integer - leading_failures as enough",
    to: "select t.*, @disableAfter::integer - leading_failures + 1 as enough",
  },
  {
    about: "the 19th failure disables",
    file: DELIVERIES,
    from: "select t.*, @disableAfter::integer - leading_failures as enough",
    to: "select t.*, @disableAfter::integer - leading_failures - 1 as enough",
  },
  {
    about: "a success resets nothing",
    file: DELIVERIES,
    from: "case when t.delivered then 0 else p.failure_count end as failures",
    to: "p.failure_count as failures",
  },
  {
    about: "a failure waits nowhere",
    file: DELIVERIES,
    from: "from settled where status = 'pending'",
    to: "from settled where status = 'dead'",
  },
  {
    about: "a claim takes what another claimed",
    file: DELIVERIES,
    from: "q.node is null and q.due_at <= @at",
    to: "q.due_at <= @at",
  },
  {
    about: "a claim takes what is not due",
    file: DELIVERIES,
    from: "q.node is null and q.due_at <= @at::timestamptz",
    to: "q.node is null",
  },
  {
    about: "a replaced node claims, past its lease",
    file: DELIVERIES,
    from: "select id from cell.nodes where id = @node::integer for key share",
    to: "select @node::integer as id",
    and: PAST_LEASE,
  },
  {
    about: "a release forgets",
    file: DELIVERIES,
    from: "select id, endpoint_id, @at::timestamptz from released",
    to: "select id, endpoint_id, @at::timestamptz from released where false",
  },
  {
    about: "a takeover forgets what was raised",
    file: NODES,
    from: "select id, endpoint_id, @at::timestamptz from lost",
    to: "select id, endpoint_id, @at::timestamptz from lost where false",
  },
  {
    about: "a takeover forgets what was claimed",
    file: NODES,
    from: "update cell.queue set node = null where node = @node::integer",
    to: "update cell.queue set node = null where false",
  },
  { about: "a node goes on past its lease", ...PAST_LEASE },
  {
    about: "the lease is compared the wrong way round",
    file: MEMBERSHIP,
    from: "lastHeartbeatMs < settings.leaseMs",
    to: "lastHeartbeatMs >= settings.leaseMs",
  },
  { about: "a replaced node keeps what it had", file: MEMBERSHIP, from: "  ports.onReplaced();\n", to: "" },
  {
    about: "a node that was away reads nothing again",
    file: MEMBERSHIP,
    from: "  state.isCaughtUp = false;\n  state.ports.onReconnected",
    to: "  state.ports.onReconnected",
  },
  {
    about: "a pause is not applied",
    file: REFRESH,
    from: "if (queue !== undefined) apply(state, queue, target);",
    to: "",
  },
  {
    about: "a pause keeps what waits",
    file: REFRESH,
    from: "void inFlight.release(engine.dispatch.takeWaiting(queue));",
    to: "",
  },
  {
    about: "old routes stay, and raise",
    file: REFRESH,
    from: "engine.routes.invalidate(accountId);",
    to: "",
    and: {
      file: "src/store/deliveries/events.sql",
      from: "a.routing_version is distinct from r.version",
      to: "false",
    },
  },
  {
    about: "a heap that forgets",
    file: HEAP,
    from: "dueHeap.dueAtMs.delete(endpointId);\n    due.push",
    to: "dueHeap.dueAtMs.clear();\n    due.push",
  },
  { about: "no sweep", file: CLAIM, from: "    await fillHeap(state);\n", to: "" },
  {
    about: "a claim whose answer was lost is forgotten",
    file: CLAIM,
    from: "      state.commitUnknown = true;\n      state.commitUnknownUntilMs = engine.clock.monotonicMs() + COMMIT_UNKNOWN_MS_MAX;\n",
    to: "",
  },
  {
    about: "a raise reaches inactive endpoints",
    file: "src/engine/raise/routes.ts",
    from: "route.targets.filter((target) => target.active && takes(target, event))",
    to: "route.targets.filter((target) => takes(target, event))",
  },
  {
    about: "a raise reaches who does not subscribe",
    file: "src/engine/raise/routes.ts",
    from: "target.product === event.product && subscribesTo(target, event.type)",
    to: "target.product === event.product",
  },
  {
    about: "a poll that was overtaken is written",
    file: POLLS,
    from: "poll.lease = result.lease and poll.leased_until is not null\n  returning",
    to: "poll.leased_until is not null\n  returning",
    and: {
      file: POLLS,
      from: "on result.id = held.shipment_id and result.lease = held.lease\n  where result.carrier is not null",
      to: "on result.id = held.shipment_id\n  where result.carrier is not null",
    },
  },
  {
    about: "a poll that was overtaken raises its events",
    file: POLL_WRITER,
    from: "updates.filter(({ result }) => held.has(result)).flatMap",
    to: "updates.flatMap",
  },
  {
    about: "a poll is written apart from its events",
    file: POLL_WRITER,
    from: "  let held: ReadonlySet<PollResult> = new Set();\n  await raiseWithin(cell, async (tx) => {\n    held = await writePolls(tx, cell, resultsOf(updates));\n",
    to: "  let held: ReadonlySet<PollResult> = new Set();\n  await raiseWithin(cell, async (tx) => {\n    held = await writePolls(tx, cell, resultsOf(updates));\n    await tx.rows({ name: 'commit', text: 'commit' } as never, []);\n",
  },
  {
    about: "a slip goes on from the first departure",
    file: "src/products/schedules/events/sailing-slipped.ts",
    from: "raised: { ...raised, departure, slippedOn: today }",
    to: "raised: { ...raised, slippedOn: today }",
  },
  {
    about: "a call that is left out raises nothing",
    file: "src/products/schedules/events/blank-sailing.ts",
    from: "if (cancelled === null) drafts.push",
    to: "if (cancelled !== null) drafts.push",
  },
  {
    about: "failures begin in a time to come",
    file: DELIVERIES,
    from: "least(p.failing_since, @at::timestamptz)",
    to: "coalesce(p.failing_since, @at::timestamptz)",
  },
  {
    about: "readiness checks nothing",
    file: "src/service/readiness.ts",
    from: 'phase === "serving" ? await failing() : {}',
    to: "{}",
  },
  {
    about: "a revoked key stays known",
    file: "src/http/callers.ts",
    from: "if (changed.has(caller.keyId) || changed.has(caller.account.id)) callers.delete(key);",
    to: "",
  },
  {
    about: "an entitlement is not asked for",
    file: "src/http/entitlement.ts",
    from: "entitlement === null || ",
    to: "true || entitlement === null || ",
  },
  {
    about: "history goes a day early",
    file: PRUNE,
    from: "const beforeMs = nowMs - settings.historyMs;",
    to: "const beforeMs = nowMs;",
  },
  {
    about: "history stays",
    file: PRUNE,
    from: "    await dropPartitions(database, cell, beforeMs);\n",
    to: "",
  },
  {
    about: "what is parked waits for ever",
    file: PRUNE,
    from: "endParked(engine, cell, nowMs - parkedMs)",
    to: "endParked(engine, cell, nowMs - 100 * parkedMs)",
  },
  {
    about: "an owner reads of an attempt more",
    file: "src/http/webhooks/delivery.ts",
    from: "({ attemptCount }) => attemptCount]",
    to: "({ attemptCount }) => attemptCount + 1]",
  },
  {
    about: "a change of an endpoint publishes no invalidation",
    file: ENDPOINTS,
    from: "update cell.changes set number = number + 1\n  where exists (select from changed) and (select count(*) from rerouted) >= 0\n  returning number",
    to: "select number from cell.changes where exists (select from changed)",
    and: { file: ENDPOINTS, from: "select pg_notify(", to: "select concat_ws(' ', ''::text, " },
  },
  {
    about: "a private address behind a name is sent to",
    file: RESOLVE,
    from: "if (!verdict.allowed)",
    to: "if (verdict.allowed === null)",
    and: {
      file: "src/engine/send/connect.ts",
      from: "if (!verdict.allowed)",
      to: 'if (!("allowed" in verdict))',
    },
  },
  {
    about: "what is lost with an idle connection is not sent again",
    file: CONNECTION,
    from: "&& connection.wasIdle &&",
    to: "&& !connection.wasIdle &&",
  },
  {
    about: "a name stays known for minutes",
    file: RESOLVE,
    from: "const TTL_MS_MIN = 5_000",
    to: "const TTL_MS_MIN = 300_000",
  },
  {
    about: "an attempt has four times its time",
    file: ATTEMPT,
    from: "deadlineMs: clock.monotonicMs() + timeoutMs",
    to: "deadlineMs: clock.monotonicMs() + 4 * timeoutMs",
  },
  {
    about: "silent name servers are the receiver's fault",
    file: "src/engine/send/errors.ts",
    from: '  "name_servers_unreachable",\n]);',
    to: "]);",
  },
  {
    about: "an interim answer is the final one",
    file: "src/engine/send/answer.ts",
    from: "if (code < 200) return endInterim(answer);",
    to: "",
  },
  {
    about: "nodes that start at once migrate side by side",
    file: "src/store/migrate.ts",
    from: "if (outdated.length > 0) await client.query(`select pg_advisory_lock(${MIGRATE_LOCK})`);",
    to: "",
  },
  {
    about: "a directory that is away takes nodes out of service",
    file: "src/operator/server.ts",
    from: "const reasons = Object.values(checks);",
    to: "const reasons = [...Object.values(checks), ...Object.values(degraded())];",
  },
  {
    about: "a directory that is away is not named",
    file: "src/service/readiness.ts",
    from: "if (!feed.isSilent()) return {};",
    to: "if (!feed.isSilent() || true) return {};",
  },
  {
    about: "known keys need the directory",
    file: "src/http/callers.ts",
    from: "if (feed.isSilent()) return known.caller;",
    to: "",
    and: {
      file: "src/http/callers.ts",
      from: "cause instanceof StoreUnavailable && still !== undefined",
      to: "cause instanceof StoreUnavailable && still === null",
    },
  },
  {
    about: "raising needs the directory",
    file: "src/store/accounts/account-cells.ts",
    from: "cells.length === 1 ? 0 : known.get(accountId)",
    to: "cells.length === 1 ? 0 : undefined",
  },
  {
    about: "a broadcast that comes again is raised again",
    file: "src/freight/broadcasts/broadcaster.ts",
    from: "data, occurredAtMs, dedupKey })",
    to: "data, occurredAtMs, dedupKey: String(Math.random()) })",
  },
];

const ROOT = join(import.meta.dirname, "..", "..");
const [seeds = "1-50", ...chosen] = process.argv.slice(2);

for (const [index, mutant] of MUTANTS.entries()) {
  if (chosen.length > 0 && !chosen.includes(String(index + 1))) continue;
  process.stdout.write(`| ${index + 1} | ${mutant.about} | ${found(mutant)} |\n`);
}

/** What is said of the mutant: after how many worlds it was found, and by which rule. */
function found({ and, ...mutant }: Mutant): string {
  const checkout = mkdtempSync(join(tmpdir(), "boathook-mutant-"));
  try {
    for (const name of ["src", "test", "packages", "airlines", "carriers", "changelog"])
      cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    cpSync(join(ROOT, "package.json"), join(checkout, "package.json"));
    symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
    for (const edit of and === undefined ? [mutant] : [mutant, and])
      if (!isEdited(checkout, edit)) return "its text is not in the source";
    const run = spawnSync(
      process.execPath,
      [join(checkout, "test/simulation/main.ts"), "--seeds", seeds, "--first"],
      { encoding: "utf8" },
    );
    const [, count, seed] = /after (\d+) worlds, at seed (\d+)/.exec(run.stdout) ?? [];
    const rule =
      /What must hold does not:\n {2}(.*)/.exec(run.stdout)?.[1] ??
      run.stdout.trim().split("\n").at(-4) ??
      run.stderr.trim().split("\n").at(-1);
    return count === undefined ? "not found" : `${count} (seed ${seed}) | ${rule}`;
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}

function isEdited(checkout: string, { file, from, to }: Edit): boolean {
  const path = join(checkout, file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll(from, to));
  return text.includes(from);
}
