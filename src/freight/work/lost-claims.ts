import { isCommitUnknown } from "../../engine/statement-failure.ts";

const LOST_MAX = 100;

/** Claims whose answers were lost, by what names them: if they were made, nobody has what they took until they end. */
export type LostClaims<Name> = {
  /** Makes a claim, which takes too what the lost ones took; its own answer may be lost. */
  claim<T>(name: Name, atMs: number, make: (lost: readonly Name[]) => Promise<T>): Promise<T>;
};

export function createLostClaims<Name>(leaseMs: number): LostClaims<Name> {
  let lost: readonly { readonly name: Name; readonly endMs: number }[] = [];
  return {
    async claim(name, atMs, make) {
      lost = lost.filter(({ endMs }) => endMs > atMs);
      try {
        return await make(lost.map((one) => one.name));
      } catch (cause) {
        if (isCommitUnknown(cause)) lost = [...lost.slice(1 - LOST_MAX), { name, endMs: atMs + leaseMs }];
        throw cause;
      }
    },
  };
}
