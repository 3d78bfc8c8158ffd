import { expect, test } from 'vitest';
import { nearestKey } from './nearest-key.ts';

test.each<readonly [fact: string, key: string, known: readonly string[], nearest: string | undefined]>([
  ['is the same but for punctuation and case', 'Team_Name', ['team', 'team-name'], 'team-name'],
  ['is never the key itself', 'team', ['team'], undefined],
  ['may have two letters more at the end', 'team', ['teamss'], 'teamss'],
  ['may have two letters more at the beginning', 'team', ['myteam'], 'myteam'],
  ['may have two letters fewer at the end', 'teamss', ['team'], 'team'],
  ['may have two letters fewer at the beginning', 'myteam', ['team'], 'team'],
  ['may have two letters changed', 'team', ['tomm'], 'tomm'],
  ['may have a letter more and one changed', 'team', ['tomas', 'toams'], 'toams'],
  ['has not three letters changed', 'team', ['xyzm'], undefined],
  ['has not three letters more', 'team', ['teamsss'], undefined],
  ['has not every letter changed, however short it is', 'wxyz', ['ab'], undefined],
  ['is the one with the fewest letters off', 'team', ['teamss', 'teamy'], 'teamy'],
  ['is the first by name of those equally far off', 'team', ['teamy', 'teamx'], 'teamx'],
])('the nearest key %s', (_, key, known, nearest) => expect(nearestKey(key, known)).toBe(nearest));
