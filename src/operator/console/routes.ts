import Type from "typebox";

import type { Listener } from "../../http/listener.ts";
import { nullable } from "../../model/data-types.ts";
import type { OperatorContext } from "../ports.ts";
import { RANGES, SampleSchema, type Range } from "./history.ts";

/** `GET /v1/history`: of the process that answers and the other workers of its service, since they started */
export function historyRoute(app: Listener, { history }: OperatorContext): void {
  const ranges = Object.keys(RANGES) as Range[];
  const querystring = Type.Object({ range: Type.Optional(Type.Enum(ranges, { default: "hour" })) });
  const response = {
    200: Type.Object({ step_seconds: Type.Integer(), samples: Type.Array(SampleSchema) }),
  };
  app.get(
    "/v1/history",
    { schema: { summary: "Samples of the last hour or day", querystring, response } },
    async (request, _reply) => {
      const { range = "hour" } = request.query;
      return { step_seconds: RANGES[range].stepS, samples: [...((await history?.(range)) ?? [])] };
    },
  );
}

const Setting = Type.Object(
  {
    name: Type.String(),
    value: nullable(Type.String(), { description: "null: unset" }),
    default: nullable(Type.String()),
    from: Type.Enum(["environment", "default"]),
    about: Type.String(),
  },
  { title: "Setting" },
);

/** `GET /v1/settings`: of the process that answers, secrets masked */
export function settingsRoute(app: Listener, { described = [] }: OperatorContext): void {
  const schema = {
    summary: "List the settings, secrets masked",
    response: { 200: Type.Object({ settings: Type.Array(Setting) }) },
  };
  app.get("/v1/settings", { schema }, async () => ({
    settings: described.map(({ name, value, default: otherwise, from, about }) => ({
      name,
      value,
      default: otherwise,
      from,
      about,
    })),
  }));
}
