import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SimulatedGroup } from '@nodewright/testkit';
import { cancelUpdateRecord, failUpdate } from './update-record.ts';

const minute = 60_000;
const copies = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

/** A group whose every node runs a pod behind one budget. */
function groupWithBudget(allowed: number, different: { sticky?: boolean } = {}): SimulatedGroup {
  const group = new SimulatedGroup({ nodes: 3 });
  group.budgets['web'] = allowed;
  for (const node of group.nodeNames()) group.pods.push({ name: `web-${node}`, node, budget: 'web', ...different });
  return group;
}

test('scenario 1, UPG-7, SDN-1: six nodes in three zones are twelve at the peak, and six new ones at the end', () => {
  const group = new SimulatedGroup({ nodes: 6, max: 8 });
  const done = group.run(group.begin());
  expect(done.phase).toBe('successful');
  expect(group.configurations).toEqual(copies(6, 'new'));
  expect(group.log.find(({ kind }) => kind === 'setSize')).toEqual({ kind: 'setSize', max: 14, desired: 12 });
  expect({ max: group.max, desired: group.desired }).toEqual({ max: 8, desired: 6 });
  expect(group.marked).toEqual([]);
});

test('scenario 2, UPG-1, UPG-10: with twenty at once, twenty are drained and never more', () => {
  const group = new SimulatedGroup({ nodes: 60, max: 80, zones: 5 });
  const done = group.run(group.begin({ parallel: 20 }));
  expect(done.phase).toBe('successful');
  expect(done.surge).toBe(20);
  expect(group.mostCordoned).toBe(20);
  expect(group.configurations).toEqual(copies(60, 'new'));
});

test('scenario 4, MIN-2, MIN-5: the minimal strategy never has more instances than before, and lacks one at most', () => {
  const group = new SimulatedGroup({ nodes: 4 });
  const joined: number[] = [];
  const each = () =>
    joined.push(group.seen().nodes.filter(({ ready, unschedulable }) => ready && !unschedulable).length);
  const done = group.run(group.begin({ strategy: 'MINIMAL' }), { each });
  expect(done.phase).toBe('successful');
  expect(group.configurations).toEqual(copies(4, 'new'));
  expect(group.log.some(({ kind }) => kind === 'setSize')).toBe(false);
  expect(Math.min(...joined)).toBe(3);
});

test('scenario 5, UPG-3, UPG-4, FAIL-1, FAIL-4: a budget without room fails the update and names the node', () => {
  const group = groupWithBudget(0);
  const old = group.nodeNames().map((id) => `node-${id}`);
  const done = group.run(group.begin());
  expect(done.phase).toBe('failed');
  expect(done.failure?.code).toBe('PodEvictionFailure');
  expect(old).toContain(done.failure?.resourceIds[0]);
  expect(group.configurations).toEqual(copies(3, 'old'));
  expect(group.configuration).toBe('new');
  expect([group.marked, group.cordoned]).toEqual([[], []]);
  expect({ max: group.max, desired: group.desired }).toEqual({ max: 5, desired: 3 });
});

test('UPG-4: a pod is asked to leave twenty times at most, and its budget is named meanwhile', () => {
  const group = groupWithBudget(0);
  group.run(group.begin());
  const evictions = group.log.filter(({ kind }) => kind === 'evict');
  expect(evictions).toHaveLength(20);
  expect(group.held).toMatchObject([{ namespace: 'app', budget: 'web' }]);
});

test('scenario 6, SUP-7: the same call again resumes, and leaves nodes alone that were moved before', () => {
  const group = new SimulatedGroup({ nodes: 4 });
  group.budgets['web'] = 0;
  const [first = ''] = group.nodeNames();
  group.pods.push({ name: 'web-1', node: first, budget: 'web' });
  const failed = group.run(group.begin({ parallel: 1 }));
  expect(failed.phase).toBe('failed');
  const moved = group
    .seen()
    .group.instances.filter(({ configuration }) => configuration === 'new')
    .map(({ id }) => `node-${id}`);
  group.budgets['web'] = 1;
  const from = group.log.length;
  const done = group.run(group.begin());
  expect(done.phase).toBe('successful');
  expect(group.configurations).toEqual(copies(4, 'new'));
  const marked = group.log.slice(from).flatMap((action) => (action.kind === 'mark' ? [action.node] : []));
  expect(marked.filter((node) => moved.includes(node))).toEqual([]);
  expect(group.log.slice(from).some(({ kind }) => kind === 'createVersion')).toBe(false);
});

test('scenario 7, FRC-2, FRC-3: force deletes what is left at the limit and goes on', () => {
  const group = groupWithBudget(0);
  const done = group.run(group.begin({ force: true }));
  expect(done.phase).toBe('successful');
  expect(group.configurations).toEqual(copies(3, 'new'));
  const kinds = group.log.map(({ kind }) => kind);
  expect(kinds.indexOf('evict')).toBeLessThan(kinds.indexOf('delete'));
});

test('scenario 8, UPG-9: a pod that comes back to its node holds the drain until the limit', () => {
  const done = ((group) => group.run(group.begin()))(groupWithBudget(9, { sticky: true }));
  expect(done.failure?.code).toBe('PodEvictionFailure');
});

test('scenario 9, SUP-3, FAIL-5: a zone that sells nothing fails the update, and no old node is lost', () => {
  const group = new SimulatedGroup({ nodes: 3, exhausted: ['c'] });
  const done = group.run(group.begin());
  expect(done.failure?.code).toBe('NodeCreationFailure');
  expect(group.configuration).toBe('old');
  expect(group.configurations).toEqual(copies(3, 'old'));
  expect({ max: group.max, desired: group.desired }).toEqual({ max: 5, desired: 3 });
});

test('scenario 10, SUP-5: nodes that never join fail the update after 15 minutes, and the instances are named', () => {
  const group = new SimulatedGroup({ nodes: 3, broken: ['new'] });
  let failedAt = 0;
  let record = group.begin();
  while (record.failure === undefined) {
    record = group.run(record, { hours: 1 / 240 });
    failedAt = group.now;
  }
  expect(record.failure).toMatchObject({ code: 'NodeCreationFailure' });
  expect(record.failure?.resourceIds).toHaveLength(6);
  expect(failedAt).toBeGreaterThanOrEqual(15 * minute);
  expect(failedAt).toBeLessThan(17 * minute);
  expect(group.run(record).phase).toBe('failed');
  expect(group.configurations).toEqual(copies(3, 'old'));
});

test('MIN-5: a replacement that never joins fails a minimal update', () => {
  const group = new SimulatedGroup({ nodes: 3, broken: ['new'] });
  const done = group.run(group.begin({ strategy: 'MINIMAL' }));
  expect(done.failure).toMatchObject({ code: 'NodeCreationFailure' });
  expect(done.failure?.resourceIds).toHaveLength(1);
  expect(group.configurations).toEqual(['new', 'old', 'old']);
});

test('scenario 11, SDN-2, SDN-3: somebody who raises the group during the scale down gets the larger size', () => {
  const group = new SimulatedGroup({ nodes: 3, max: 20 });
  let raised = false;
  const record = group.begin();
  const each = (): void => {
    const last = group.log.at(-1);
    if (raised || last?.kind !== 'setSize' || last.desired !== 7) return;
    raised = true;
    group.desired += 3;
  };
  const done = group.run(record, { each });
  expect(raised).toBe(true);
  expect(done.phase).toBe('successful');
  expect(group.desired).toBe(10);
});

test('scenario 18, SET-6: a group that is on the target already is left as it is', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  const target = { configuration: 'old', labels: { image: 'old' } };
  expect(group.run(group.begin({ target })).phase).toBe('successful');
  expect(group.log).toEqual([]);
});

test('scenario 21: a group without nodes is done at once, and launches from the new version', () => {
  const group = new SimulatedGroup({ nodes: 0, max: 3 });
  expect(group.run(group.begin()).phase).toBe('successful');
  expect(group.log.map(({ kind }) => kind)).toEqual(['createVersion', 'pointGroup']);
  expect(group.configuration).toBe('new');
  expect(group.now).toBeLessThan(minute);
});

test('scenarios 25, 26: an old node that is lost while it drains is replaced, and the update goes on', () => {
  const group = new SimulatedGroup({ nodes: 6 });
  let lost = false;
  const each = (): void => {
    const [cordoned] = group.cordoned;
    if (lost || cordoned === undefined) return;
    lost = true;
    group.lose(cordoned);
  };
  expect(group.run(group.begin(), { each }).phase).toBe('successful');
  expect(lost).toBe(true);
  expect(group.configurations).toEqual(copies(6, 'new'));
});

test('scenario 28, FAIL-10: a failed update that is turned around leaves no new node', () => {
  const group = new SimulatedGroup({ nodes: 4 });
  group.budgets['web'] = 0;
  const [first = ''] = group.nodeNames();
  group.pods.push({ name: 'web-1', node: first, budget: 'web' });
  const done = group.run(group.begin({ onFailure: 'revert', parallel: 2 }));
  expect(done.phase).toBe('failed');
  expect(done.failure?.code).toBe('PodEvictionFailure');
  expect(group.configurations).toEqual(copies(4, 'old'));
  expect(group.configuration).toBe('old');
  expect(group.desired).toBe(4);
});

test('OBJ-8: a host that is refused ends the update with what it was refused for', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  const failure = { code: 'AccessDenied', message: 'may not evict', resourceIds: [] } as const;
  const record = failUpdate(group.run(group.begin(), { hours: 1 / 60 }), failure, group.now);
  const done = group.run(record);
  expect([done.phase, done.failure]).toEqual(['failed', failure]);
  expect(group.configurations).toEqual(copies(3, 'old'));
});

test('scenario 29, SDN-1: a hundred nodes scale down in as many steps as they grew by', () => {
  const group = new SimulatedGroup({ nodes: 100, max: 120 });
  const done = group.run(group.begin({ parallel: 25 }));
  const sizes = group.log.filter(({ kind }) => kind === 'setSize');
  expect(done.phase).toBe('successful');
  expect(sizes).toHaveLength(1 + 25);
});

test('UPG-5: between cordon and termination lie 60 seconds', () => {
  const group = new SimulatedGroup({ nodes: 1 });
  const times: Record<string, number> = {};
  const each = (): void => {
    const last = group.log.at(-1)?.kind;
    if (last !== undefined) times[last] ??= group.now;
  };
  group.run(group.begin(), { each });
  expect((times['terminate'] ?? 0) - (times['cordon'] ?? 0)).toBe(minute);
});

test('SMG-6: a new node that has its startup taints yet is waited for before an old one is touched', () => {
  const group = new SimulatedGroup({ nodes: 3, startsForMs: 5 * minute });
  let firstDrain: number | undefined;
  const each = () => {
    if (group.cordoned.length > 0) firstDrain ??= group.now;
  };
  expect(group.run(group.begin(), { each }).phase).toBe('successful');
  expect(firstDrain).toBeGreaterThanOrEqual(6 * minute);
  const never = new SimulatedGroup({ nodes: 3, startsForMs: 60 * minute });
  expect(never.run(never.begin()).failure?.code).toBe('NodeCreationFailure');
});

test('SMG-5, SMG-7, SMG-9: a group of our own spends its surplus on the first nodes, and gets its processes back', () => {
  const group = new SimulatedGroup({ nodes: 8 });
  const done = group.run(group.begin({ terminations: 'shrink', suspend: ['AZRebalance', 'ScheduledActions'] }));
  const ended = group.log.flatMap((action) => (action.kind === 'terminate' ? [action.decrement] : []));
  expect(done.phase).toBe('successful');
  expect(ended).toEqual([...copies(6, true), false, false]);
  expect(group.suspended).toEqual([]);
  expect(group.configurations).toEqual(copies(8, 'new'));
});

for (const every of [2, 3, 5]) {
  test(`an update whose host dies before every ${every}. action comes to the same end`, () => {
    const group = new SimulatedGroup({ nodes: 5 });
    group.pods.push(...group.nodeNames().map((node) => ({ name: `web-${node}`, node })));
    const done = group.run(group.begin({ parallel: 2 }), { losesAction: (number) => number % every === 0 });
    expect(done.phase).toBe('successful');
    expect(group.configurations).toEqual(copies(5, 'new'));
    expect({ max: group.max, desired: group.desired }).toEqual({ max: 7, desired: 5 });
  });
}

test('SMG-7: a budget without room is waited for while the group shrinks, and its pod is named', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  let record = group.begin({ terminations: 'shrink' });
  while (record.phase !== 'scaleDown') record = group.run(record, { hours: 1 / 120 });
  group.budgets['web'] = 0;
  for (const node of group.nodeNames()) group.pods.push({ name: `web-${node}`, node, budget: 'web' });
  record = group.run(record, { hours: 2 });
  expect(record.phase).toBe('scaleDown');
  expect(group.held).toMatchObject([{ budget: 'web' }]);
  const [waiting] = Object.keys(record.drains);
  expect(group.marked).toEqual([waiting]);
  group.budgets['web'] = 1;
  expect(group.run(record).phase).toBe('successful');
  expect(group.desired).toBe(3);
});

test('SDN-2: a node that was about to go takes pods again when somebody raises the group', () => {
  const group = new SimulatedGroup({ nodes: 3, max: 20 });
  let record = group.begin({ terminations: 'shrink' });
  while (Object.keys(record.drains).length === 0 || record.phase !== 'scaleDown') {
    record = group.run(record, { hours: 1 / 3600 });
  }
  expect(group.marked).toHaveLength(1);
  group.desired += 2;
  expect(group.run(record).phase).toBe('successful');
  expect([group.marked, group.cordoned]).toEqual([[], []]);
});

test('an update that is called off gives the group back as it is', () => {
  const group = new SimulatedGroup({ nodes: 8 });
  const record = group.run(group.begin({ suspend: ['AZRebalance'] }), { hours: 1 / 6 });
  expect(record.phase).toBe('upgrade');
  const done = group.run(cancelUpdateRecord(record, 'called off', group.now));
  expect(done.failure?.message).toBe('called off');
  expect(group.configurations).toContain('new');
  expect(group.configurations).toContain('old');
  expect([group.marked, group.cordoned, group.suspended]).toEqual([[], [], []]);
  expect({ max: group.max, desired: group.desired }).toEqual({ max: 10, desired: 8 });
});

test('scenario 12: a group of our own that somebody points at another version is not replaced for ever', () => {
  const group = new SimulatedGroup({ nodes: 4 });
  const record = group.run(group.begin({ terminations: 'shrink' }), { hours: 1 / 10 });
  expect(record.phase).toBe('upgrade');
  group.configuration = 'edited';
  const done = group.run(record);
  expect(done.failure?.message).toContain('pointed at another launch template version');
  expect(group.configuration).toBe('edited');
  expect([group.marked, group.cordoned]).toEqual([[], []]);
  expect(group.desired).toBe(4);
});

test('UPG-3: the time in which no host was there to ask the pods to leave does not count', () => {
  const group = groupWithBudget(0);
  group.pods.splice(1);
  let record = group.begin();
  while (Object.keys(record.drains).length === 0) record = group.run(record, { hours: 1 / 360 });
  const begun = group.now;
  group.run({ ...record, phase: 'successful' });
  group.now = instant(begun + 60 * minute);
  group.since = group.now;
  group.budgets['web'] = 1;
  expect(group.run(record).phase).toBe('successful');
});

test('FRC-4: with force, a pod that always comes back holds its node no longer than the limit', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  group.pods.push({ name: 'crash', node: group.nodeNames()[0] ?? '', sticky: true, budget: 'none' });
  group.budgets['none'] = 0;
  const done = group.run(group.begin({ force: true }), { hours: 2 });
  expect(done.phase).toBe('successful');
  expect(group.configurations).toEqual(copies(3, 'new'));
});

test('UPG-12, SUP-2: the group is raised once, and then only lowered', () => {
  const group = new SimulatedGroup({ nodes: 3, max: 5 });
  group.run(group.begin());
  const sizes = group.log.flatMap((action) => (action.kind === 'setSize' ? [action.desired] : []));
  expect(sizes).toEqual([9, 8, 7, 6, 5, 4, 3]);
});

for (const { fact, broken, phase, image } of [
  { fact: 'an update that comes true', broken: [], phase: 'successful', image: 'new' },
  { fact: 'an update that fails, and launches the old version again,', broken: ['new'], phase: 'failed', image: 'old' },
]) {
  test(`WRM-4: ${fact} leaves warm instances of that version only`, () => {
    const group = new SimulatedGroup({ nodes: 3, warm: 4, broken });
    const done = group.run(group.begin({ terminations: 'shrink' }));
    expect(done.phase).toBe(phase);
    expect(group.warm).toEqual(copies(4, image));
    expect(group.configurations).toEqual(copies(3, image));
  });
}

test('WRM-4, SET-2: warm instances of the old version are gone before the group grows', () => {
  const group = new SimulatedGroup({ nodes: 3, warm: 4 });
  const old = group.seen().group.warm?.map(({ id }) => id);
  group.run(group.begin({ terminations: 'shrink' }));
  const growth = group.log.findIndex(({ kind }) => kind === 'setSize');
  const discarded = group.log
    .slice(0, growth)
    .flatMap((action) => (action.kind === 'discard' ? action.instanceId : []));
  expect(discarded).toEqual(old);
});

test('SMG-11: a plain group is rolled as by the published template, one node at a time and new ones first', () => {
  const group = new SimulatedGroup({ nodes: 3 });
  group.run(group.begin({ terminations: 'shrink' }));
  expect(group.mostCordoned).toBe(1);
  expect(group.fewest).toBe(3);
});
