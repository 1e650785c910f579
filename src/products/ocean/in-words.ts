/** How the events of ocean tracking are given in one line. */
import {
  around,
  counted,
  day,
  figure,
  joined,
  moment,
  shift,
  text,
  turn,
  words,
  type InWords,
} from "../../model/in-words.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ContainerStatus } from "./event-data.ts";

const box = ({ identifier, equipment_reference: equipment }: JsonObject) =>
  text(equipment) ?? text(identifier);

const told = (data: JsonObject, ...parts: readonly (string | null)[]) =>
  joined([box(data), joined(parts)], ": ");

const AFTER_ARRIVAL: ReadonlySet<unknown> = new Set<ContainerStatus>([
  "discharged",
  "customs_hold",
  "available",
  "delivered",
  "returned_empty",
  "cancelled",
]);

export const statusInWords: InWords = (data) => {
  const { previous_status: from, new_status: to, demurrage_days_overdue: days } = data;
  return told(
    data,
    from === to ? words(to) : turn(words(from), words(to)),
    AFTER_ARRIVAL.has(to) ? null : around("ETA ", moment(data["eta"]), " UTC"),
    days === 0 ? "free time ends soon" : around("", counted(days, "day"), " overdue"),
    data["demurrage_accrued_usd"] === 0 ? null : around("", figure(data["demurrage_accrued_usd"]), " USD"),
  );
};

export const etaInWords: InWords = (data) => {
  const moved = around("ETA ", turn(moment(data["old_eta"]), moment(data["new_eta"])), " UTC");
  return told(data, joined([moved, around("(", shift(data["delta_hours"]), ")")], " "));
};

export const misroutedInWords: InWords = (data) =>
  told(
    data,
    around("discharged at ", words(data["discharge_port"])),
    around("expected ", words(data["expected_port"])),
  );

export const disruptionInWords: InWords = (data) => told(data, text(data["headline"]));

export const updatedInWords: InWords = (data) => {
  const { changed_fields: fields } = data;
  return told(data, Array.isArray(fields) ? around("changed: ", joined(fields.map(words))) : null);
};

export const apiChangeInWords: InWords = ({ title, effective_at: at, action_required: action }) =>
  joined([text(title), around("effective ", day(at)), action === true ? "action required" : null]);
