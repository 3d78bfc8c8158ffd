import { byNumberOf, inReverse } from '@nodewright/apis';
import { type Answered, type Difference, listUnequalParts } from './compare.ts';
import type { PlayedStep } from './play.ts';
import type { Step } from './step.ts';

export const differenceKey = ({ verb, kind }: Step, { place }: Difference): string => `${verb} ${kind}: ${place}`;

type KindOfDifference = { steps: number; readonly isWording: boolean; readonly seed: string };

/** Counts steps and their differences by kind. */
export class DifferenceCount {
  steps = 0;
  #different = 0;
  #inMore = 0;
  readonly kinds = new Map<string, KindOfDifference>();

  /** @returns the kinds of difference that were not there before */
  add(seed: string, played: readonly PlayedStep[]): readonly string[] {
    const added: string[] = [];
    for (const { step, differences } of played) {
      this.steps += 1;
      if (differences.length > 0) this.#different += 1;
      if (differences.some(({ isWording }) => !isWording)) this.#inMore += 1;
      for (const difference of differences) {
        const key = differenceKey(step, difference);
        const known = this.kinds.get(key) ?? { steps: 0, isWording: difference.isWording, seed };
        if (known.steps === 0) added.push(key);
        known.steps += 1;
        this.kinds.set(key, known);
      }
    }
    return added;
  }

  /** `24200 steps, 310 differ (1.3 %), 120 of them in more than words (0.5 %), 41 kinds of difference`. */
  summary(): string {
    const share = (count: number): string => `${((100 * count) / Math.max(1, this.steps)).toFixed(1)} %`;
    const { steps, kinds } = this;
    return `${steps} steps, ${this.#different} differ (${share(this.#different)}), ${this.#inMore} in more than words (${share(this.#inMore)}), ${kinds.size} kinds of difference`;
  }

  /** The kinds of difference as a table, the most frequent ones first. */
  table(): string {
    const rows = [...this.kinds].toSorted(inReverse(byNumberOf(([, { steps }]) => steps)));
    return [
      '| steps | difference | words only | case |\n| --- | --- | --- | --- |',
      ...rows.map(([key, { steps, isWording, seed }]) => `| ${steps} | ${key} | ${isWording ? 'yes' : ''} | ${seed} |`),
    ].join('\n');
  }
}

const printAnswer = ({ status, warnings, body }: Answered, most: number): string =>
  `${status}${warnings.length === 0 ? '' : ` ${warnings.join(' ')}`} ${JSON.stringify(body).slice(0, most)}`;

/** Of two answers of one form, the parts that differ are enough. */
function printBoth(ours: Answered, real: Answered, most: number): string {
  const parts = ours.status === real.status && ours.status < 400 ? listUnequalParts(ours.body, real.body) : [];
  return parts.length === 0
    ? `\n    ours ${printAnswer(ours, most)}\n    real ${printAnswer(real, most)}`
    : `\n    ${ours.status} ${parts.join('\n      ').slice(0, most)}`;
}

/** A case for people: its requests, and both answers to those that differ. */
export const printCase = (played: readonly PlayedStep[], most = 600): string =>
  played
    .map(({ step, ours, real, differences }) => {
      const { method, path, body, edits } = step;
      const request = `  ${method} ${path}${body === undefined || step.current !== undefined ? '' : ` ${JSON.stringify(body)}`}${
        edits === undefined ? '' : ` edits ${JSON.stringify(edits)}`
      }${step.repeated === undefined ? '' : ` twice ${JSON.stringify(step.repeated)}`}`;
      const answers = differences.length === 0 ? '' : printBoth(ours, real, most);
      return `${request}${answers}`;
    })
    .join('\n');
