import { action, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION, uuid } from "../../cli/options.ts";
import { followEvents, summaryOf } from "./follow-events.ts";
import {
  AFTER_OPTION,
  KEY_FILE_OPTION,
  KEY_OPTION,
  PRODUCT_URL_OPTION,
  REFERENCE_OPTION,
} from "./client-options.ts";

export const command: CommandFactory = (at) =>
  action(
    "tail",
    "Print what is raised for your account on a product, as it happens, until you press Ctrl-C.",
    "boathook tail --key-file key.txt",
    "boathook tail --url https://webhooks.example.com/air --key-file key.txt --json",
  )
    .option(...PRODUCT_URL_OPTION)
    .option(...KEY_OPTION)
    .option(...KEY_FILE_OPTION)
    .option(...REFERENCE_OPTION)
    .option(...AFTER_OPTION, uuid)
    .option(JSON_OPTION[0], "print the bodies alone, one a line")
    .action(async ({ json, ...options }) => {
      await followEvents(at, options, async (event) => {
        const { id, type, body } = event;
        // A body may have line ends between its tokens.
        const line = body.replaceAll(/[\r\n]+/g, " ");
        at.out(json === true ? `${line}\n` : `${id} ${type} ${summaryOf(event) ?? line}\n`);
      });
    });
