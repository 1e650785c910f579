/** The liner services of the simulated world, and the ways that boxes take on them. */
import type { PlaceCode } from "../world/places.ts";

export type Service = {
  readonly code: string;
  /** The rotation: the day of each arrival, counted from the voyage's first, and the hours at berth. */
  readonly calls: readonly { readonly port: PlaceCode; readonly day: number; readonly hours: number }[];
  readonly vessels: readonly string[];
};

function liner(code: string, ships: readonly string[], rotation: string): Service {
  const calls = rotation.split(" ").map((call) => {
    const [port, day] = call.split("@");
    return { port: port as PlaceCode, day: Number(day), hours: 18 + (Number(day) % 3) * 6 };
  });
  return { code, vessels: ships, calls };
}

export const SERVICES = {
  AE7: liner(
    "AE7",
    ["CORAL BITTERN", "CORAL CURLEW", "CORAL DUNLIN", "CORAL EGRET", "CORAL FULMAR", "CORAL GODWIT"],
    "CNSHA@0 CNNGB@2 SGSIN@9 LKCMB@14 NLRTM@33 DEHAM@36 BEANR@39",
  ),
  FE2: liner(
    "FE2",
    ["OPAL HERON", "OPAL IBIS", "OPAL JACANA", "OPAL KNOT"],
    "VNVUT@0 MYTPP@3 ESALG@20 GBFXT@25 NLRTM@27 DEHAM@29",
  ),
  TP3: liner(
    "TP3",
    ["AMBER LAPWING", "AMBER MERLIN", "AMBER NODDY"],
    "CNNGB@0 CNSHA@2 KRPUS@5 USLAX@18 USOAK@21",
  ),
  TP8: liner(
    "TP8",
    ["ONYX OSPREY", "ONYX PLOVER", "ONYX QUAIL"],
    "CNSHA@0 KRPUS@3 PABLB@22 USSAV@27 USNYC@30",
  ),
  IA4: liner("IA4", ["PEARL RAIL", "PEARL SHRIKE"], "THLCH@0 VNSGN@3 SGSIN@6 IDJKT@9"),
  NE2: liner("NE2", ["TOPAZ TERN", "TOPAZ UMBRETTE"], "BEANR@0 NLRTM@2 DEHAM@4 SEGOT@7 PLGDN@10"),
  ME3: liner("ME3", ["JADE VERDIN", "JADE WIGEON", "JADE XENOPS"], "INNSA@0 AEJEA@4 ESALG@16 USNYC@27"),
  LA2: liner("LA2", ["RUBY YELLOWLEGS", "RUBY ZITTING"], "ESALG@0 BRSSZ@12 ARBUE@17"),
  NS5: liner("NS5", ["LAPIS AUK", "LAPIS DIPPER"], "DEHAM@0 NLRTM@4 GBFXT@8"),
  BS4: liner("BS4", ["LAPIS BRANT"], "PLGDN@0 SEGOT@3"),
  SA6: liner("SA6", ["LAPIS COOT"], "ARBUE@0 BRSSZ@5"),
} as const satisfies Readonly<Record<string, Service>>;

export type ServiceCode = keyof typeof SERVICES;

export type Hop = { readonly service: ServiceCode; readonly from: PlaceCode; readonly to: PlaceCode };

export type Route = {
  readonly hops: readonly Hop[];
  /** Where the box goes on by rail from its last port. */
  readonly inland: PlaceCode | null;
  /** Another hub on the way: what takes the place of the hops from number `from` on. */
  readonly diversion: { readonly from: number; readonly hops: readonly Hop[] } | null;
};

function hop(by: ServiceCode, from: PlaceCode, to: PlaceCode): Hop {
  return { service: by, from, to };
}

function route(hops: readonly Hop[], more: Partial<Route> = {}): Route {
  return { hops, inland: null, diversion: null, ...more };
}

export const ROUTES: readonly Route[] = [
  route([hop("AE7", "CNSHA", "NLRTM")]),
  route([hop("AE7", "CNNGB", "DEHAM")], { inland: "ATVIE" }),
  route([hop("FE2", "VNVUT", "GBFXT")]),
  route([hop("TP3", "CNNGB", "USLAX")], { inland: "USCHI" }),
  route([hop("TP8", "CNSHA", "USNYC")]),
  route([hop("ME3", "INNSA", "USNYC")]),
  route([hop("IA4", "THLCH", "SGSIN"), hop("AE7", "SGSIN", "NLRTM")]),
  route([hop("AE7", "CNSHA", "NLRTM"), hop("NE2", "NLRTM", "PLGDN")], {
    diversion: { from: 0, hops: [hop("AE7", "CNSHA", "DEHAM"), hop("NE2", "DEHAM", "PLGDN")] },
  }),
  route([hop("FE2", "VNVUT", "ESALG"), hop("LA2", "ESALG", "BRSSZ")]),
  route([hop("IA4", "VNSGN", "SGSIN"), hop("AE7", "SGSIN", "NLRTM"), hop("NE2", "NLRTM", "SEGOT")], {
    diversion: { from: 1, hops: [hop("AE7", "SGSIN", "DEHAM"), hop("NE2", "DEHAM", "SEGOT")] },
  }),
];
