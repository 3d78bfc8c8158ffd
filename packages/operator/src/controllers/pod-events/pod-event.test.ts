import type { Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { isPodEvent } from './pod-event.ts';

type Traits = { readonly node?: string; readonly phase?: 'Running' | 'Succeeded'; readonly leaving?: boolean };

const pod = ({ node = '', phase = 'Running', leaving = false }: Traits): Pod => ({
  metadata: { name: 'web', ...(leaving ? { deletionTimestamp: '2024-01-28T16:00:00Z' } : {}) },
  spec: { containers: [], nodeName: node },
  status: { phase },
});

const here = { node: 'a' } as const;

for (const { fact, before, after, is } of [
  { fact: 'a pod that is bound counts', before: {}, after: here, is: true },
  { fact: 'a bound pod that is seen first counts', before: undefined, after: here, is: true },
  { fact: 'a pod that ends counts', before: here, after: { ...here, phase: 'Succeeded' }, is: true },
  { fact: 'a pod that is asked to end counts', before: here, after: { ...here, leaving: true }, is: true },
  { fact: 'a pod that goes on as before does not', before: here, after: here, is: false },
  { fact: 'a pod that is gone does not', before: here, after: undefined, is: false },
  { fact: 'a pod without a node does not', before: undefined, after: {}, is: false },
] as const) {
  test(fact, () => {
    expect(isPodEvent(before && pod(before), after && pod(after))).toBe(is);
  });
}
