import { diagnose, verify, type HeaderRecord } from "@boathook/receiver";

import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { readInput, secretOption } from "../../cli/files.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { printAnswer } from "../../cli/print.ts";

export const command: CommandFactory = (at) =>
  action(
    "verify",
    "Check the signature of a delivery as its receiver should. The status is 0 when it is good and 1 when it is not; " +
      "then verify says what is likely to be wrong. For a file named - it reads stdin.",
    "boathook verify --body body.json --headers headers.txt --secret-file secret.txt",
    "boathook verify --body - --header 'X-Air-Signature: sha256=…' --header 'X-Air-Event: ping' …",
  )
    .requiredOption("--body <file>", "the raw body, byte for byte")
    .option("--headers <file>", 'the headers, as "Name: value" lines or a JSON object')
    .option(
      "--header <name: value>",
      "one header; repeat it for more",
      (line, lines: string[]) => [...lines, line],
      [],
    )
    .option("--secret <whsec_…>", "the endpoint's secret")
    .option("--secret-file <file>", "the same, out of sight of other users' ps")
    .option(...JSON_OPTION)
    .action(async (options) => {
      const secret = await secretOption(options.secret, options.secretFile, at);
      if (secret === undefined || secret === "")
        throw new CommandError("The secret is missing: give --secret or --secret-file.");
      const headers = {
        ...(options.headers === undefined
          ? {}
          : parseHeaders((await readInput(options.headers, at)).toString("utf8"))),
        ...parseHeaders(options.header.join("\n")),
      };
      const body = await readInput(options.body, at);
      const verified = verify(body, headers, secret);
      if (verified.ok) {
        const { product, delivery } = verified;
        const text = `The signature is good: ${delivery.type} of ${product}, delivery ${delivery.id}`;
        return printAnswer(at, verified, text, options.json);
      }
      const { reason, message } = verified;
      const hints = diagnose(body, headers, secret);
      const lines = [`The delivery does not verify: ${message}.`, ...hints.map((hint) => `- ${hint}`)];
      printAnswer(at, { ok: false, reason, hints }, lines.join("\n"), options.json);
      at.exitStatus = 1;
    });

/** Lines as `curl -v` and most logs show them, its `<` and `>` as well, or a JSON object. */
function parseHeaders(text: string): HeaderRecord {
  if (text.trimStart().startsWith("{")) return parseJsonHeaders(text);
  const headers: Record<string, string[]> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\s*(?:[<>]\s*)?([A-Za-z0-9-]+):(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) (headers[name.toLowerCase()] ??= []).push(value.trim());
  }
  return headers;
}

function parseJsonHeaders(text: string): HeaderRecord {
  try {
    return JSON.parse(text) as HeaderRecord;
  } catch (cause) {
    throw new CommandError(`The headers are not JSON: ${(cause as Error).message}`);
  }
}
