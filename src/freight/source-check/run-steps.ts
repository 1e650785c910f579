/**
 * What the check of every source begins with, as polling uses it:
 *
 *     name, TLS of each server ─▶ token ─▶ the question, which differs
 *
 * A step that fails ends its branch: what depends on it is skipped.
 */
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Random } from "../../runtime/random.ts";
import type { HttpPort } from "../upstream/http.ts";
import { createOAuth, type OAuthSettings } from "../upstream/oauth.ts";
import { adviceOn } from "./advice.ts";
import { checkName, checkTls } from "./connection.ts";
import { requestsOf, answerText, type WatchedHttp } from "./exchanges.ts";
import type { Mask } from "./secrets.ts";
import { failed, passed, type CheckStep, type SourceWords, type StepEnd, type StepName } from "./step.ts";

export type CheckPorts = {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly random: Pick<Random, "fraction">;
  readonly log: Pick<Log, "error">;
};

/** What one source is signed in to with, and through which port. */
type SourceCredentials = {
  readonly oauth: OAuthSettings | undefined;
  readonly watched: WatchedHttp;
  readonly mask: Mask;
};

export type Steps = {
  readonly done: readonly CheckStep[];
  /** False where the step failed. */
  run(step: StepName, of: string, work: () => Promise<StepEnd>): Promise<boolean>;
  /** Tries name and certificate of each server once; the origins that cannot be reached safely. */
  reach(urls: readonly URL[]): Promise<ReadonlySet<string>>;
  /** False without a token where one is needed. */
  signIn(source: SourceCredentials): Promise<boolean>;
};

export function createSteps(ports: CheckPorts, words: SourceWords): Steps {
  const { clock } = ports;
  const done: CheckStep[] = [];
  const run: Steps["run"] = async (step, of, work) => {
    const fromMs = clock.monotonicMs();
    const end = await work();
    done.push({ step, of, asked: [], ...end, tookMs: Math.round(clock.monotonicMs() - fromMs) });
    return end.result !== "failed";
  };
  return {
    done,
    run,
    async reach(urls) {
      const unreachable = new Set<string>();
      const each = urls.filter(
        ({ origin }, index) => urls.findIndex((url) => url.origin === origin) === index,
      );
      for (const url of each) {
        const isNamed = await run("name", url.hostname, () => checkName(url, clock, words));
        const isSafe = isNamed && (await run("tls", url.host, () => checkTls(url, clock, words)));
        if (!isSafe) unreachable.add(url.origin);
      }
      return unreachable;
    },
    async signIn(source) {
      const { oauth } = source;
      if (oauth === undefined) return true;
      return run("token", new URL(oauth.tokenUrl).host, () => token(ports, oauth, source, words));
    },
  };
}

async function token(
  ports: CheckPorts,
  oauth: OAuthSettings,
  { watched: { http, exchanges }, mask }: SourceCredentials,
  words: SourceWords,
): Promise<StepEnd> {
  const answer = await createOAuth(oauth, { ...ports, http }).token();
  const asked = requestsOf(exchanges, mask);
  if (answer.kind === "token") return { ...passed(`a token of ${answer.value.length} characters`), asked };
  const last = exchanges.at(-1);
  const came = answerText(last, mask);
  const end =
    answer.kind === "failed"
      ? failed(
          `${answer.reason}: ${came}`,
          adviceOn({ ...answer, kind: "unavailable" }, words, [], last?.answer),
        )
      : failed(came, REFUSED);
  return { ...end, asked };
}

const REFUSED =
  "The token endpoint refuses the id or the secret: check both, and that they have not expired.";
