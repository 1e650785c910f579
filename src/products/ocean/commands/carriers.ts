import { group } from "../../../cli/command.ts";
import { catalogueCommand } from "./carriers-catalogue.ts";
import { carriersCheck } from "../check/carrier-check.ts";

export const command = group("carriers", "Carriers are whom ocean tracking polls.", [
  catalogueCommand,
  carriersCheck,
]);
