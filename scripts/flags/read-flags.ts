import { type FlagValues, parseFlags, type ScriptFlags, type ScriptUsage } from './parse-flags.ts';

/** The flags of a script. `--help` prints them and ends with 0; what the script does not have ends it with 2, in one line. */
export const readFlags = <const Flags extends ScriptFlags>(
  usage: ScriptUsage,
  flags: Flags,
  argv?: readonly string[],
): FlagValues<Flags> => readFlagsAndWords(usage, flags, argv).values;

export function readFlagsAndWords<const Flags extends ScriptFlags>(
  usage: ScriptUsage,
  flags: Flags,
  argv: readonly string[] = process.argv.slice(2),
): { readonly values: FlagValues<Flags>; readonly words: readonly string[] } {
  const line = parseFlags(usage, flags, argv);
  if (line.kind === 'refused') refuseFlags(`${line.complaint}; see ${usage.command} --help`);
  if (line.kind === 'run') return line;
  console.log(line.text);
  process.exit(0);
}

/** Ends the script with 2 and one line that says what is wrong with its flags. */
export function refuseFlags(complaint: string): never {
  console.error(complaint);
  process.exit(2);
}

/** A number from 0. `Infinity` is one. */
export function readNumberFlag(flag: string, text: string): number {
  const value = Number(text);
  return value >= 0 && text.trim() !== '' ? value : refuseFlags(`${flag} is "${text}", wanted a number from 0`);
}

/** Numbers from 1 with commas between them: `100,200`. */
export const readSizesFlag = (flag: string, text: string): readonly number[] =>
  text.split(',').map((part) => {
    const size = Number(part);
    return Number.isInteger(size) && size > 0
      ? size
      : refuseFlags(`${flag} is "${text}", wanted whole numbers from 1 with commas`);
  });
