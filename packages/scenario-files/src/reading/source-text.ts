import { byNumberOf, inOrder } from '@nodewright/apis';
import { LineCounter } from 'yaml';

/** A place in a file: line and column from 1. */
export type FilePlace = { readonly file: string; readonly line: number; readonly column: number };

/** A zone that a step names, and its field. */
export type SteppedZone = { readonly zone: string; readonly place: FilePlace; readonly path: string };

/** Something wrong in a file: what, where, and what would be right. */
export type FileProblem = { readonly place: FilePlace; readonly message: string };

/** `web.yaml:12:7`. */
export const formatPlace = ({ file, line, column }: FilePlace): string => `${file}:${line}:${column}`;

/** A file's text, whose offsets have places. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  readonly lines = new LineCounter();

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  placeOf(offset: number): FilePlace {
    const { line, col } = this.lines.linePos(Math.max(0, offset));
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col) };
  }

  /** The whole line that has the character of an offset. */
  lineOf(offset: number): string {
    return this.text.split('\n')[this.placeOf(offset).line - 1] ?? '';
  }
}

const mostShown = 50;

/** Files that cannot be used; the message has a line for every problem, of many for the first ones. */
export class ScenarioFileError extends Error {
  override readonly name = 'ScenarioFileError';
  readonly problems: readonly FileProblem[];

  constructor(found: readonly FileProblem[]) {
    const problems = found.toSorted(
      inOrder(
        byNumberOf(({ place }) => place.line),
        byNumberOf(({ place }) => place.column),
      ),
    );
    const all = [...new Set(problems.map(({ place, message }) => `${formatPlace(place)}: ${message}`))];
    const lines = all.slice(0, mostShown);
    const more = all.length - lines.length;
    super([...lines, ...(more > 0 ? [`and ${more} more problems`] : [])].join('\n'));
    this.problems = problems;
  }
}
