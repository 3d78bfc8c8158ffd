import { type DisruptionPause, instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../terminal/exit-status.ts';
import { readPauseScope, scopeWords } from './pause-scope.ts';
import { choosePauses } from './resume.ts';

const byName = (...values: readonly string[]) => ({
  key: 'kubernetes.io/metadata.name',
  operator: 'In' as const,
  values: [...values],
});

describe('the scope of a pause', () => {
  for (const { fact, flags, only, scope, words } of [
    { fact: 'is everything when nothing is given', flags: {}, scope: undefined, words: 'everything voluntary' },
    {
      fact: 'is a NodePool by name, and then no NodeGroup',
      flags: { nodepool: ['default'] },
      scope: { nodePools: { matchExpressions: [byName('default')] } },
      words: 'everything voluntary of NodePools default',
    },
    {
      fact: 'takes labels of both kinds',
      flags: { selector: 'tier=production,!legacy' },
      scope: {
        nodePools: {
          matchExpressions: [
            { key: 'tier', operator: 'In' as const, values: ['production'] },
            { key: 'legacy', operator: 'DoesNotExist' as const },
          ],
        },
        nodeGroups: {
          matchExpressions: [
            { key: 'tier', operator: 'In' as const, values: ['production'] },
            { key: 'legacy', operator: 'DoesNotExist' as const },
          ],
        },
      },
      words:
        'everything voluntary of NodePools with tier In production, legacy DoesNotExist and NodeGroups with tier In production, legacy DoesNotExist',
    },
    {
      fact: 'needs the labels of what is named',
      flags: { nodegroup: ['a', 'b'], selector: 'tier' },
      scope: { nodeGroups: { matchExpressions: [byName('a', 'b'), { key: 'tier', operator: 'Exists' as const }] } },
      words: 'everything voluntary of NodeGroups a, b with tier Exists',
    },
    {
      fact: 'may be about some reasons alone',
      flags: {},
      only: ['Drifted', 'Empty'] as const,
      scope: { reasons: ['Drifted', 'Empty'] as const },
      words: 'Drifted, Empty',
    },
  ]) {
    test(fact, () => {
      const read = readPauseScope(flags, only);
      expect(read).toEqual(scope);
      expect(scopeWords({ reason: 'INC-7', ...(read === undefined ? {} : { scope: read }) })).toBe(words);
    });
  }

  for (const selector of ['tier in (a', 'n>1', '=x']) {
    test(`refuses "${selector}"`, () =>
      expect(() => readPauseScope({ selector })).toThrow(/--selector: .* is no label selector/));
  }
});

describe('the pauses that resume ends', () => {
  const aPause = (name: string, flags: Parameters<typeof readPauseScope>[0] = {}): DisruptionPause => {
    const scope = readPauseScope(flags, name === 'drift' ? ['Drifted'] : []);
    return { metadata: { name }, spec: { reason: 'INC-7', ...(scope === undefined ? {} : { scope }) } };
  };
  const all = [aPause('all'), aPause('drift', { nodepool: ['default'] }), aPause('pool', { nodepool: ['default'] })];
  const namesFor = (flags: Partial<Parameters<typeof choosePauses>[1]>, name?: string, pauses = all) =>
    choosePauses(pauses, { all: false, ...flags }, { name, now: instant(0) }).map(({ metadata }) => metadata.name);

  test('are the named one, those of the scope, the only one, or all', () => {
    expect(namesFor({}, 'drift')).toEqual(['drift']);
    expect(namesFor({ nodepool: ['default'] })).toEqual(['drift', 'pool']);
    expect(namesFor({}, undefined, [aPause('all')])).toEqual(['all']);
    expect(namesFor({ all: true })).toEqual(['all', 'drift', 'pool']);
    expect(namesFor({}, undefined, [])).toEqual([]);
  });

  test('are never guessed', () => {
    expect(() => namesFor({})).toThrow(InputError);
    expect(() => namesFor({}, 'other')).toThrow('there is no DisruptionPause "other"');
    expect(() => namesFor({ nodegroup: ['default'] })).toThrow('no DisruptionPause has exactly this scope');
  });
});
