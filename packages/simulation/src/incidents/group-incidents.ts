import type { Incident } from './incident.ts';

/** Incidents of managed node groups. Without a policy people ask EKS for updates; under one a NodeGroup keeps the groups. */
export const groupIncidents: readonly Incident[] = [
  {
    id: 'R23',
    what: 'the update of a managed node group turns itself around',
    fleet: { nodes: 4, managedGroups: { of: 'one', strategy: 'DEFAULT', onFailure: 'revert' } },
    live: async (world) => {
      await world.forbidEvictions();
      world.release('healthy');
      world.updateGroups();
      await world.pass(45);
    },
    without: ({ touched, left, mostNodes }, nodes) => touched > 0 && left === 0 && mostNodes > nodes,
    standard: ({ touched, moved, mostNodes, readyPods }, nodes) =>
      touched === 0 && moved === 0 && mostNodes === nodes && readyPods === nodes,
  },
  {
    id: 'R24',
    isLong: true,
    what: 'the image that EKS recommended for managed node groups is withdrawn',
    fleet: { nodes: 4, managedGroups: { of: 'canaryAndRest', strategy: 'MINIMAL', onFailure: 'leave' } },
    live: async (world) => {
      const builds = world.release('healthy');
      world.updateGroups();
      await world.pass(40);
      world.withdraw(builds);
      world.updateGroups();
      await world.pass(40);
    },
    // To the image and back: every node goes twice.
    without: ({ touched, left, moved }, nodes) => touched === nodes && left === 0 && moved === nodes,
    standard: ({ touched, moved, fewestReadyPods }, nodes) =>
      touched === 1 && moved === 1 && fewestReadyPods >= nodes - 1,
  },
];
