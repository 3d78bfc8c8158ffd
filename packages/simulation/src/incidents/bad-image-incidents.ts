import { hours, instant, minutes } from '@nodewright/apis';
import { type Incident, isContained } from './incident.ts';
import type { IncidentWorld } from './incident-world.ts';

const isHaltedAtCanary: Incident['standard'] = (outcome, nodes) =>
  isContained(outcome, nodes) && outcome.halted === 'FailureBudgetExceeded';

/** Containers of every machine of the release fail to start once it has been up for that long. */
function failAfterUptime({ simulated, triedInstances }: IncidentWorld, ms: number): void {
  const { sandbox, time } = simulated;
  const failing = new Set<string>();
  const look = (): void => {
    for (const instanceId of triedInstances()) {
      if (failing.has(instanceId)) continue;
      failing.add(instanceId);
      time.clock.at(instant(time.clock.now() + ms), () => {
        if (sandbox.aws.ec2.instances.get(instanceId)?.state === 'running')
          sandbox.aws.faults.add({ kind: 'node-behavior', behavior: 'containersFail', instanceId });
      });
    }
    time.clock.at(instant(time.clock.now() + minutes(5)), look);
  };
  look();
}

/** Incidents that a bad image causes. */
export const badImageIncidents: readonly Incident[] = [
  {
    id: 'R1',
    what: 'machines of an image never join',
    live: async (world) => {
      world.release('neverJoins');
      await world.pass(22);
    },
    without: ({ touched }, nodes) => touched >= nodes,
    // The new node is given up before its old one leaves: none is launched in its place.
    standard: (outcome, nodes) => isHaltedAtCanary(outcome, nodes) && outcome.mostNodes <= nodes + 1,
  },
  {
    id: 'R2',
    isLong: true,
    what: 'GPUs are missing on an image for GPU nodes',
    fleet: { instanceType: 'g4dn.xlarge', requests: { 'nvidia.com/gpu': '1' } },
    live: async (world) => {
      world.release('gpuMissing', 'nvidia');
      await world.pass(22);
    },
    without: ({ touched }, nodes) => touched >= nodes,
    standard: isHaltedAtCanary,
  },
  {
    id: 'R3',
    isLong: true,
    what: 'the vendor takes a release back whose containers fail',
    live: async (world) => {
      const builds = world.release('containersFail');
      await world.pass(10);
      world.withdraw(builds);
      await world.pass(20);
    },
    without: ({ touched, fewestReadyPods }, nodes) => touched >= nodes && fewestReadyPods < nodes - 1,
    standard: (outcome, nodes) => isContained(outcome, nodes) && outcome.left === 0,
  },
  {
    id: 'R4',
    what: 'kubelets freeze two hours after they were Ready',
    live: async (world) => {
      world.release('stopsRenewing');
      await world.pass(135);
    },
    without: ({ touched, fewestReadyPods }, nodes) => touched >= nodes && fewestReadyPods <= nodes / 2,
    standard: isHaltedAtCanary,
  },
  {
    id: 'R5',
    isLong: true,
    what: 'the container runtime of a Bottlerocket release breaks',
    fleet: { family: 'bottlerocket' },
    live: async (world) => {
      world.release('notReady');
      await world.pass(22);
    },
    without: ({ touched }, nodes) => touched >= nodes,
    standard: isHaltedAtCanary,
  },
  {
    id: 'R6',
    what: 'containers fail to start on an image, and its nodes are Ready',
    live: async (world) => {
      world.release('containersFail');
      await world.pass(25);
    },
    without: ({ touched, fewestReadyPods }, nodes) => touched >= nodes && fewestReadyPods <= nodes * 0.8,
    standard: isContained,
  },
  {
    id: 'R7',
    what: 'containers stop starting after seven hours of uptime',
    isLong: true,
    live: async (world) => {
      world.release('healthy');
      failAfterUptime(world, hours(7));
      await world.pass(7 * 60 + 8);
      // Half of the containers fail: in so many rounds one of the canary does, long enough before its soak is over.
      for (let round = 0; round < 16; round += 1) {
        await world.replacePods();
        await world.pass(3);
      }
    },
    // By the time it shows every node runs the release. The rule that the other fleet's policy writes helps this one, too.
    without: ({ touched }, nodes) => touched >= nodes,
    standard: (outcome, nodes) => isContained(outcome, nodes) && outcome.halted !== undefined,
  },
  {
    id: 'R8',
    isLong: true,
    what: 'the spec names a bad release',
    live: async (world) => {
      const version = world.release('notReady')[0]?.version ?? '';
      await world.patchClasses({ amiSelectorTerms: [{ alias: `al2023@${version}` }] });
      await world.pass(22);
    },
    without: ({ touched }, nodes) => touched >= nodes,
    standard: isHaltedAtCanary,
  },
  {
    id: 'R27',
    isLong: true,
    what: 'two of four nodes are not ready any more, and repair is refused',
    fleet: { nodes: 4 },
    live: async (world) => {
      world.release('healthy');
      await world.pass(15);
      await world.misbehave('notReady', 2);
      await world.pass(45);
    },
    without: ({ fewestReadyPods, touched }, nodes) => touched === nodes && fewestReadyPods <= nodes / 2,
    standard: ({ fewestReadyPods, readyPods, halted }, nodes) =>
      fewestReadyPods >= nodes - 1 && readyPods === nodes && halted === 'FailureBudgetExceeded',
  },
  {
    id: 'R9',
    isLong: true,
    what: 'an image is bad on the day it comes out, and the next one is good',
    live: async (world) => {
      world.release('notReady');
      await world.pass(20);
      world.release('healthy');
      await world.pass(15);
    },
    without: ({ touched, mostNodes }, nodes) => touched > nodes && mostNodes > nodes,
    standard: ({ touched, readyPods }, nodes) => touched <= 2 && readyPods >= nodes - 1,
  },
];
