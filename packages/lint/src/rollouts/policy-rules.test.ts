import { aRolloutPolicy, testLintExamples } from '@nodewright/testkit';
import { lintManifests } from '../lint-manifests.ts';
import { policyOpenWindowRule, policyWindowRule } from './policy-rules.ts';

testLintExamples([policyOpenWindowRule, policyWindowRule], lintManifests, [
  {
    rule: 'rollout-window-never-opens',
    fact: '30 February',
    objects: [aRolloutPolicy({ windows: [{ schedule: '0 0 30 2 *', duration: '6h' }] })],
    tells: 'no date within five years',
  },
  {
    rule: 'rollout-window-never-closes',
    fact: 'every day for a day',
    objects: [aRolloutPolicy({ windows: [{ schedule: '0 0 * * *', duration: '1d' }] })],
    tells: 'always open',
  },
  {
    rule: 'rollout-window-never-closes',
    fact: 'nights',
    objects: [aRolloutPolicy({ windows: [{ schedule: '0 22 * * 1-4', duration: '6h', timeZone: 'Europe/Berlin' }] })],
  },
]);
