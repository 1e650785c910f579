/**
 * Rules of parameters that routes check by hand, to answer better than a schema would; a schema says them in `stated`,
 * for the document. They hold for whatever a route takes: who checks requests against the document refuses nothing that
 * the route would take.
 */
export const UNLOCODE = { pattern: "^ *[A-Za-z]{2} *[A-Za-z2-9]{3} *$" };
export const SCAC = { pattern: "^ *[A-Za-z]{2,4} *$" };
export const SCAC_OR_EMPTY = { pattern: "^ *(?:[A-Za-z]{2,4} *)?$" };
export const IMO_NUMBER = { pattern: "^ *(?:[Ii][Mm][Oo][ -]*)?[0-9]{7} *$" };
export const IMO_NUMBER_OR_EMPTY = { pattern: "^ *(?:(?:[Ii][Mm][Oo][ -]*)?[0-9]{7} *)?$" };
export const DATE = { pattern: "^ *[0-9]{4}-[0-9]{2}-[0-9]{2} *$" };
export const DATE_OR_EMPTY = { pattern: "^ *(?:[0-9]{4}-[0-9]{2}-[0-9]{2} *)?$" };
