/** A section of the specification; `rows` gives each rule in it an id and a title in our own words. */
export type Section = {
  readonly id: string;
  readonly title: string;
  readonly rows: Readonly<Record<string, string>>;
};
