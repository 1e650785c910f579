/** The ports and inland terminals of the simulated world. */

export type HarbourPlace = {
  /** UN/LOCODE. */
  readonly unlocode: string;
  readonly name: string;
  /** Minutes to add to UTC: standard time the year round, as a carrier without a time zone table writes it. */
  readonly offsetMinutes: number;
  readonly terminal: string;
};

function place(unlocode: string, name: string, offsetHours: number): HarbourPlace {
  return { unlocode, name, offsetMinutes: offsetHours * 60, terminal: `${unlocode.slice(2)}1` };
}

export const PLACES = {
  AEJEA: place("AEJEA", "Jebel Ali", 4),
  ARBUE: place("ARBUE", "Buenos Aires", -3),
  ATVIE: place("ATVIE", "Vienna", 1),
  BEANR: place("BEANR", "Antwerp", 1),
  BRSSZ: place("BRSSZ", "Santos", -3),
  CNNGB: place("CNNGB", "Ningbo", 8),
  CNSHA: place("CNSHA", "Shanghai", 8),
  DEHAM: place("DEHAM", "Hamburg", 1),
  ESALG: place("ESALG", "Algeciras", 1),
  GBFXT: place("GBFXT", "Felixstowe", 0),
  IDJKT: place("IDJKT", "Jakarta", 7),
  INNSA: place("INNSA", "Nhava Sheva", 5.5),
  KRPUS: place("KRPUS", "Busan", 9),
  LKCMB: place("LKCMB", "Colombo", 5.5),
  MYTPP: place("MYTPP", "Tanjung Pelepas", 8),
  NLRTM: place("NLRTM", "Rotterdam", 1),
  PABLB: place("PABLB", "Balboa", -5),
  PLGDN: place("PLGDN", "Gdansk", 1),
  SEGOT: place("SEGOT", "Gothenburg", 1),
  SGSIN: place("SGSIN", "Singapore", 8),
  THLCH: place("THLCH", "Laem Chabang", 7),
  USCHI: place("USCHI", "Chicago", -6),
  USLAX: place("USLAX", "Los Angeles", -8),
  USNYC: place("USNYC", "New York", -5),
  USOAK: place("USOAK", "Oakland", -8),
  USSAV: place("USSAV", "Savannah", -5),
  VNSGN: place("VNSGN", "Ho Chi Minh City", 7),
  VNVUT: place("VNVUT", "Vung Tau", 7),
} as const satisfies Readonly<Record<string, HarbourPlace>>;

export type PlaceCode = keyof typeof PLACES;
