import { expect } from 'vitest';
import type { ForceOptions, ForceWorld } from './force-world.ts';

/** Whatever happened on the way: what EC2 runs is what the claims say, and no claim was launched twice. */
export async function expectNothingLost(world: ForceWorld): Promise<void> {
  const launches = world.launches();
  const instances = [...new Set(launches.map(({ instance }) => instance))];
  expect(launches.map(({ claim }) => claim)).not.toContain('');
  expect(new Set(launches.map(({ claim, instance }) => `${claim} ${instance}`)).size).toBe(instances.length);
  expect(new Set(launches.map(({ claim }) => claim)).size).toBe(instances.length);
  const staying = world.sandbox.aws.ec2.instances
    .all()
    .filter(({ state }) => state === 'running' || state === 'pending');
  expect(staying.map(({ id }) => id).toSorted()).toEqual(await world.running());
}

/** The first answer to every request that is different from all before. */
export function eachAnswerOnce(): ForceOptions['fate'] {
  const seen = new Set<string>();
  return ({ identity }) => {
    if (seen.has(identity)) return 'arrives';
    seen.add(identity);
    return 'lost';
  };
}

/** A write that is made again with the same token changes nothing: whoever died of it does not die of it twice. */
export function killedAfterWrites(count: number): ForceOptions['fate'] {
  const seen = new Set<string>();
  let left = count;
  return ({ to, isWrite, identity }) => {
    if (!isWrite || (to === 'aws' && seen.has(identity))) return 'arrives';
    seen.add(identity);
    left -= 1;
    if (left > 0) return 'arrives';
    left = count;
    return 'dies';
  };
}

/** What may become of an operator. */
export const troubles: readonly { readonly fact: string; readonly fate: () => ForceOptions['fate'] }[] = [
  { fact: 'dies after every single write', fate: () => killedAfterWrites(1) },
  // Each request that is different from all before loses its answer.
  { fact: 'loses every single answer', fate: eachAnswerOnce },
  {
    fact: 'dies and loses answers at random',
    fate: () => (_, dice) => (dice.next() < 0.02 ? 'dies' : dice.next() < 0.1 ? 'lost' : 'arrives'),
  },
];
