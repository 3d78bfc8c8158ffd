import { expect, test } from 'vitest';
import { SimulatedGroup } from '@nodewright/testkit';
import type { UpdateRecord } from './update-record.ts';

const minute = 60_000;

const beginNodes = (group: SimulatedGroup, ids: readonly string[], rest = 'old'): UpdateRecord =>
  group.begin({ terminations: 'shrink', suspend: ['AZRebalance'], nodes: { ids, known: [], rest } });

const sizeOf = ({ max, desired, configuration, suspended, marked, cordoned }: SimulatedGroup) => ({
  max,
  desired,
  configuration,
  suspended,
  marked,
  cordoned,
});

const atRest = { max: 5, desired: 3, configuration: 'old', suspended: [], marked: [], cordoned: [] };

test('one node of three is replaced, the others stay, and the group launches from the old image again', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  const others = group.nodeNames().filter((id) => id !== 'i-0002');
  const pointed: string[] = [];
  const done = group.run(beginNodes(group, ['i-0002']), { each: () => pointed.push(group.configuration) });
  expect(done.phase).toBe('successful');
  expect(group.configurations).toEqual(['new', 'old', 'old']);
  expect(group.nodeNames()).toEqual(expect.arrayContaining([...others]));
  expect(sizeOf(group)).toEqual(atRest);
  expect(group.peak).toBe(4);
  expect(pointed.filter((each) => each === 'new')).toHaveLength(2);
});

test('a node that is not let go any more takes pods again, and its replacement goes', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  group.pods.push({ name: 'web', node: 'i-0002', budget: 'web' });
  group.letGo = new Set(['i-0001', 'i-0002']);
  let record = beginNodes(group, ['i-0001', 'i-0002']);
  record = group.run(record, { hours: 0.4 });
  expect(group.cordoned).toEqual([]);
  expect(group.marked).toContain('i-0002');
  group.letGo = new Set(['i-0001']);
  expect(group.run(record).phase).toBe('successful');
  expect(group.configurations).toEqual(['new', 'old', 'old']);
  expect(group.nodeNames()).toContain('i-0002');
  expect(sizeOf(group)).toEqual(atRest);
});

test('when nothing is let go any more before the new node has joined, the group is as before', () => {
  const group = new SimulatedGroup({ nodes: 3, broken: ['new'] });
  const record = group.run(beginNodes(group, ['i-0002']), { hours: 0.3 });
  expect([record.phase, group.configuration]).toEqual(['scaleUp', 'old']);
  group.letGo = new Set();
  expect(group.run(record).phase).toBe('successful');
  expect(group.configurations).toEqual(['old', 'old', 'old']);
  expect(sizeOf(group)).toEqual(atRest);
});

test('a launch that never comes fails the update after a quarter of an hour', () => {
  const group = new SimulatedGroup({ nodes: 3, exhausted: ['a', 'b', 'c'] });
  const done = group.run(beginNodes(group, ['i-0001']));
  expect([done.phase, done.failure?.code]).toEqual(['failed', 'NodeCreationFailure']);
  expect(group.now).toBeGreaterThanOrEqual(15 * minute);
  expect(group.configurations).toEqual(['old', 'old', 'old']);
  expect(sizeOf(group)).toEqual(atRest);
});

test('instances that others add meanwhile stay, and keep the old image', () => {
  const group = new SimulatedGroup({ nodes: 3, max: 9 });
  let isRaised = false;
  const done = group.run(beginNodes(group, ['i-0001']), {
    each: () => {
      if (isRaised || group.configurations.every((each) => each === 'old') || group.configuration === 'new') return;
      isRaised = true;
      group.desired += 2;
    },
  });
  expect(done.phase).toBe('successful');
  expect(group.configurations).toEqual(['new', 'old', 'old', 'old', 'old']);
  expect(sizeOf(group)).toEqual({ ...atRest, max: 9, desired: 5 });
});

test('terminate first: the group is never larger, and new nodes come from the new image', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  const nodes = { ids: ['i-0003'], known: [], rest: 'old' };
  const done = group.run(group.begin({ terminations: 'shrink', strategy: 'MINIMAL', nodes }));
  expect(done.phase).toBe('successful');
  expect(group.configurations).toEqual(['new', 'old', 'old']);
  expect(group.log.some(({ kind }) => kind === 'setSize')).toBe(false);
  expect(sizeOf(group)).toEqual(atRest);
});

test('in the last wave the group launches from the new image, also when no node is left to replace', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  const done = group.run(beginNodes(group, [], 'new'));
  expect(done.phase).toBe('successful');
  expect(group.configuration).toBe('new');
  expect(group.log.map(({ kind }) => kind)).toEqual(['createVersion', 'pointGroup']);
});
