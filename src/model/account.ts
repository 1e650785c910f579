/** An organisation whose developers use the products. */
export type Account = {
  readonly id: string;
  readonly name: string;
  /** Where it learns what happens to its endpoints; null: nowhere. Absent: it was not read. */
  readonly email?: string | null;
  readonly entitlements: readonly string[];
  readonly demurrageAlerting: boolean;
  /** The cell that holds the account's data (`store/cell.ts`). */
  readonly cell: number;
  readonly createdAt: Date;
};

/** A key without its text, which is not kept. */
export type ApiKey = {
  readonly id: string;
  readonly accountId: string;
  readonly prefix: string;
  readonly label: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
};
