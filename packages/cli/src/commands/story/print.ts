import type { Instant } from '@nodewright/apis';
import { printTable } from '../../terminal/table.ts';
import type { StoryLine, NodeLife } from './chronicle.ts';

const printClockTime = (at: Instant): string => new Date(at).toISOString().slice(11, 19);

/** `16:01:38  launch    default-w6fg6   m6g.xlarge spot in us-east-1b, AL2 v20240117`. */
export const printLine = ({ at, what, who, text }: StoryLine): string =>
  `${printClockTime(at)}  ${what.padEnd(8)}  ${who.padEnd(32)}  ${text}`.trimEnd();

export const printCommand = (at: Instant, text: string): string => `\n${printClockTime(at)}  $ ${text}`;

/** The table at the end: each node, its image, why it came and why it went. */
export function printLives(lives: readonly NodeLife[]): string {
  const rows = lives.map((life) => [
    life.name,
    life.kubeletVersion,
    life.release,
    life.image,
    life.cameBecause,
    life.wentBecause ?? 'is running',
  ]);
  return printTable(['NODE', 'VERSION', 'RELEASE', 'IMAGE', 'WHY IT CAME', 'WHY IT WENT'], rows);
}
