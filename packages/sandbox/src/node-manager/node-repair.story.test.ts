import type { NodeRepairConfig } from '@aws-sdk/client-eks';
import { instant, minutes, type Node, toTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { planRepairs } from './node-repair.ts';

const minute = minutes(1);
const now = instant(1_000 * minute);

/** A node whose condition has been wrong for some minutes; a healthy one without. */
const aNode = (name: string, wrong?: { type: string; minutes: number; reason?: string }, leaving = false) => {
  const lastTransitionTime = toTimestamp(instant(now - (wrong?.minutes ?? 0) * minute));
  const condition = {
    type: wrong?.type ?? 'Ready',
    status: wrong === undefined ? 'True' : 'False',
    reason: wrong?.reason ?? '',
    lastTransitionTime,
  };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, status: { conditions: [condition] } } as Node;
  return { instanceId: name, node, leaving };
};
const healthy = (count: number) => Array.from({ length: count }, (_, at) => aNode(`well-${at}`));
const notReady = (count: number) =>
  Array.from({ length: count }, (_, at) => aNode(`sick-${at}`, { type: 'Ready', minutes: 31 }));

const onWindows = ({ node, ...rest }: ReturnType<typeof aNode>) => ({
  ...rest,
  node: { ...node, metadata: { ...node.metadata, labels: { 'kubernetes.io/os': 'windows' } } },
});

const on: NodeRepairConfig = { enabled: true };

const gpu = (reason: string) => [aNode('gpu', { type: 'AcceleratedHardwareReady', minutes: 11, reason })];

for (const { reason, does } of [
  ...[13, 31, 48, 63, 64, 94, 95].map((code) => ({ reason: `NvidiaXID${code}Error`, does: 'reboot' })),
  ...[74, 79, 119, 120, 121, 140].map((code) => ({ reason: `NvidiaXID${code}Error`, does: 'replace' })),
  { reason: 'NvidiaXID61Warning', does: 'nothing' },
]) {
  test(`REP-8: for ${reason} repair does ${does}`, () => {
    const { replace, reboot } = planRepairs(on, gpu(reason), now);
    expect({ replace: replace.length, reboot: reboot.length }).toEqual({
      replace: does === 'replace' ? 1 : 0,
      reboot: does === 'reboot' ? 1 : 0,
    });
  });
}

test('REP-8: a reboot is tried once for each time that a condition goes wrong', () => {
  const [node] = gpu('NvidiaXID13Error');
  const again = planRepairs(on, node === undefined ? [] : [{ ...node, rebootedAt: now }], now);
  expect(again).toMatchObject({ replace: [], reboot: [] });
});

for (const repairAction of ['Replace', 'Reboot', 'NoAction'] as const) {
  test(`REP-6, REP-7: an override may say ${repairAction}`, () => {
    const override = {
      nodeMonitoringCondition: 'NetworkingReady',
      nodeUnhealthyReason: 'InterfaceNotUp',
      minRepairWaitTimeMins: 5,
      repairAction,
    };
    const nodes = [aNode('n', { type: 'NetworkingReady', minutes: 6, reason: 'InterfaceNotUp' })];
    const { replace, reboot } = planRepairs({ ...on, nodeRepairConfigOverrides: [override] }, nodes, now);
    expect([replace.length, reboot.length]).toEqual([
      repairAction === 'Replace' ? 1 : 0,
      repairAction === 'Reboot' ? 1 : 0,
    ]);
  });
}

for (const { rule, fact, config = on, nodes, replaced } of [
  { rule: 'REP-1', fact: 'is off unless it is switched on', config: {}, nodes: notReady(1), replaced: 0 },
  { rule: 'REP-1', fact: 'leaves Windows alone', nodes: notReady(1).map(onWindows), replaced: 0 },
  { rule: 'REP-2', fact: 'replaces a node that was not ready for 30 minutes', nodes: notReady(1), replaced: 1 },
  {
    rule: 'REP-2',
    fact: 'waits for 30 minutes',
    nodes: [aNode('n', { type: 'KernelReady', minutes: 29 })],
    replaced: 0,
  },
  {
    rule: 'REP-2',
    fact: 'waits for 10 minutes for accelerators',
    nodes: [aNode('n', { type: 'AcceleratedHardwareReady', minutes: 11 })],
    replaced: 1,
  },
  {
    rule: 'REP-2',
    fact: 'never acts on pressure',
    nodes: [aNode('n', { type: 'DiskPressure', minutes: 99 })],
    replaced: 0,
  },
  {
    rule: 'REP-3',
    fact: 'acts when 20 % of a group are unhealthy',
    nodes: [...healthy(8), ...notReady(2)],
    replaced: 2,
  },
  { rule: 'REP-3', fact: 'stops when more than 20 % are', nodes: [...healthy(7), ...notReady(3)], replaced: 0 },
  { rule: 'REP-3', fact: 'has no such brake up to five nodes', nodes: [...healthy(2), ...notReady(3)], replaced: 3 },
  {
    rule: 'REP-4',
    fact: 'stops above the count it was given',
    config: { ...on, maxUnhealthyNodeThresholdCount: 1 },
    nodes: notReady(2),
    replaced: 0,
  },
  {
    rule: 'REP-4',
    fact: 'acts up to the share it was given',
    config: { ...on, maxUnhealthyNodeThresholdPercentage: 50 },
    nodes: [...healthy(5), ...notReady(5)],
    replaced: 5,
  },
  {
    rule: 'REP-5',
    fact: 'repairs as many at once as it was told',
    config: { ...on, maxParallelNodesRepairedCount: 1 },
    nodes: notReady(3),
    replaced: 1,
  },
  {
    rule: 'REP-5',
    fact: 'takes the share of the unhealthy ones',
    config: { ...on, maxParallelNodesRepairedPercentage: 50 },
    nodes: notReady(4),
    replaced: 2,
  },
  {
    rule: 'REP-5',
    fact: 'counts repairs under way',
    config: { ...on, maxParallelNodesRepairedCount: 1 },
    nodes: [...notReady(1), aNode('going', { type: 'Ready', minutes: 40 }, true)],
    replaced: 0,
  },
  {
    rule: 'REP-6',
    fact: 'follows an override',
    config: {
      ...on,
      nodeRepairConfigOverrides: [
        {
          nodeMonitoringCondition: 'Ready',
          nodeUnhealthyReason: 'Gone',
          minRepairWaitTimeMins: 5,
          repairAction: 'Replace' as const,
        },
      ],
    },
    nodes: [aNode('n', { type: 'Ready', minutes: 6, reason: 'Gone' })],
    replaced: 1,
  },
]) {
  test(`${rule}: node repair ${fact}`, () => {
    expect(planRepairs(config, nodes, now).replace).toHaveLength(replaced);
  });
}

test('REP-2: node repair looks again when the time of the next node has come', () => {
  const plan = planRepairs(on, [aNode('n', { type: 'Ready', minutes: 20 })], now);
  expect(plan).toEqual({ replace: [], reboot: [], recheckAt: now + 10 * minute });
});
