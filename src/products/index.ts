/** The product family. A new product is a file beside this one and a line here. */
import type { Product } from "../model/product.ts";
import { air } from "./air.ts";
import { loading } from "./loading.ts";
import { rates } from "./rates.ts";
import { schedules } from "./schedules.ts";
import { tracking } from "./tracking.ts";

export const products: readonly Product[] = [tracking, air, schedules, rates, loading];
