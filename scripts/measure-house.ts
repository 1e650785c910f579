/** `npm run measure [-- <root>]`: figures of a checkout as Markdown; without a root, of this one. */
import { join, resolve } from "node:path";

import { measureHouse } from "./measure/house.ts";
import { houseTable } from "./measure/house-table.ts";

const root = process.argv[2];
console.log(houseTable(measureHouse(root === undefined ? join(import.meta.dirname, "..") : resolve(root))));
