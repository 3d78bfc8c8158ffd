/**
 * What the solver holds beyond the problem, measured in a process of its own: printed as JSON, in bytes. The problem is
 * solved twice before, so that neither code that is compiled nor what is known of the types is counted.
 */
import { prepareTypes, problemFrom, schedulePods } from '@nodewright/engine';
import type { ProblemFile } from '@nodewright/engine';
import { WorkMeter } from '../../packages/engine/src/solve/work-meter.ts';
import { classMix } from './cases/classes.ts';

const [pods = 0, classes = 0] = process.argv.slice(2).map(Number);
const problem = problemFrom(JSON.parse(JSON.stringify(classMix(pods, classes))) as ProblemFile);
prepareTypes(problem);

/** Solves the problem and looks at what is alive when a try begins; the first is 1. @returns how many tries there were */
function solve(look: (attempt: number) => void): number {
  const meter = new LookingMeter(look);
  schedulePods(problem, meter);
  return meter.tries;
}

/** A meter without a limit, which a round asks before every try. */
class LookingMeter extends WorkMeter {
  tries = 0;
  readonly #look: (attempt: number) => void;

  constructor(look: (attempt: number) => void) {
    super();
    this.#look = look;
  }

  override get isUsedUp(): boolean {
    this.tries += 1;
    this.#look(this.tries);
    return false;
  }
}

/** Several collections: code that has not been used for some is dropped as well. */
function bytesAlive(): number {
  for (let collection = 0; collection < 8; collection++) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

solve(() => undefined);
const last = solve(() => undefined);
const before = bytesAlive();
const alive = new Map<number, number>();
solve((attempt) => {
  if (attempt === 1 || attempt === last) alive.set(attempt, bytesAlive());
});
console.log(JSON.stringify({ read: (alive.get(1) ?? 0) - before, solved: (alive.get(last) ?? 0) - before }));
