import * as fc from 'fast-check';
import type { Pod } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { nodeAvailableOf, nodeNameOf } from '../../cluster/node-state.ts';
import { podRequests } from '../../pods/pod-requests.ts';
import { podName } from '../../pods/pod-state.ts';
import type { Resources } from '../../instance-types/instance-type.ts';
import type { SchedulingProblem, SchedulingResult } from '../problem.ts';
import { addResources, noResources } from '../../instance-types/resources.ts';
import { schedulePods } from './schedule.ts';

const types = [2, 4, 8].map((cpu) => anInstanceType(`c${cpu}`, { cpu, pods: 10 }));
const web = { matchLabels: { app: 'web' } };

const aTopology = () =>
  fc.constantFrom(
    {},
    {
      topologySpreadConstraints: [
        {
          topologyKey: 'topology.kubernetes.io/zone',
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule' as const,
          labelSelector: web,
        },
      ],
    },
    {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: web },
          ],
        },
      },
    },
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'topology.kubernetes.io/zone', labelSelector: web },
          ],
        },
      },
    },
    { nodeSelector: { 'topology.kubernetes.io/zone': 'zone-b' } },
    { nodeSelector: { unknown: 'label' } },
  );

const pods = (): fc.Arbitrary<readonly Pod[]> =>
  fc
    .array(
      fc.record({
        cpu: fc.integer({ min: 0, max: 9_000 }),
        memory: fc.integer({ min: 0, max: 9 }),
        app: fc.constantFrom('web', 'db'),
        topology: aTopology(),
      }),
      { maxLength: 25 },
    )
    .map((all) =>
      all.map(({ cpu, memory, app, topology }, index) =>
        aPod(`p${index}`, { requests: { cpu: `${cpu}m`, memory: `${memory}Gi` }, labels: { app }, ...topology }),
      ),
    );

const round = (batch: readonly Pod[]): SchedulingProblem => ({
  nodePools: [{ nodePool: aNodePool('default', { limits: { cpu: '100' } }), instanceTypes: types }],
  nodes: [aNode('a'), aNode('b', { zone: 'zone-b', stage: 'inFlight' })],
  pods: batch,
  daemonPods: [aPod('agent', { requests: { cpu: '200m' }, ownerKind: 'DaemonSet' })],
  namespaces: [],
  options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
});

const total = (batch: readonly Pod[]): Resources => batch.map(podRequests).reduce(addResources, noResources);
const fitsIn = (requests: Resources, room: Resources): boolean =>
  Object.entries(requests).every(([name, amount]) => amount <= (room[name] ?? 0));

/** Where everything went, without regard to the order of lists. */
const summary = ({ newNodes, existing, unschedulable }: SchedulingResult) => ({
  newNodes: newNodes
    .map((node) => [node.instanceTypes.map(({ name }) => name), node.pods.map(podName).toSorted()].join())
    .toSorted(),
  existing: existing.map(({ node, pods }) => [nodeNameOf(node), ...pods.map(podName).toSorted()].join()).toSorted(),
  unschedulable: unschedulable.map(({ pod }) => podName(pod)).toSorted(),
});

test('every pod is placed once or has a reason', () => {
  fc.assert(
    fc.property(pods(), (batch) => {
      const { newNodes, existing, unschedulable } = schedulePods(round(batch));
      const seen = [
        ...newNodes.flatMap((node) => node.pods),
        ...existing.flatMap((node) => node.pods),
        ...unschedulable.map(({ pod }) => pod),
      ];
      expect(seen.map(podName).toSorted()).toEqual(batch.map(podName).toSorted());
      expect(unschedulable.every(({ reasons }) => reasons.length > 0)).toBe(true);
    }),
  );
});

test('placements never exceed capacity', () => {
  fc.assert(
    fc.property(pods(), (batch) => {
      const { newNodes, existing } = schedulePods(round(batch));
      for (const node of newNodes) {
        expect(node.instanceTypes.length).toBeGreaterThan(0);
        expect(node.instanceTypes.every((type) => fitsIn(node.requests, type.allocatable))).toBe(true);
        expect(fitsIn(total(node.pods), node.requests)).toBe(true);
      }
      for (const { node, pods } of existing) expect(fitsIn(total(pods), nodeAvailableOf(node))).toBe(true);
    }),
  );
});

test('the order in which pods, nodes and types are listed changes nothing', () => {
  fc.assert(
    fc.property(
      pods().chain((batch) =>
        fc.tuple(fc.constant(batch), fc.shuffledSubarray([...batch], { minLength: batch.length })),
      ),
      ([batch, shuffled]) => {
        const problem = round(batch);
        const reversed = {
          ...problem,
          pods: shuffled,
          nodes: problem.nodes.toReversed(),
          nodePools: problem.nodePools.map((supply) => ({
            ...supply,
            instanceTypes: supply.instanceTypes.toReversed(),
          })),
        };
        expect(summary(schedulePods(reversed))).toEqual(summary(schedulePods(problem)));
      },
    ),
  );
});

test('a pod that found a place finds one when it is alone', () => {
  fc.assert(
    fc.property(pods(), (batch) => {
      const { newNodes } = schedulePods(round(batch));
      const plain = newNodes.flatMap((node) => node.pods).filter(({ spec }) => spec.affinity === undefined);
      for (const pod of plain) expect(schedulePods(round([pod])).unschedulable).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
