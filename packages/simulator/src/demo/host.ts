import type { Host } from "../host.ts";

/** The demo also starts the service, and draws on a terminal. */
export type DemoHost = Host & {
  /** How to run the service: the program, then its first arguments; `serve` follows. */
  readonly program: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Null: stdout is a file or a pipe. */
  readonly terminal: Terminal | null;
  /** A certificate for a host by an authority made for it, both PEM. */
  issueCertificate(host: string): Promise<IssuedCertificate>;
};

export type Terminal = {
  /** Asked again for each frame, because a user may resize it. */
  columns(): number;
  lines(): number;
  readonly colours: boolean;
};

export type IssuedCertificate = {
  readonly authority: string;
  readonly certificate: { readonly cert: string; readonly key: string };
};
