import type { Scenario } from './scenario.ts';

/** Where the design of image versioning was written: the releases that it lists are published. */
export const nativeAmiVersioning: Scenario = {
  name: 'native-ami-versioning',
  about: 'An empty cluster of 1.23 in December 2022, for AWSNodeTemplates and Provisioners with bake time and pins',
  kubernetesVersion: '1.23',
  startTime: '2022-12-15T12:00:00Z',
  exports: {},
  steps: [],
};
