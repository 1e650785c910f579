/** How operational events are given in one line. */
import { around, counted, joined, moment, text, type InWords } from "../../model/in-words.ts";

export const endpointInWords: InWords = (data) => {
  const { failure_count: count } = data;
  const failures = count === 0 ? null : around("", counted(count, "failure"), " in a row");
  return joined([text(data["url"]), joined([failures, text(data["last_error"])])], ": ");
};

export const deadInWords: InWords = (data) =>
  joined(
    [
      joined([text(data["event_type"]), text(data["url"])], " to "),
      joined([counted(data["attempt_count"], "attempt"), text(data["last_error"])]),
    ],
    ": ",
  );

export const downInWords: InWords = (data) =>
  joined(
    [
      text(data["source"]),
      joined([around("down since ", moment(data["down_since"]), " UTC"), text(data["text"])]),
    ],
    ": ",
  );

export const recoveredInWords: InWords = (data) =>
  joined([text(data["source"]), around("was down since ", moment(data["down_since"]), " UTC")], ": ");
