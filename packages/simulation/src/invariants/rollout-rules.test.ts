import { instant, type KubernetesObject, minutes, toTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { upstreamRecord } from '../histories/manifests.ts';
import type { Happening } from './invariant.ts';
import { haltedTargets, provenUpstream, targetsInSeats } from './rollout-rules.ts';
import { WorldObserver } from './world-observer.ts';

const start = instant(Date.parse('2025-03-03T06:00:00Z'));
const seat = { 'nodewright.dev/rollout': 'production-1' };
const variant = 'AL2023/amd64/none';
const imageOf = (image: string) => ({ source: 'EC2NodeClass/default', variant, image });

type Written = KubernetesObject & { readonly [field: string]: unknown };
type RolloutTraits = { readonly wave?: string; readonly isHalted?: boolean; readonly from?: readonly object[] };

const policy: Written = { metadata: { name: 'production' }, spec: { preset: 'standard' } };
const rollout = ({ wave = 'canary', isHalted = false, from = [imageOf('ami-old')] }: RolloutTraits = {}): Written => ({
  metadata: { name: 'production-1' },
  spec: { policy: 'production', number: 1, members: 5, from, to: [imageOf('ami-new')], kubernetesVersion: '1.31' },
  status: { wave, ...(isHalted && { halted: { reason: 'Requested', variants: [variant], rules: [] } }) },
});
const claim = (name: string, annotations: Readonly<Record<string, string>> = {}, nodeClass = 'default'): Written => ({
  metadata: { name, annotations, creationTimestamp: toTimestamp(start) },
  spec: { nodeClassRef: { name: nodeClass } },
});

function worldWith(rolloutObject: Written, isOldGone = false) {
  const clock = { at: start, now: () => clock.at };
  const observer = new WorldObserver(clock, {
    kubernetesVersion: '1.31',
    instances: () => [],
    instance: () => undefined,
    image: () => ({ family: 'AL2023', version: 'v1', isGone: isOldGone }),
    isReclaimed: () => false,
    isTakenBack: () => false,
  });
  let version = 0;
  const write = (collection: string, object: Written): Happening | undefined => {
    version += 1;
    const written = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    return observer.seeWrite({ type: 'MODIFIED', collection, object: written, operator: 'karpenter-1' });
  };
  write('noderolloutpolicies.nodewright.dev', policy);
  write('noderollouts.nodewright.dev', rolloutObject);
  clock.at = instant(start + minutes(10));
  return { observer, write, clock };
}

const launchOf = (name: string): Happening => ({
  kind: 'launched',
  claim: name,
  instanceId: 'i-1',
  imageId: 'ami-new',
});

for (const { fact, object, of = claim('a'), isOldGone, isBroken } of [
  { fact: 'without a seat in the canary', object: rollout(), isBroken: true },
  { fact: 'in a seat', object: rollout(), of: claim('a', seat), isBroken: false },
  { fact: 'in the last wave', object: rollout({ wave: 'all' }), isBroken: false },
  { fact: 'while the proven image is gone', object: rollout(), isOldGone: true, isBroken: false },
  { fact: 'of a variant that nothing is proven for', object: rollout({ from: [] }), isBroken: false },
  {
    fact: 'for a class that the policy does not govern',
    object: rollout(),
    of: claim('a', {}, 'other'),
    isBroken: false,
  },
] as const) {
  test(`a launch of the target ${fact} ${isBroken ? 'breaks' : 'keeps'} the rule of seats`, () => {
    const { observer, write } = worldWith(object, isOldGone);
    write('nodeclaims.karpenter.sh', of);
    expect(targetsInSeats.check({ world: observer, happening: launchOf('a') })).toHaveLength(isBroken ? 1 : 0);
  });
}

for (const isHalted of [true, false]) {
  test(`a claim for a rollout that has ${isHalted ? '' : 'not '}halted ${isHalted ? 'breaks' : 'keeps'} its rule`, () => {
    const { observer, write } = worldWith(rollout({ isHalted }));
    const happening = write('nodeclaims.karpenter.sh', claim('a', seat));
    expect(happening && haltedTargets.check({ world: observer, happening })).toHaveLength(isHalted ? 1 : 0);
  });
}

const proof = { variant, release: 'v2', nodeHours: 100, pods: 10, failures: 0 };
const recordOf = (verdict: string, release = 'v2'): string =>
  JSON.stringify({ cluster: 'staging', releases: [{ ...proof, release, verdict }] });

for (const { fact, record, spec = {}, isBroken } of [
  { fact: 'that another cluster has proven', record: recordOf('Proven'), isBroken: false },
  { fact: 'that has halted there', record: recordOf('Halted'), isBroken: true },
  { fact: 'that nobody has proven', record: recordOf('Proven', 'v1'), isBroken: true },
  { fact: 'of which there is no record', record: undefined, isBroken: true },
  { fact: 'that nothing has to prove', record: undefined, spec: { promotion: {} }, isBroken: false },
  { fact: 'that is left again', record: undefined, spec: { cause: 'Rollback' }, isBroken: false },
] as const) {
  test(`a rollout toward a release ${fact} ${isBroken ? 'breaks' : 'keeps'} the rule of promotion`, () => {
    const first = rollout();
    const { observer, write, clock } = worldWith(first);
    const require = [{ from: { configMap: upstreamRecord } }];
    const promotion = 'promotion' in spec ? spec.promotion : { require };
    write('noderolloutpolicies.nodewright.dev', { ...policy, spec: { preset: 'standard', promotion } });
    if (record !== undefined) write('configmaps', { metadata: upstreamRecord, data: { record } });
    clock.at = instant(clock.at + minutes(10));
    const to = [{ ...imageOf('ami-new'), release: 'v2' }];
    const cause = 'cause' in spec ? spec.cause : 'NewRelease';
    const begun = { ...first, metadata: { name: 'production-2' }, spec: { ...(first['spec'] as object), to, cause } };
    const happening = write('noderollouts.nodewright.dev', begun);
    expect(happening && provenUpstream.check({ world: observer, happening })).toHaveLength(isBroken ? 1 : 0);
  });
}
