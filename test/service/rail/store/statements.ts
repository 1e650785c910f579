import { statement } from "../../../../src/store/sql.ts";

export const trainInsert = statement<never, [string, string, number]>(import.meta.dirname, "train_insert");

export const trainsDepart = statement<{ accountId: string; train: number }, []>(
  import.meta.dirname,
  "trains_depart",
);
