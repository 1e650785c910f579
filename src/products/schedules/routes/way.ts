/** From where to where, and on which days: what searches of sailings and connections share. */
import Type from "typebox";

import { DATE_OR_EMPTY, UNLOCODE } from "../../../http/stated-rules.ts";
import { mustBe, readDayOrNone, type ReadField } from "../../../freight/tables/field.ts";
import { DAYS_DEFAULT, DAYS_MAX, readCarrierOrAny, readPort, windowAt } from "../search/read-query.ts";

export const wayFields = {
  origin: Type.String({
    description: "UN/LOCODE of the port of departure",
    stated: UNLOCODE,
  }),
  destination: Type.String({
    description: "UN/LOCODE of the port of arrival",
    stated: UNLOCODE,
  }),
  from: Type.Optional(
    Type.String({
      description: "the first day of departure, by the origin's calendar; without it, today",
      stated: DATE_OR_EMPTY,
    }),
  ),
  to: Type.Optional(
    Type.String({
      stated: DATE_OR_EMPTY,
      description: `the last day of departure; without it, ${DAYS_DEFAULT} days in all; ${DAYS_MAX} at most`,
    }),
  ),
};

type Field = <V>(name: string, as: ReadField<V>) => V;

/** Throws a `ValidationError` that says what to change. */
export function readWay(field: Field, nowMs: number) {
  const origin = field("origin", readPort);
  const destination = field("destination", (written) => {
    const port = readPort(written);
    if (port === origin) throw mustBe("another port than origin", written);
    return port;
  });
  const [from, to] = [field("from", readDayOrNone), field("to", readDayOrNone)];
  const window = windowAt(origin, from, to, nowMs);
  return { origin, destination, ...window, carrier: field("carrier", readCarrierOrAny) };
}
