import type { Scenario } from './scenario.ts';

/** Where the walkthrough of upgrades by drift begins: an empty cluster a few days after 1.29 came. */
export const upgradeNodesWithDrift: Scenario = {
  name: 'upgrade-nodes-with-drift',
  about: 'An empty cluster of 1.28 in January 2024, to be upgraded to 1.29 with its nodes',
  kubernetesVersion: '1.28',
  startTime: '2024-01-28T16:00:00Z',
  exports: {},
  steps: [],
};
