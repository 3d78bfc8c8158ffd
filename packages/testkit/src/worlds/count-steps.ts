type Method = (...args: readonly unknown[]) => unknown;
type Counted = { readonly target: object; readonly names: readonly string[]; readonly steps: Steps };
/** How many elements a call has gone through. */
type Steps = (receiver: unknown, result: unknown) => number;

const lengthOf = (value: unknown): number =>
  Array.isArray(value) ? value.length : value instanceof Set || value instanceof Map ? value.size : 0;

const ofReceiver: Steps = (receiver) => lengthOf(receiver);
const ofResult: Steps = (_receiver, result) => lengthOf(result);
const toIndex: Steps = (receiver, result) => (typeof result === 'number' && result >= 0 ? result : lengthOf(receiver));

const counted: readonly Counted[] = [
  {
    target: Array.prototype,
    names: ['map', 'filter', 'flatMap', 'flat', 'forEach', 'reduce', 'slice', 'concat', 'join', 'splice', 'toSorted'],
    steps: ofReceiver,
  },
  { target: Array.prototype, names: ['indexOf', 'findIndex', 'lastIndexOf'], steps: toIndex },
  { target: Array.prototype, names: ['includes'], steps: ofReceiver },
  { target: Object, names: ['keys', 'values', 'entries'], steps: ofResult },
  { target: Set.prototype, names: ['values', 'forEach'], steps: ofReceiver },
  { target: Map.prototype, names: ['values', 'keys', 'entries', 'forEach'], steps: ofReceiver },
];

/** These end early: what counts is how often they ask. */
const asking: readonly string[] = ['some', 'every', 'find', 'findLast'];

/**
 * Counts the elements that built-in functions of JavaScript go through while `run` runs: a measure of work that is the
 * same on every machine. For tests that have a process of their own, because it changes built-in objects meanwhile.
 */
export async function countSteps(run: () => Promise<unknown>): Promise<number> {
  let steps = 0;
  const restore: (() => void)[] = [];
  const replace = (target: object, name: string | symbol, wrap: (original: Method) => Method): void => {
    const descriptor = Object.getOwnPropertyDescriptor(target, name);
    if (descriptor === undefined) throw new Error(`there is no ${String(name)}`);
    Object.defineProperty(target, name, { ...descriptor, value: wrap(descriptor.value as Method) });
    restore.push(() => Object.defineProperty(target, name, descriptor));
  };
  const counting = (stepsOf: Steps) => (original: Method) =>
    function countedCall(this: unknown, ...args: readonly unknown[]): unknown {
      const result = Reflect.apply(original, this, args);
      steps += 1 + stepsOf(this, result);
      return result;
    };
  const countingQuestions = (original: Method) =>
    function countedQuestions(this: unknown, ...[ask, ...rest]: readonly unknown[]): unknown {
      const countedAsk: Method = (...args) => {
        steps += 1;
        return (ask as Method)(...args);
      };
      return Reflect.apply(original, this, [countedAsk, ...rest]);
    };
  for (const { target, names, steps: stepsOf } of counted)
    for (const name of names) replace(target, name, counting(stepsOf));
  for (const name of asking) replace(Array.prototype, name, countingQuestions);
  for (const { prototype } of [Set, Map]) replace(prototype, Symbol.iterator, counting(ofReceiver));
  try {
    await run();
  } finally {
    for (const undo of restore.toReversed()) undo();
  }
  return steps;
}
