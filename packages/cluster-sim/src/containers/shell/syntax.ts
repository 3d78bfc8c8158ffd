/** A piece of a word, as it stands in a script. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly otherwise: string; readonly isQuoted: boolean }
  | { readonly kind: 'output'; readonly script: string; readonly isQuoted: boolean }
  | { readonly kind: 'sum'; readonly expression: ScriptWord; readonly isQuoted: boolean };

export type ScriptWord = readonly WordPart[];

export type OutputStream = 'stdout' | 'stderr';

/** Where a command writes what it would write to `from`. Files are not kept. */
export type Redirection = { readonly from: OutputStream; readonly to: OutputStream | 'nowhere' };

export type SimpleCommand = {
  readonly kind: 'simple';
  readonly assignments: readonly { readonly name: string; readonly value: ScriptWord }[];
  readonly words: readonly ScriptWord[];
  readonly redirections: readonly Redirection[];
};

export type ScriptCommand =
  | SimpleCommand
  | { readonly kind: 'loop'; readonly until: boolean; readonly condition: Script; readonly body: Script }
  | { readonly kind: 'each'; readonly name: string; readonly words: readonly ScriptWord[]; readonly body: Script }
  | { readonly kind: 'choice'; readonly condition: Script; readonly chosen: Script; readonly otherwise: Script }
  | { readonly kind: 'group'; readonly body: Script };

/** Commands whose output goes into the next one. */
export type Pipeline = { readonly isNegated: boolean; readonly commands: readonly ScriptCommand[] };

/** When a pipeline runs, by how the one before it ended. */
export type ScriptStep = { readonly after: 'any' | 'success' | 'failure'; readonly pipeline: Pipeline };

export type Script = readonly ScriptStep[];

/** A script that this shell does not understand. */
export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';
}
