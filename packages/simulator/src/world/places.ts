/** The ports and inland terminals of the simulated worlds. */

export type WorldPlace = {
  /** UN/LOCODE. */
  readonly unlocode: string;
  readonly name: string;
  /** IANA's name of the zone whose calendar free days are counted on. */
  readonly zone: string;
  /** Minutes to add to UTC: standard time the year round, as a carrier without a time zone table writes it. */
  readonly offsetMinutes: number;
  readonly terminal: string;
};

function place(unlocode: string, name: string, zone: string, offsetHours: number): WorldPlace {
  return { unlocode, name, zone, offsetMinutes: offsetHours * 60, terminal: `${unlocode.slice(2)}1` };
}

export const PLACES = {
  AEJEA: place("AEJEA", "Jebel Ali", "Asia/Dubai", 4),
  ARBUE: place("ARBUE", "Buenos Aires", "America/Argentina/Buenos_Aires", -3),
  ATVIE: place("ATVIE", "Vienna", "Europe/Vienna", 1),
  BEANR: place("BEANR", "Antwerp", "Europe/Brussels", 1),
  BRSSZ: place("BRSSZ", "Santos", "America/Sao_Paulo", -3),
  CNNGB: place("CNNGB", "Ningbo", "Asia/Shanghai", 8),
  CNSHA: place("CNSHA", "Shanghai", "Asia/Shanghai", 8),
  DEHAM: place("DEHAM", "Hamburg", "Europe/Berlin", 1),
  ESALG: place("ESALG", "Algeciras", "Europe/Madrid", 1),
  GBFXT: place("GBFXT", "Felixstowe", "Europe/London", 0),
  IDJKT: place("IDJKT", "Jakarta", "Asia/Jakarta", 7),
  INNSA: place("INNSA", "Nhava Sheva", "Asia/Kolkata", 5.5),
  KRPUS: place("KRPUS", "Busan", "Asia/Seoul", 9),
  LKCMB: place("LKCMB", "Colombo", "Asia/Colombo", 5.5),
  MYTPP: place("MYTPP", "Tanjung Pelepas", "Asia/Kuala_Lumpur", 8),
  NLRTM: place("NLRTM", "Rotterdam", "Europe/Amsterdam", 1),
  PABLB: place("PABLB", "Balboa", "America/Panama", -5),
  PLGDN: place("PLGDN", "Gdansk", "Europe/Warsaw", 1),
  SEGOT: place("SEGOT", "Gothenburg", "Europe/Stockholm", 1),
  SGSIN: place("SGSIN", "Singapore", "Asia/Singapore", 8),
  THLCH: place("THLCH", "Laem Chabang", "Asia/Bangkok", 7),
  USCHI: place("USCHI", "Chicago", "America/Chicago", -6),
  USLAX: place("USLAX", "Los Angeles", "America/Los_Angeles", -8),
  USNYC: place("USNYC", "New York", "America/New_York", -5),
  USOAK: place("USOAK", "Oakland", "America/Los_Angeles", -8),
  USSAV: place("USSAV", "Savannah", "America/New_York", -5),
  VNSGN: place("VNSGN", "Ho Chi Minh City", "Asia/Ho_Chi_Minh", 7),
  VNVUT: place("VNVUT", "Vung Tau", "Asia/Ho_Chi_Minh", 7),
} as const satisfies Readonly<Record<string, WorldPlace>>;

export type PlaceCode = keyof typeof PLACES;
