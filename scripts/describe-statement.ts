/** What PostgreSQL says of a statement without running it: Parse and Describe of its protocol. */
import type pg from "pg";

export type ColumnDescription = {
  readonly name: string;
  /** OID. */
  readonly type: number;
  /** OID of the table that the column comes from, and its number there; 0: it is computed. */
  readonly table: number;
  readonly number: number;
};

export type StatementDescription = {
  /** OIDs. */
  readonly parameters: readonly number[];
  readonly columns: readonly ColumnDescription[];
};

/** The part of the driver's connection that its types leave out. */
type Wire = {
  once(
    event: "parameterDescription",
    heard: (message: { readonly dataTypeIDs: readonly number[] }) => void,
  ): void;
  parse(query: { readonly text: string }): void;
  describe(what: { readonly type: "S" }): void;
  sync(): void;
};

type Field = Pick<pg.FieldDef, "name" | "dataTypeID" | "tableID" | "columnID">;

/** Throws when PostgreSQL refuses the statement. */
export function describeStatement(client: pg.Client, text: string): Promise<StatementDescription> {
  return new Promise((resolve, reject) => {
    let parameters: readonly number[] = [];
    let columns: readonly ColumnDescription[] = [];
    // The driver sends no Describe of its own before it has bound parameters.
    const query = {
      submit(connection: Wire) {
        connection.once("parameterDescription", (message) => {
          parameters = message.dataTypeIDs;
        });
        connection.parse({ text });
        connection.describe({ type: "S" });
        connection.sync();
      },
      handleRowDescription({ fields }: { readonly fields: readonly Field[] }) {
        columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
          name,
          type: dataTypeID,
          table: tableID,
          number: columnID,
        }));
      },
      handleError: reject,
      handleReadyForQuery: () => resolve({ parameters, columns }),
    };
    client.query(query as unknown as pg.Submittable);
  });
}
