import type { Carrier } from "../../src/products/ocean/sources/carriers.ts";

export const HERON: Carrier = {
  scac: "HRNL",
  name: "Heron Lines",
  api: "dcsa-tnt-2.2",
  baseUrl: "https://heron.example/v2",
  ownerCodes: ["HRNU"],
  asOf: "answer-date",
};

export const TERN: Carrier = {
  scac: "TRNC",
  name: "Tern Container",
  api: "dcsa-tnt-2.2",
  baseUrl: "https://tern.example/v2",
  ownerCodes: ["TRNU"],
};
