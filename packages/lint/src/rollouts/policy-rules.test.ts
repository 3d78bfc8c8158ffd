import { aNodePool, aRolloutPolicy, testLintExamples } from '@nodewright/testkit';
import { lintManifests } from '../lint-manifests.ts';
import { policyAgeRule, policyOpenWindowRule, policyWindowRule } from './policy-rules.ts';

testLintExamples([policyAgeRule, policyOpenWindowRule, policyWindowRule], lintManifests, [
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
  {
    rule: 'max-age-after-expiry',
    fact: 'the expireAfter that nobody wrote',
    objects: [aRolloutPolicy({ maxAge: { soft: '31d' } }), aNodePool()],
    tells: 'its expireAfter is 720h, which is what it is when it is not written',
  },
  {
    rule: 'max-age-after-expiry',
    fact: 'a soft age below expireAfter',
    objects: [aRolloutPolicy({ maxAge: { soft: '21d', jitter: '3d', hard: '30d' } }), aNodePool()],
  },
  {
    rule: 'max-age-after-expiry',
    fact: 'a pool that the policy does not govern',
    objects: [
      aRolloutPolicy({
        maxAge: { soft: '31d' },
        selector: { nodePools: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
      }),
      aNodePool(),
    ],
  },
  {
    rule: 'max-age-after-expiry',
    fact: 'a hard age below the soft one',
    objects: [aRolloutPolicy({ maxAge: { soft: '21d', hard: '20d' } })],
    tells: 'nodes go at maxAge.hard 20d',
  },
]);
