import { type AnyCommand, listExamples } from '../../packages/cli/src/help/append-examples.ts';

/** A command with the words that lead to it. */
export type ListedCommand = { readonly path: readonly string[]; readonly command: AnyCommand };

type Parameters = ListedCommand['command']['parameters'];
type Flag = NonNullable<Parameters['flags']>[string];

const longestLine = 128;

/** Text in lines that are not too long; all but the first are indented. */
function wrapText(text: string, indent = ''): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < longestLine) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(lines.length === 0 ? word : `${indent}${word}`);
  }
  return lines.join('\n');
}

/** What Markdown would take for markup. */
const escape = (text: string): string => text.replaceAll(/[<>*|]/g, (sign) => `\\${sign}`);

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const isHidden = (flag: Flag): boolean => 'hidden' in flag && flag.hidden;

/** What stands after a flag: the values to choose from, or what its value is. */
function valueOf(flag: Flag): string {
  if (flag.kind === 'boolean' || flag.kind === 'counter') return '';
  const text = flag.kind === 'enum' ? flag.values.join('|') : (flag.placeholder ?? 'VALUE');
  return ` ${text === 'value' ? 'VALUE' : text}`;
}

const isRequired = (flag: Flag): boolean =>
  flag.kind === 'parsed' && flag.optional !== true && flag.default === undefined && flag.variadic === undefined;

/** The default, where the text of the flag does not tell it in brackets already. */
const defaultOf = (flag: Flag): string =>
  'default' in flag && flag.default !== undefined && flag.default !== false && !flag.brief.endsWith(']')
    ? ` [${String(flag.default)}]`
    : '';

function printFlag(name: string, flag: Flag, aliases: Parameters['aliases'] = {}): string {
  const short = Object.entries(aliases).find(([, long]) => long === name)?.[0];
  const forms = [...(short === undefined ? [] : [`-${short}`]), `--${kebab(name)}${valueOf(flag)}`];
  const required = isRequired(flag) ? ' (required)' : '';
  return wrapText(
    `- ${forms.map((form) => `\`${form}\``).join(', ')}${required}: ${escape(flag.brief)}${defaultOf(flag)}`,
    '  ',
  );
}

function printArguments({ positional }: Parameters): readonly string[] {
  if (positional === undefined) return [];
  if (positional.kind === 'array') {
    const { brief, placeholder = 'ARGUMENT' } = positional.parameter;
    return [wrapText(`- \`${placeholder}...\`: ${escape(brief)}`, '  ')];
  }
  return positional.parameters.map(({ brief, placeholder = 'ARGUMENT', optional }) => {
    const name = optional === true ? `[${placeholder}]` : placeholder;
    return wrapText(`- \`${name}\`: ${escape(brief)}`, '  ');
  });
}

/** Flags that many commands have in the same words are described once. */
const manyCommands = 8;

const flagsOf = ({ command }: ListedCommand): readonly (readonly [string, Flag])[] =>
  Object.entries(command.parameters.flags ?? {}).filter(([, flag]) => !isHidden(flag));

const keyOf = ([name, { brief }]: readonly [string, Flag]): string => `${name} ${brief}`;

/** The flags of many commands, by name and text, each printed as a line. */
function findCommonFlags(commands: readonly ListedCommand[]): ReadonlyMap<string, string> {
  const all = commands.flatMap((listed) =>
    flagsOf(listed).map((entry) => ({
      key: keyOf(entry),
      line: printFlag(...entry, listed.command.parameters.aliases),
    })),
  );
  const counts = new Map<string, number>();
  for (const { key } of all) counts.set(key, (counts.get(key) ?? 0) + 1);
  const common = all.filter(({ key }) => (counts.get(key) ?? 0) >= manyCommands);
  return new Map(common.map(({ key, line }) => [key, line]));
}

function printDescription({ command }: ListedCommand): string {
  const { brief, fullDescription } = command;
  const more = fullDescription === undefined ? [] : [printLines(fullDescription.split('\n'))];
  return [`${wrapText(escape(brief))}.`, ...more].join('\n\n');
}

/** Lines that are indented are the items of a list, with an empty line before and after it. */
const printLines = (lines: readonly string[]): string =>
  lines
    .map((line, at) => {
      const isItem = line.startsWith('  ');
      const begins = at > 0 && isItem !== (lines[at - 1] ?? '').startsWith('  ');
      const text = escape(line.trim().replaceAll(/ {2,}/g, ' '));
      return `${begins ? '\n' : ''}${isItem ? wrapText(`- ${text}`, '  ') : wrapText(text)}`;
    })
    .join('\n');

function printCommand(listed: ListedCommand, common: ReadonlyMap<string, string>): string {
  const { path, command } = listed;
  const flags = flagsOf(listed);
  const own = flags.filter((entry) => !common.has(keyOf(entry)));
  const shared = flags.filter((entry) => common.has(keyOf(entry))).map(([name]) => `\`--${kebab(name)}\``);
  const lines = [
    ...printArguments(command.parameters),
    ...own.map(([name, flag]) => printFlag(name, flag, command.parameters.aliases)),
    ...(shared.length === 0 ? [] : [wrapText(`- [common](#common-flags): ${shared.join(', ')}`, '  ')]),
  ];
  return [
    `## nodewright ${path.join(' ')}`,
    printDescription(listed),
    `\`\`\`sh\n${listExamples(path).join('\n')}\n\`\`\``,
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  ].join('\n\n');
}

const introduction = `# Commands

Every command of \`nodewright\`, as \`--help\` tells it. The page is made from the commands: \`npm run commands-page\` writes it, and
a test compares it. Every command takes \`--help\`; \`nodewright completion\` makes a shell complete them. Settings of the controller
are in [real-clusters.md](real-clusters.md).

Exit status: 0 done, 1 failed, 2 wrong usage or input and nothing changed, 3 finished, but what was asked for cannot be had now,
4 the time ran out.`;

/** `docs/commands.md`: every command with its examples, arguments and flags. */
export function printCommandsPage(commands: readonly ListedCommand[]): string {
  const common = findCommonFlags(commands);
  const sections = commands.map((listed) => printCommand(listed, common));
  return `${[introduction, `## Common flags\n\n${[...common.values()].join('\n')}`, ...sections].join('\n\n')}\n`;
}
