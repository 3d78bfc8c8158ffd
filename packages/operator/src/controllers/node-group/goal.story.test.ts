import { instant, type Node, type NodeGroupUpdate } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { nodesToGo } from './goal.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

const images = ['ami-1', 'ami-2', 'ami-3'] as const;

/** Three nodes; the NodeGroup wants release 2 with `ami-2`. */
function seen(running: readonly string[], template: string, update?: Partial<NodeGroupUpdate>): NodeGroupSnapshot {
  const instances = running.map((imageId, at) => ({
    id: `i-${at}`,
    zone: 'us-east-1a',
    lifecycle: 'InService',
    imageId,
    launchedAt: instant(0),
  }));
  const nodes = instances.map(({ id }): Node => ({ metadata: { name: id }, spec: { providerID: `aws:///a/${id}` } }));
  const image = { id: 'ami-2', name: 'two', arch: 'amd64', createdAt: instant(0), term: 0 } as const;
  const under = update === undefined ? {} : { status: { update: { number: 1, target: '', startedAt: '', ...update } } };
  return {
    nodeGroup: { metadata: { name: 'g' }, spec: { eks: { name: 'g' } }, ...under },
    kubernetesVersion: '1.29',
    scaling: {
      name: 'g',
      min: 0,
      max: 3,
      desired: 3,
      zones: [],
      subnets: [],
      instanceTypes: [],
      typesWithOwnTemplate: [],
      warm: [],
      bought: {},
      suspended: [],
      instances,
      isRefreshing: false,
      hooks: [],
      tags: {},
      isOfCluster: true,
      template: {
        id: 'lt',
        version: '1',
        isPinned: true,
        imageId: template,
        arch: 'amd64',
        variant: 'standard',
        versions: {},
      },
    },
    wanted: { kind: 'image', image, isMoving: false, release: 'release-2' },
    firstSeen: new Map(),
    neighbours: { dnsNodes: [], hasClusterAutoscaler: false },
    nodes,
    pods: [],
  };
}

for (const { fact, running, template, update, left } of [
  { fact: 'while nothing is under way, what is not wanted', running: images, template: 'ami-1', left: 2 },
  {
    fact: 'during our update, what is not wanted',
    running: images,
    template: 'ami-2',
    update: { target: 'release-2' },
    left: 2,
  },
  {
    fact: "during somebody else's update, what is not of the template that it gave the group",
    running: ['ami-1', 'ami-3', 'ami-3'],
    template: 'ami-3',
    update: { target: 'release-3' },
    left: 1,
  },
  {
    fact: "all nodes, before somebody else's update has given the group its template",
    running: ['ami-1', 'ami-1'],
    template: 'ami-1',
    update: { target: 'release-3' },
    left: 2,
  },
  {
    fact: "none, when somebody else's update has replaced the last one",
    running: ['ami-3', 'ami-3'],
    template: 'ami-3',
    update: { target: 'release-3', firstNewNodeAt: '2024-01-28T16:00:00Z' },
    left: 0,
  },
  {
    fact: 'what is not on the image that an update names, although another one is wanted by now',
    running: images,
    template: 'ami-3',
    update: { target: 'ami-3' },
    left: 2,
  },
]) {
  test(`nodes to replace are ${fact}`, () => {
    expect(nodesToGo(seen(running, template, update))).toHaveLength(left);
  });
}
