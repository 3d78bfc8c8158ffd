import { describe, expect, test } from 'vitest';
import { findIncompatibleLabel } from './compatibility.ts';
import { parseRequirements } from './requirement-set.ts';

const mustExist = (...keys: readonly string[]) => parseRequirements(keys.map((key) => ({ key, operator: 'Exists' })));

describe('of labels that nothing defines', () => {
  test.each<
    readonly [fact: string, asked: readonly string[], base: readonly string[], known: readonly string[], told: object]
  >([
    ['the first by name is told', ['b.io/x', 'a.io/x'], [], [], { key: 'a.io/x' }],
    [
      'that of the same name is meant before one that contains it',
      ['team'],
      ['a.io/team-name', 'b.io/team'],
      [],
      { key: 'team', didYouMean: 'b.io/team' },
    ],
    [
      'of several of the same name the first is meant, in whatever order they are known',
      ['team'],
      ['b.io/team', 'a.io/team'],
      [],
      { key: 'team', didYouMean: 'a.io/team' },
    ],
    [
      'of several that are well-known the first is meant',
      ['team'],
      [],
      ['b.io/team', 'a.io/team'],
      { key: 'team', didYouMean: 'a.io/team' },
    ],
    ['a well-known one is meant before another', ['team'], ['a.io/team'], ['z.io/team'], { didYouMean: 'z.io/team' }],
    ['the name is what comes after the last slash', ['x/team'], ['a.io/eam'], [], { didYouMean: undefined }],
    ['the whole name counts', ['a.io/team'], ['b.io/xeam', 'a.io/teams'], [], { didYouMean: 'a.io/teams' }],
    ['one that contains it is meant', ['io/team'], ['a.io/team-name'], [], { didYouMean: 'a.io/team-name' }],
    ['one that is a slip away is meant', ['a.io/taem'], ['a.io/team'], [], { didYouMean: 'a.io/team' }],
    ['none is meant where none is near', ['a.io/team'], ['topology.io/zone'], [], { didYouMean: undefined }],
  ])('%s', (_, asked, base, known, told) => {
    const found = findIncompatibleLabel(mustExist(...base), mustExist(...asked), new Set(known));
    expect({ didYouMean: undefined, ...found }).toMatchObject({ kind: 'undefinedLabel', ...told });
  });
});
