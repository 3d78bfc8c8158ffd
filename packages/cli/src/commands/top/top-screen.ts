import { breakLines, fitText } from './text-cells.ts';
import {
  listTopLines,
  type SeenDashboard,
  summarizeDashboard,
  type TopLine,
  topViews,
  type TopView,
} from './top-lines.ts';

/** What a person looks at. */
export type TopState = { readonly view: TopView; readonly offset: number };

export type TopSize = { readonly columns: number; readonly rows: number };

export type TopScreen = {
  readonly lines: readonly TopLine[];
  /** The offset as far as there are lines to scroll to. */
  readonly offset: number;
};

/** Exactly as many lines as the terminal has rows, each at most as wide. */
export function composeTopScreen(
  { notice, ...seen }: SeenDashboard & { readonly notice?: string | undefined },
  { view, offset }: TopState,
  { columns, rows }: TopSize,
): TopScreen {
  const body = listTopLines(seen, view, columns);
  const head = breakLines(notice ?? summarizeDashboard(seen), columns, '').map((text) => ({
    text,
    tone: notice === undefined ? ('title' as const) : ('bad' as const),
  }));
  const room = Math.max(0, rows - head.length - 1);
  const first = Math.max(0, Math.min(offset, body.length - room));
  const shown = body.slice(first, first + room);
  const below = body.length - first - shown.length;
  const lines = [
    ...head,
    { text: describeKeys(view, below, columns), tone: 'faint' },
    ...shown,
    ...Array.from({ length: room - shown.length }, () => ({ text: '' })),
  ] satisfies readonly TopLine[];
  return {
    lines: lines.slice(0, rows).map((line) => ({ ...line, text: fitText(line.text, columns).trimEnd() })),
    offset: first,
  };
}

/** The tabs keep their places where there is room for that, and stand alone where there is no more. */
function describeKeys(view: TopView, below: number, columns: number): string {
  const isNarrow = columns < 60;
  const tabs = topViews.map((name, index) => {
    const tab = `${index + 1} ${name}`;
    return name === view ? `[${tab}]` : isNarrow ? tab : ` ${tab} `;
  });
  const more = `${below > 0 ? `${below} lines below, ` : ''}q quits`;
  return isNarrow ? tabs.join(' ') : `${tabs.join('')}   ${more}`;
}

const escapeCode = '\u001b';

/** Keys that came together: those of a repeated key, and the codes of arrows. */
export function splitTopKeys(text: string): readonly string[] {
  const [typed = '', ...sequences] = text.split(escapeCode);
  return [
    ...typed.split(''),
    ...sequences.flatMap((rest) => {
      const code = /^\[[\d;]*[A-Za-z~]/.exec(rest)?.[0] ?? '';
      return [`${escapeCode}${code}`, ...rest.slice(code.length).split('')];
    }),
  ];
}

/** What a key does; `undefined` for one that ends the view. */
export function pressTopKey(state: TopState, key: string, page: number): TopState | undefined {
  const { view, offset } = state;
  const chosen = topViews[Number(key) - 1];
  if (chosen !== undefined) return { view: chosen, offset: 0 };
  switch (key) {
    case 'q':
    case '\u0003':
    case '\u001b':
      return undefined;
    case '\t':
      return { view: topViews[(topViews.indexOf(view) + 1) % topViews.length] ?? view, offset: 0 };
    case 'j':
    case '\u001b[B':
      return { view, offset: offset + 1 };
    case 'k':
    case '\u001b[A':
      return { view, offset: Math.max(0, offset - 1) };
    case ' ':
    case '\u001b[6~':
      return { view, offset: offset + page };
    case '\u001b[5~':
      return { view, offset: Math.max(0, offset - page) };
    case 'g':
    case '\u001b[H':
      return { view, offset: 0 };
    default:
      return state;
  }
}

const toneCodes: Readonly<Record<NonNullable<TopLine['tone']>, string>> = {
  title: '1',
  bad: '31;1',
  warning: '33',
  faint: '2',
};

/** A line with its colour, where the terminal wants any. */
export const paintTopLine = ({ text, tone }: TopLine, isColoured: boolean): string =>
  tone === undefined || !isColoured || text === '' ? text : `\u001b[${toneCodes[tone]}m${text}\u001b[0m`;

/**
 * What leads from the lines that a terminal shows to other ones. Only lines that differ are written, and the terminal is
 * asked to show them together, so that nothing flickers.
 */
export function repaintScreen(before: readonly string[], after: readonly string[]): string {
  const changed = after.flatMap((line, index) =>
    line === before[index] ? [] : [`\u001b[${index + 1};1H${line}\u001b[K`],
  );
  const rest = after.length < before.length ? [`\u001b[${after.length + 1};1H\u001b[J`] : [];
  return changed.length + rest.length === 0 ? '' : `\u001b[?2026h${changed.join('')}${rest.join('')}\u001b[?2026l`;
}
