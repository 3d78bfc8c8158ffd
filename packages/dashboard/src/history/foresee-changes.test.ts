import { expect, test } from 'vitest';
import { foreseeChanges, listForeseenEntries } from './foresee-changes.ts';

const minute = (number: number): string => `2024-03-01T12:${String(number).padStart(2, '0')}:00Z`;

const foreseen = foreseeChanges({
  takenAt: minute(0),
  until: minute(59),
  change: { manifests: ['EC2NodeClass default'] },
  nodes: [
    { node: 'a', nodePool: 'web', reason: 'Drifted', begins: minute(1), gone: minute(4), replacedBy: 'm6g.large new' },
    { node: 'b', nodePool: 'web', reason: 'Drifted', begins: minute(2), gone: minute(6), replacedBy: 'm6g.large new' },
    { node: 'c', nodePool: 'web', reason: 'Empty', begins: minute(3), gone: minute(5), replacedBy: 'm6g.large stays' },
    { node: 'held', nodePool: 'web', reason: 'Drifted' },
    { node: 'stays', nodePool: 'web' },
  ],
  rollouts: [{ name: 'production-1', waves: [{ name: 'canary', startedAt: minute(1) }] }],
});

test('nodes leave and come, waves begin, in the order of time', () => {
  expect(
    foreseen.entries.map(({ at, id, row }) => `${at.slice(14, 16)} ${id} ${row === undefined ? 'gone' : row.words}`),
  ).toEqual([
    '01 a leaving, for Drifted',
    '01 new starting',
    '01 production-1 wave canary begins',
    '02 b leaving, for Drifted',
    '03 c leaving, for Empty',
    '04 a gone',
    '04 new ready',
    '05 c gone',
    '06 b gone',
  ]);
});

test('what was expected for the past is left out', () => {
  expect(listForeseenEntries(foreseen, minute(4)).map(({ id }) => id)).toEqual(['c', 'b']);
});
