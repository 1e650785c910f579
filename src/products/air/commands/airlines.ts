import { group } from "../../../cli/command.ts";
import { catalogueCommand } from "./airlines-catalogue.ts";
import { airlinesCheck } from "../check/airline-check.ts";

export const command = group("airlines", "Airlines are whom air cargo tracking polls.", [
  catalogueCommand,
  airlinesCheck,
]);
