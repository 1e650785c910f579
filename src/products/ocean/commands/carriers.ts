import { group } from "../../../cli/command.ts";
import { catalogueCommand } from "./carriers-catalogue.ts";
import { checkCommand } from "./carriers-check.ts";

export const command = group("carriers", "Carriers are whom ocean tracking polls.", [
  catalogueCommand,
  checkCommand,
]);
