/** The product family. A new product is a file beside this one and a line here. */
import type { Product } from "../model/product.ts";
import { air } from "./air/catalogue.ts";
import { loading } from "./loading/catalogue.ts";
import { rates } from "./rates/catalogue.ts";
import { schedules } from "./schedules/catalogue.ts";
import { tracking } from "./ocean/catalogue.ts";

export const products: readonly Product[] = [tracking, air, schedules, rates, loading];
