/** Sources on the operator's listener. */
import Type, { type Static } from "typebox";

import type { Listener } from "../../http/listener.ts";
import type { CommandView } from "../../model/command-view.ts";
import { nullable, UtcDateTime } from "../../model/data-types.ts";
import { refuse } from "../../operator/errors.ts";
import type { OperatorContext, OperatorRoutes } from "../../operator/ports.ts";
import { SOURCE_KINDS } from "./description.ts";
import { readSources, SOURCE_STATES, type DescribedSources } from "./read-sources.ts";

const Text = Type.String({ description: "in words" });

const Last = Type.Object(
  {
    at: UtcDateTime,
    subject: nullable(Type.String(), { description: "what it was asked about, or pushed" }),
    outcome: Type.String({ description: "ok, or a code" }),
    text: Text,
  },
  { title: "SourceOutcome" },
);

const Waits = Type.Object(
  { until: UtcDateTime, reason: Type.String({ description: "paused, quota or breaker_open" }), text: Text },
  { title: "SourceWait" },
);

const Channel = Type.Object(
  {
    name: Type.String({ description: "as metrics name the upstream" }),
    about: Type.String(),
    is_pushed: Type.Boolean(),
    last: nullable(Last),
    answered_at: nullable(UtcDateTime),
    failed_at: nullable(UtcDateTime),
    failure: nullable(Type.Object({ code: Type.String(), text: Text })),
    requests: Type.Integer({ description: "of all nodes, or pushes, since counted_since" }),
    failures: Type.Integer(),
    counted_since: nullable(UtcDateTime),
    waits: nullable(Waits),
    quota: Type.Array(
      Type.Object({
        per: Type.Enum(["second", "minute", "day"]),
        limit: Type.Number(),
        used: Type.Integer({ description: "what of it counts now, of all nodes" }),
        is_shared: Type.Boolean({ description: "several nodes took of it in the last seconds" }),
      }),
    ),
    skipped: Type.Array(
      Type.Object({
        reason: Type.String({ description: "without the values in it" }),
        count: Type.Integer(),
        last_at: UtcDateTime,
        example: Type.String(),
      }),
      { description: "parts of answers that could not be read, of the last 30 days" },
    ),
  },
  { title: "SourceChannel" },
);

const Source = Type.Object(
  {
    id: Type.String(),
    product: Type.String(),
    kind: Type.Enum([...SOURCE_KINDS]),
    title: Type.String(),
    is_polled: Type.Boolean({ description: "false: it is only pushed" }),
    state: Type.Enum([...SOURCE_STATES], {
      description: "silent: nobody has asked it yet, and it pushed nothing",
    }),
    last: nullable(Last),
    waits: nullable(Waits),
    polls: Type.Object({
      scheduled: Type.Integer({ description: "a thousand of each cell are counted" }),
      due: Type.Integer(),
      next_at: nullable(UtcDateTime),
      failures: Type.Array(Type.Object({ failure: Type.String(), text: Text, polls: Type.Integer() })),
    }),
    channels: Type.Array(Channel),
    skipped: Type.Integer(),
  },
  { title: "Source" },
);

const LIST: CommandView = {
  command: "sources",
  about:
    "How they answered last on all nodes, what waits, and what could not be read. With the id of one, all of it.",
  rows: "sources",
  columns: {
    SOURCE: "id",
    PRODUCT: "product",
    STATE: "state",
    NAME: "title",
    LAST: "last.at",
    "WAITS UNTIL?": "waits.until",
    "NEXT POLL?": "polls.next_at",
    "DUE?": "{polls.due?{polls.due}}",
    "SKIPPED?": "{skipped?{skipped}}",
    OUTCOME: "{waits?{waits.text}|{last.text}}",
  },
};

const SHOW: CommandView = {
  command: "sources",
  sections: [
    {
      facts: {
        source: "id",
        name: "title",
        product: "product",
        state: "state",
        waits: "{waits?until {waits.until}, {waits.text}}",
        "next poll": "polls.next_at",
        "due polls": "polls.due",
      },
    },
    {
      of: "channels",
      columns: {
        WAY: "about",
        LAST: "last.at",
        ABOUT: "last.subject",
        OUTCOME: "last.text",
        "FAILED?": "failed_at",
        "WHY?": "failure.text",
        REQUESTS: "requests",
        FAILURES: "failures",
        QUOTA: "{quota[{used} of {limit} a {per}]}",
      },
    },
    { of: "polls.failures", columns: { "FAILED POLLS": "polls", WHY: "text" } },
    {
      of: "channels.skipped",
      columns: { "SKIPPED BECAUSE": "reason", COUNT: "count", LAST: "last_at", "SUCH AS": "example" },
    },
  ],
};

export type SourceView = Static<typeof Source>;

/** `GET /v1/sources`, `GET /v1/sources/{id}`: names and quotas as this process has them, the rest of all nodes */
export function sourceRoutes(described: () => Promise<DescribedSources>): OperatorRoutes {
  const list = (app: Listener, ports: OperatorContext): void => {
    const schema = {
      summary: "List what says something from outside, healthy or not",
      response: { 200: Type.Object({ sources: Type.Array(Source) }) },
      "x-cli": LIST,
    };
    app.get("/v1/sources", { schema }, async () => ({
      sources: await readSources(ports, await described()),
    }));
  };
  const read = (app: Listener, ports: OperatorContext): void => {
    const params = Type.Object({ id: Type.String() });
    const schema = { summary: "Read one source", params, response: { 200: Source }, "x-cli": SHOW };
    app.get("/v1/sources/:id", { schema }, async (request, reply) => {
      const [found] = await readSources(ports, await described(), request.params.id);
      const message =
        "there is no source of that id in the files of this node; without an id, all are listed";
      return found ?? refuse(reply, { code: "NOT_FOUND", message });
    });
  };
  return { guarded: [list, read] };
}
