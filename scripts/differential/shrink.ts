import { byNumberOf } from '@nodewright/apis';
import { isMap, type Json, type JsonMap, placesIn, type Step, edited } from './step.ts';

export type ShrinkOptions = {
  /** Whether steps still show the same difference. */
  readonly shows: (steps: readonly Step[]) => Promise<boolean>;
  /** How many smaller cases are played at most. */
  readonly tries: number;
};

/** Makes a case smaller: without steps, then without edits and members of bodies, as long as it shows its difference. */
export async function shrinkSteps(steps: readonly Step[], { shows, tries }: ShrinkOptions): Promise<readonly Step[]> {
  let smallest = steps;
  let left = tries;
  for (let found: readonly Step[] | undefined = steps; found !== undefined;) {
    found = undefined;
    for (const smaller of smallerCases(smallest)) {
      if (left === 0) return smallest;
      left -= 1;
      if (!(await shows(smaller))) continue;
      found = smaller;
      break;
    }
    smallest = found ?? smallest;
  }
  return smallest;
}

/** All cases that are one thing smaller, the greatest things first. */
export function* smallerCases(steps: readonly Step[]): Generator<readonly Step[]> {
  if (steps.length > 2) yield steps.slice(-1);
  for (const [nth] of steps.entries()) if (steps.length > 1) yield steps.toSpliced(nth, 1);
  for (const [nth, step] of steps.entries())
    for (const smaller of smallerSteps(step)) yield steps.toSpliced(nth, 1, smaller);
}

function* smallerSteps(step: Step): Generator<Step> {
  const { repeated: _, ...plain } = step;
  if (step.repeated !== undefined) yield plain;
  if (step.path.includes('?')) yield { ...step, path: step.path.replace(/\?.*$/, '') };
  const { edits = [], body } = step;
  for (const [nth] of edits.entries()) yield { ...step, edits: edits.toSpliced(nth, 1) };
  if (body === undefined) return;
  for (const smaller of smallerBodies(body)) yield { ...step, body: smaller };
}

const needed = new Set(['apiVersion', 'kind', 'metadata']);

function* smallerBodies(body: Json): Generator<Json> {
  if (!isMap(body) && !Array.isArray(body)) return;
  const places = placesIn(body).filter((at) => at.length > 0 && !(at.length === 1 && needed.has(String(at[0]))));
  for (const at of places.toSorted(byNumberOf(({ length }) => length))) {
    const smaller = edited(body as JsonMap, { at });
    if (smaller !== undefined) yield smaller;
  }
}
