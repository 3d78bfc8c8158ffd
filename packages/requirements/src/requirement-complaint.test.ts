import type { RequirementWithMinValues } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { requirementComplaint } from './requirement-complaint.ts';

const written = (key: string, operator: string, values?: readonly string[], minValues?: number) =>
  ({
    key,
    operator,
    ...(values === undefined ? {} : { values }),
    ...(minValues === undefined ? {} : { minValues }),
  }) as RequirementWithMinValues;

for (const requirement of [
  written('team', 'In', ['a']),
  written('team', 'In', ['a', 'b'], 2),
  written('team', 'Exists'),
  written('team', 'DoesNotExist'),
  written('team', 'NotIn', ['a']),
  written('team', 'NotIn'),
  written('team', 'Exists', undefined, 5),
  written('cpus', 'Gt', ['0']),
  written('cpus', 'Lte', ['7']),
  written('topology.kubernetes.io/zone', 'In', ['us-east-1a']),
]) {
  test(`nothing is wrong with ${JSON.stringify(requirement)}`, () => {
    expect(requirementComplaint(requirement)).toBeUndefined();
  });
}

for (const { requirement, says } of [
  {
    requirement: written('kubernetes.io/hostname', 'In', ['a']),
    says: /^label kubernetes\.io\/hostname is restricted/,
  },
  { requirement: written('a b', 'Exists'), says: /^label key a b / },
  { requirement: written('team', 'In', ['a', 'b c']), says: /^value b c of label team / },
  { requirement: written('team', 'Like', ['a']), says: /^operator Like of label team is none of In, NotIn, Exists/ },
  { requirement: written('team', 'In', []), says: 'operator In of label team needs at least one value' },
  { requirement: written('team', 'In'), says: 'operator In of label team needs at least one value' },
  { requirement: written('team', 'In', ['a'], 2), says: 'label team lists 1 values, fewer than its minValues of 2' },
  { requirement: written('cpus', 'Gt', []), says: /needs exactly one whole number of zero or more, not \[\]$/ },
  { requirement: written('cpus', 'Lt', ['1', '2']), says: /not \[1 2\]$/ },
  { requirement: written('cpus', 'Gte', ['few']), says: /not \[few\]$/ },
  { requirement: written('cpus', 'Lte', ['-1']), says: /-1/ },
] as const) {
  test(`${JSON.stringify(requirement)} is told what is wrong`, () => {
    const complaint = requirementComplaint(requirement);
    if (typeof says === 'string') expect(complaint).toBe(says);
    else expect(complaint).toMatch(says);
  });
}

test('a restricted label close to a known one says which', () => {
  const complaint = requirementComplaint(written('karpenter.sh/capacity-typ', 'In', ['spot']));
  expect(complaint).toBe(
    'label karpenter.sh/capacity-typ is restricted: it is set by the controller alone (did you mean karpenter.sh/capacity-type?)',
  );
  expect(requirementComplaint(written('karpenter.sh/of-somebody-else', 'In', ['x']))).toBe(
    'label karpenter.sh/of-somebody-else is restricted: it is set by the controller alone',
  );
});

test('each bound needs one number', () => {
  for (const operator of ['Gt', 'Lt', 'Gte', 'Lte'])
    for (const values of [[], ['1', '2'], ['1.5'], ['x']])
      expect(requirementComplaint(written('cpus', operator, values))).toMatch(/needs exactly one whole number/);
  for (const operator of ['Gt', 'Lt', 'Gte', 'Lte'])
    expect(requirementComplaint(written('cpus', operator, ['0']))).toBeUndefined();
});
