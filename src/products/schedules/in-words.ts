/** How the events of sailing schedules are given in one line. */
import {
  around,
  counted,
  figure,
  joined,
  moment,
  shift,
  text,
  turn,
  type InWords,
} from "../../model/in-words.ts";
import type { JsonObject } from "../../model/json.ts";

const voyage = ({ carrier, service, voyage: number, vessel_name: vessel }: JsonObject) =>
  joined([joined([text(carrier), text(service), text(number)], " "), around("(", text(vessel), ")")], " ");

const port = ({ port_name: name, port: code }: JsonObject) => text(name) ?? text(code);

const told = (data: JsonObject, ...parts: readonly (string | null)[]) =>
  joined([voyage(data), joined(parts)], ": ");

export const blankInWords: InWords = (data) => {
  const what = data["kind"] === "port_call" ? around("does not call at ", port(data)) : "blanked";
  return told(data, what, text(data["remark"]));
};

export const cutOffInWords: InWords = (data) => {
  const name = text(data["cut_off_name"]) ?? text(data["cut_off_code"]) ?? "cut-off";
  const left = around("in ", figure(data["hours_left"]), " h");
  return told(
    data,
    joined([name, around("at ", port(data)), left, around("(", moment(data["cut_off"]), " UTC)")], " "),
  );
};

export const slippedInWords: InWords = (data) => {
  const moved = turn(moment(data["old_departure"]), moment(data["new_departure"]));
  const from = around("departure from ", port(data)) ?? "departure";
  const by = around("(", shift(data["delta_hours"]), ")");
  return told(data, joined([from, around("", moved, " UTC"), by], " "), text(data["remark"]));
};

export const reliabilityInWords: InWords = (data) => {
  const share = turn(
    around("", figure(data["previous_percent"]), " %"),
    around("", figure(data["on_time_percent"]), " %"),
  );
  return told(data, around("", share, " on time"), counted(data["calls"], "call"));
};
