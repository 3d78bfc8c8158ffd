/** One fenced block of shell commands on a page, and what the page says is shown then. */
export type PageStep = {
  readonly commands: string;
  /** The block that follows, if there is one. */
  readonly shown?: string;
  /** The exit status: 0, unless the block is marked `sh status=1`. */
  readonly status: number;
};

const fencedBlocks = /^```(\S*)[ \t]*([^\n]*)\n([\s\S]*?)^```$/gm;

/** The steps of a page in their order. A block without a language belongs to the `sh` block before it. */
export function readPageSteps(page: string): readonly PageStep[] {
  const steps: PageStep[] = [];
  for (const [, language, mark = '', text = ''] of page.matchAll(fencedBlocks)) {
    const last = steps.at(-1);
    if (language === 'sh') steps.push({ commands: text, status: Number(/^status=(\d+)$/.exec(mark)?.[1] ?? 0) });
    else if (language === '' && last !== undefined) steps[steps.length - 1] = { ...last, shown: text };
  }
  return steps;
}

/**
 * Whether the output of a command is another one than the page shows. `...` within a line stands for any text, and alone for any
 * lines. Runs of blanks are equal: columns are as wide as their longest name.
 */
export function differsFromPage(shown: string, output: string): boolean {
  const pattern = linesOf(shown)
    .map((line) => (line === '...' ? '(?:[^\\n]*\\n)*' : `${patternOfLine(line)}\\n`))
    .join('');
  return !new RegExp(`^${pattern}$`).test(`${linesOf(output).join('\n')}\n`);
}

const patternOfLine = (line: string): string =>
  line
    .split('...')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^\\n]*');

const linesOf = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').trim());
