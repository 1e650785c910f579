/** Words and turns that the project does not use, with what it says instead (CONTRIBUTING.md, Style). */

export type Word = {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Paths where the word is the right one. */
  readonly except?: RegExp;
};

/** One thing, one word: terms that the field's engineers do not know, or that named two things. */
const TERMS: readonly Word[] = [
  {
    pattern: /(?<!trade )\blanes?\b/i,
    instead: "endpoint queue, source queue, or trade lane",
    // Trade lanes are the subject of these files; tests of cursors and of stores that grow ask their routes, the events'
    // test sends the field, that of examples all requests.
    except:
      /rates|trade-lane|test\/store\/rate-|test\/http\/cursors|test\/service\/(?:growing|products)|test\/operator\/events|scripts\/(?:examples|console-pictures)|simulator\/src\/try\/welcome|test\/console\/freight|console\/src\/api\/operator/,
  },
  { pattern: /\bdesks?\b/i, instead: "client" },
  { pattern: /\bagendas?\b/i, instead: "due heap" },
  { pattern: /\bin doubt\b|\bdoubtful\b/i, instead: "commit unknown" },
  { pattern: /\bsuspects?\b/i, instead: "degraded" },
  { pattern: /\bstuck\b|\bsurplus\b/i, instead: "paused backlog" },
  { pattern: /\b(?:a telling|tellings|news)\b/i, instead: "changes" },
  {
    pattern: /\btold\b/i,
    instead: "raised, notified, reported or given",
    // The outcome of a feed's fetch as stored and in the metrics, and a key of stored records.
    except: /feed-poller|test\/loop\/holds|test\/ocean\/timeline\/boxes|test\/store\/feeds/,
  },
  { pattern: /\bsuccessions?\b/i, instead: "next record" },
  { pattern: /\b(?:take|takes|taken|taking) in\b/i, instead: "ingest, read or accept" },
  { pattern: /\b(?:complaints?|flaws?|strangers?)\b/i, instead: "validation error" },
  { pattern: /\b(?:its|their|the|makes) rounds\b/i, instead: "interval or schedule" },
  { pattern: /\bpapers\b/i, instead: "transport documents" },
  { pattern: /\bwhereabouts\b/i, instead: "position" },
  { pattern: /\bsurroundings\b/i, instead: "process context" },
  { pattern: /\blook-ups?\b/i, instead: "lookup" },
  { pattern: /\bforgetting\b/i, instead: "retention or prune" },
];

/** Turns of an older English: a plainer one says the same. */
const TURNS: readonly Word[] = [
  { pattern: /\blook(?:s|ed|ing)? at\b/i, instead: "read, check or inspect" },
  { pattern: /\bhear(?:s|d|ing)? of\b/i, instead: "learn of or receive" },
  { pattern: /\btells? of\b/i, instead: "report" },
  { pattern: /\bheld against\b/i, instead: "checked against or compared with" },
  { pattern: /\bby hand of\b/i, instead: "by" },
  { pattern: /\bthat it is to\b/i, instead: "name who must do what" },
  { pattern: /\bmade up for\b/i, instead: "made for, example or sample" },
  { pattern: /\bof which nothing\b|\b(?:for|of|from|by|to|with) whom\b/i, instead: "split the sentence" },
  { pattern: /\bwho(?:m)?ever\b/i, instead: "name who: the caller, the operator, a client" },
  { pattern: /\bthose (?:that|who|which)\b/i, instead: "name the things" },
  { pattern: /\bthat which\b/i, instead: "what, or name the thing" },
  { pattern: /\bas it stands\b/i, instead: "unchanged, or leave it out" },
  { pattern: /\bstays? as (?:it|they) (?:is|are|was|were)\b/i, instead: "does not change" },
  { pattern: /\bmeanwhile\b/i, instead: "say during what" },
  { pattern: /\bon (?:its|their) way\b/i, instead: "in transit, in flight or sent" },
  { pattern: /\bunder ?way\b/i, instead: "running, in progress or open", except: /\bais\b/ },
  { pattern: /\ball the same\b/i, instead: "still, or leave it out" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bof (?:ours|yours|theirs)\b/i, instead: "our, your or their before the noun" },
  { pattern: /\bbr(?:ing|ings|ought) about\b/i, instead: "cause" },
  { pattern: /\bin vain\b/i, instead: "without effect" },
  { pattern: /\bmends?\b|\bmended\b/i, instead: "fix or correct" },
  { pattern: /\bbeneath\b|\bupon\b/i, instead: "under or on" },
  { pattern: /\b(?:lest|albeit|whence|thereof|wherein|hitherto)\b/i, instead: "a word of today" },
];

export const WORDS: readonly Word[] = [...TERMS, ...TURNS];
