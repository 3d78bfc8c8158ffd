import type { Incident } from './incident.ts';

/**
 * Nodes of the NodePool that gets nodes, at least as many as the pace lets go: one in two minutes. Those of the other stay.
 * All pods run.
 */
const movesOthers: Incident['standard'] = ({ moved, readyPods }, nodes) => {
  const others = Math.floor(nodes / 2);
  return moved >= Math.min(15, others) && moved <= others && readyPods === nodes;
};

/** The pin selects nothing any more: nodes that are there stay, and run their pods. */
const staysAsItIs: Incident['standard'] = ({ moved, readyPods, fewestReadyPods }, nodes) =>
  moved === 0 && readyPods === nodes && fewestReadyPods === nodes;

/** From the fifteenth minute on one node goes every two minutes: so long until the last of them, and some minutes more. */
const lifeMinutes = (nodes: number): number => Math.max(50, 30 + 2 * nodes);

/** Incidents that drift, expiry and launches cause. */
export const driftIncidents: readonly Incident[] = [
  {
    id: 'R10',
    isLong: true,
    what: 'another version of the controller computes another hash of NodePools that have not changed',
    live: async (world) => {
      await world.takeOverWith({ 'karpenter.sh/nodepool-hash': '1' });
      await world.pass(15);
    },
    without: ({ moved }, nodes) => moved === nodes,
    standard: ({ moved }) => moved === 0,
  },
  {
    id: 'R11',
    what: 'another version of the controller computes another hash of NodeClasses that have not changed',
    live: async (world) => {
      await world.takeOverWith({ 'karpenter.k8s.aws/ec2nodeclass-hash': '1' });
      await world.pass(15);
    },
    without: ({ moved }, nodes) => moved === nodes,
    standard: ({ moved }) => moved === 0,
  },
  {
    id: 'R12',
    what: 'two replicas of an ingress on two nodes are drained together',
    fleet: { nodes: 2, service: true },
    // Nothing but the last endpoint holds a node back: one wave, no soak, no pace.
    policy: { waves: [{ name: 'all', nodes: '100%', soak: '0s' }], pace: { minInterval: '0s' } },
    live: async (world) => {
      // Whether both are drained at the same moment is chance.
      for (let round = 0; round < 4; round += 1) {
        world.release('healthy');
        await world.pass(15);
      }
    },
    without: ({ moved, fewestReadyPods }) => moved === 2 && fewestReadyPods === 0,
    standard: ({ moved, fewestReadyPods, readyPods }) => moved === 2 && fewestReadyPods >= 1 && readyPods === 2,
  },
  {
    id: 'R13',
    what: 'drift makes many times the nodes',
    live: async (world) => {
      await world.patchPools({ template: { metadata: { labels: { round: 'next' } } } });
      await world.pass(2 * Math.min(world.nodes, 30) + 10);
    },
    without: ({ mostNodes }, nodes) => mostNodes >= 2 * nodes,
    standard: ({ mostNodes, moved }, nodes) => mostNodes <= nodes + 2 && moved >= Math.min(nodes, 30),
  },
  {
    id: 'R17',
    what: 'one NodePool gets no nodes, and the other has to go on',
    fleet: { secondType: 'm5.xlarge' },
    live: async (world) => {
      world.simulated.sandbox.aws.faults.add({ kind: 'insufficient-capacity', instanceType: 'm5.xlarge' });
      await world.patchPools({ template: { metadata: { labels: { round: 'next' } } } });
      await world.pass(Math.min(world.nodes, 30) + 10);
    },
    without: movesOthers,
    standard: movesOthers,
  },
  {
    id: 'R18',
    what: 'nodes that were born together expire together',
    fleet: { lifeMinutes },
    policy: { maxAge: { soft: '45m', jitter: '30m' } },
    live: (world) => world.pass(lifeMinutes(world.nodes) + 5),
    without: ({ fewestReadyPods }, nodes) => fewestReadyPods <= nodes / 2,
    standard: ({ fewestReadyPods }, nodes) => fewestReadyPods >= nodes - 2,
  },
  {
    id: 'R22',
    what: 'a pinned image stands still for months',
    fleet: { pinsOldRelease: true },
    policy: { notify: [{ url: 'https://events.example/', format: 'CloudEvents' }] },
    live: async (world) => {
      world.release('healthy');
      await world.pass(10);
    },
    without: ({ moved, told }) => moved === 0 && told.length === 0,
    standard: ({ moved, told }) => moved === 0 && told.includes('PinStale'),
  },
  {
    id: 'R29',
    what: 'a pinned release does not exist for the next minor of Kubernetes',
    fleet: { pinsOldRelease: true },
    live: async (world) => {
      await world.upgradeControlPlane('1.32');
      await world.pass(25);
    },
    without: staysAsItIs,
    standard: staysAsItIs,
  },
  {
    id: 'R30',
    what: 'pods get nodes while a release is tried',
    live: async (world) => {
      world.release('healthy');
      await world.pass(8);
      await world.scale(world.nodes + 2);
      await world.pass(4);
    },
    without: ({ touched }, nodes) => touched === nodes + 2,
    standard: ({ touched, readyPods, halted }, nodes) =>
      touched === 1 && readyPods === nodes + 2 && halted === undefined,
  },
];
