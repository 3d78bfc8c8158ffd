import { parseArgs } from 'node:util';

/** A flag of a script: with `value` it takes one, named as in the help; without it is on or off. */
export type ScriptFlag = {
  readonly value?: string;
  readonly default?: string;
  /** It may be given several times. */
  readonly isList?: true;
  readonly brief: string;
};

/** How a script is called, and what for. */
export type ScriptUsage = {
  /** `npm run simulate --` */
  readonly command: string;
  /** What stands behind the command without a flag: `SOURCE...`. */
  readonly words?: string;
  readonly brief: string;
};

type FlagValue<Flag extends ScriptFlag> = Flag extends { readonly isList: true }
  ? readonly string[]
  : Flag extends { readonly value: string; readonly default: string }
    ? string
    : Flag extends { readonly value: string }
      ? string | undefined
      : boolean;

export type ScriptFlags = Readonly<Record<string, ScriptFlag>>;
export type FlagValues<Flags extends ScriptFlags> = { readonly [Name in keyof Flags]: FlagValue<Flags[Name]> };

/** What a command line asks for: a run, the help, or something that the script does not have. */
export type ParsedLine<Flags extends ScriptFlags> =
  | { readonly kind: 'run'; readonly values: FlagValues<Flags>; readonly words: readonly string[] }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refused'; readonly complaint: string };

/** Reads the arguments of a script. The help is made of the same table as the flags. */
export function parseFlags<const Flags extends ScriptFlags>(
  usage: ScriptUsage,
  flags: Flags,
  argv: readonly string[],
): ParsedLine<Flags> {
  const { tokens } = parseArgs({ args: [...argv], options: optionsOf(flags), strict: false, tokens: true });
  const values: Record<string, unknown> = Object.fromEntries(Object.entries(flags).map(startOfFlag));
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      if (usage.words === undefined) return refuse(`"${token.value}" is not expected: no words go without a flag`);
      words.push(token.value);
      continue;
    }
    const { name, rawName, value } = token;
    if (rawName === '--help' || rawName === '-h') return { kind: 'help', text: printUsage(usage, flags) };
    const flag = Object.hasOwn(flags, name) && rawName === `--${name}` ? flags[name] : undefined;
    if (flag === undefined) return refuse(`unknown flag ${rawName}`);
    if (flag.value === undefined && value !== undefined) return refuse(`${rawName} takes no value`);
    if (flag.value !== undefined && (value === undefined || (value.startsWith('--') && !token.inlineValue)))
      return refuse(`${rawName} needs a value: ${rawName} ${flag.value}`);
    const before = values[name];
    values[name] = Array.isArray(before) ? [...before, value] : (value ?? true);
  }
  return { kind: 'run', values: values as FlagValues<Flags>, words };
}

const refuse = (complaint: string) => ({ kind: 'refused', complaint }) as const;

const optionsOf = (flags: ScriptFlags) =>
  Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );

const startOfFlag = ([name, flag]: readonly [string, ScriptFlag]): readonly [string, unknown] => [
  name,
  flag.isList === true ? [] : flag.value === undefined ? false : flag.default,
];

function printUsage({ command, words, brief }: ScriptUsage, flags: ScriptFlags): string {
  const rows = Object.entries(flags).map(([name, { value, default: absent, brief: meaning, isList }]) => ({
    flag: `--${name}${value === undefined ? '' : ` ${value}`}${isList === true ? ' ...' : ''}`,
    meaning: absent === undefined ? meaning : `${meaning} [${absent}]`,
  }));
  const width = Math.max(0, ...rows.map(({ flag }) => flag.length));
  const shownWords = words === undefined ? '' : ` ${words}`;
  return [
    `usage: ${command}${rows.length === 0 ? '' : ' [flags]'}${shownWords}`,
    `  ${brief}`,
    ...(rows.length === 0
      ? []
      : ['', 'flags:', ...rows.map(({ flag, meaning }) => `  ${flag.padEnd(width)}  ${meaning}`)]),
  ].join('\n');
}
