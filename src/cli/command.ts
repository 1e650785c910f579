/** What a command is. Each lies in a file of its own; `commands.ts` names them all. */
import type { ProcessContext } from "../runtime/process-context.ts";

/** 0: done. 1: it did not work. 2: it was asked for in a wrong way, or the settings are wrong. */
export type ExitStatus = 0 | 1 | 2;

export type Option = {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  readonly short?: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly about: string;
};

export type Options = Readonly<Record<string, Option>>;

/** The options of one call, by name; what was not given is absent. */
export type OptionValues<O extends Options> = {
  readonly [Name in keyof O]?: O[Name] extends { readonly type: "boolean" }
    ? boolean
    : O[Name] extends { readonly multiple: true }
      ? readonly string[]
      : string;
};

export type Call<O extends Options = Options> = {
  readonly options: OptionValues<O>;
  /** One value for each name in the action's `arguments`, none for those that are lacking. */
  readonly positionals: readonly string[];
};

/** Something that can be run: a command, or one of the actions of a command. */
export type Action<O extends Options = Options> = {
  readonly kind: "action";
  readonly about: string;
  /** The names of the arguments, all of which must be given unless an option may stand for them. */
  readonly arguments: readonly string[];
  /** `run` looks that the arguments, or the option that stands for them, are there. */
  readonly argumentsOptional?: true;
  readonly options: O;
  /** Lines as they would be typed. */
  readonly examples: readonly string[];
  readonly run: (call: Call<O>, at: ProcessContext) => Promise<ExitStatus>;
};

/** A command with actions of its own, `accounts list`, or with groups of them, `rates index list`. */
export type ActionGroup = {
  readonly kind: "group";
  readonly about: string;
  readonly actions: Readonly<Record<string, Command>>;
};

export type Command = Action | ActionGroup;

/** A command whose module is loaded when somebody calls it. */
export type LazyCommand = {
  readonly name: string;
  /** One line of `boathook help`. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: Command }>;
};

export function action<const O extends Options>(parts: Omit<Action<O>, "kind">): Action {
  // Options are read as the action declares them, so the narrower type is the true one.
  return { kind: "action", ...parts } as unknown as Action;
}

export function group(about: string, actions: Readonly<Record<string, Command>>): ActionGroup {
  return { kind: "group", about, actions };
}

/** A command cannot be done as it was asked for; the message is all that the person needs to see. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly status: ExitStatus;

  constructor(message: string, status: ExitStatus = 2) {
    super(message);
    this.status = status;
  }
}
