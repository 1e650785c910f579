/** How the events of freight rates are given in one line. */
import { around, joined, text, turn, type InWords } from "../../model/in-words.ts";
import { isObject } from "../../model/json.ts";

export const laneRateInWords: InWords = (data) => {
  const lane = joined(
    [turn(text(data["origin"]), text(data["destination"])), text(data["equipment"]), text(data["carrier"])],
    " ",
  );
  const total = text(data["new_total"]);
  const price = total === null ? "no rate any more" : turn(text(data["old_total"]), total);
  const currency = total === null ? null : text(data["currency"]);
  return joined([lane, joined([price, currency, percent(data["change_percent"])], " ")], ": ");
};

export const indexInWords: InWords = (data) => {
  const { previous } = data;
  const before = isObject(previous) ? previous : {};
  const values = turn(text(before["value"]), text(data["value"]));
  return joined(
    [
      text(data["name"]) ?? text(data["index_id"]),
      joined([values, around("on ", text(data["dated"])), percent(before["change_percent"])], " "),
    ],
    ": ",
  );
};

function percent(value: unknown): string | null {
  const said = text(value);
  return said === null ? null : `(${said.startsWith("-") ? "" : "+"}${said} %)`;
}
