import type { Scenario } from './scenario.ts';

/** Where the guide on managing AMIs begins: on a working day, in the hours in which its budgets let drifted nodes go. */
export const managingAmis: Scenario = {
  name: 'managing-amis',
  about: 'An empty cluster of 1.29 in September 2024, with AL2023 v20240219, v20240807 and a newer release published',
  kubernetesVersion: '1.29',
  startTime: '2024-09-03T10:00:00Z',
  exports: {},
  steps: [],
};
