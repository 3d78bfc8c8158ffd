import type { Deployment, Lease } from '@nodewright/apis';
import { conversionEndpoint, fromTimestamp } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { holderAt, judgeTakeover } from './judge-takeover.ts';
import { type SeenController, takenOverKinds, type TakeoverSnapshot } from './observe-takeover.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
type Definition = TakeoverSnapshot['definitions'][number];

const stored = [{ name: 'v1', served: true, storage: true }];
const aDefinition = (name: string, traits: object = {}): Definition => ({
  metadata: { name },
  spec: { versions: stored },
  status: { storedVersions: ['v1'] },
  ...traits,
});

const aController = (
  name: string,
  {
    image = `${name}:1.14.1`,
    env = {},
    ...traits
  }: { image?: string; env?: Record<string, string | undefined> } & Partial<SeenController> = {},
): SeenController =>
  ({
    key: { name, namespace: 'kube-system' },
    deployment: { spec: { replicas: 2, template: { spec: { containers: [{ image }] } } } } as object as Deployment,
    environment: new Map(Object.entries(env)),
    leaseKey: { name: 'karpenter-leader-election', namespace: 'kube-system' },
    ...traits,
  }) as SeenController;

const aSnapshot = (traits: Partial<TakeoverSnapshot> = {}): TakeoverSnapshot => ({
  definitions: takenOverKinds.map((name) => aDefinition(name)),
  karpenter: aController('karpenter'),
  nodewright: aController('nodewright'),
  pools: [],
  classes: [],
  claims: [],
  now,
  ...traits,
});

const findingsOf = (check: string, traits: Partial<TakeoverSnapshot>) =>
  judgeTakeover(aSnapshot(traits))
    .filter((finding) => finding.check === check)
    .map(({ state, message }) => `${state}: ${message}`);

describe('kinds', () => {
  const only = (definition: Definition | undefined) => ({
    definitions: definition === undefined ? [] : [definition],
  });
  const [kind = ''] = takenOverKinds;

  test.each<[fact: string, definition: Definition | undefined, finding: string]>([
    ['that are missing are blocked', undefined, 'blocked: the cluster has no such kind'],
    [
      'whose v1 is not stored are blocked',
      aDefinition(kind, { spec: { versions: [{ name: 'v1', served: true, storage: false }] } }),
      'blocked: v1 is not the version that is stored; update the definitions',
    ],
    [
      'whose v1 is not served are blocked',
      aDefinition(kind, { spec: { versions: [{ name: 'v1', served: false, storage: true }] } }),
      'blocked: v1 is not the version that is stored; update the definitions',
    ],
    [
      'with objects of old versions are warned of',
      aDefinition(kind, { status: { storedVersions: ['v1beta1', 'v1'] } }),
      'warning: objects may still be stored as v1beta1; write each of them once, and take the version out of status.storedVersions',
    ],
    ['of which nothing is stored are well', aDefinition(kind, { status: {} }), 'ok: v1 is served and stored'],
    [
      'that Karpenter converts are blocked',
      aDefinition(kind, {
        spec: {
          versions: stored,
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: { service: { name: 'karpenter', namespace: 'kube-system', path: '/conversion' } },
            },
          },
        },
      }),
      'blocked: its conversion webhook is served by Karpenter; `nodewright crds` has definitions without one',
    ],
    [
      'that Nodewright converts are well',
      aDefinition(kind, {
        spec: {
          versions: stored,
          conversion: {
            strategy: 'Webhook',
            webhook: {
              clientConfig: {
                service: { name: 'nodewright', namespace: 'kube-system', path: conversionEndpoint.path },
              },
            },
          },
        },
      }),
      'ok: v1 is served and stored, and Nodewright behind kube-system/nodewright converts',
    ],
  ])('%s', (_, definition, finding) => {
    expect(findingsOf('kinds', only(definition))[0]).toBe(finding);
  });
});

describe('controllers', () => {
  const gone = { deployment: undefined } as unknown as Partial<SeenController>;

  test.each<[fact: string, check: string, traits: Partial<TakeoverSnapshot>, finding: string]>([
    ['Karpenter 1.x is well', 'karpenter', {}, 'ok: runs 1.14'],
    [
      'an older Karpenter is blocked',
      'karpenter',
      { karpenter: aController('karpenter', { image: 'karpenter:v0.37.0' }) },
      'blocked: runs 0.37; update to a 1.x first',
    ],
    [
      'an image by digest is warned of',
      'karpenter',
      { karpenter: aController('karpenter', { image: 'karpenter@sha256:abc' }) },
      'warning: its version is not known from karpenter@sha256:abc',
    ],
    [
      'no Karpenter is blocked',
      'karpenter',
      { karpenter: aController('karpenter', gone) },
      'blocked: there is no such Deployment; --karpenter names it',
    ],
    [
      'no Nodewright is blocked',
      'nodewright',
      { nodewright: aController('nodewright', gone) },
      'blocked: there is no such Deployment; install it first, or name it with --nodewright',
    ],
    ['Nodewright is counted', 'nodewright', {}, 'ok: is installed with 2 replicas'],
  ])('%s', (_, check, traits, finding) => {
    expect(findingsOf(check, traits)).toEqual([finding]);
  });

  test('are not compared where one is missing', () => {
    expect(findingsOf('settings', { karpenter: aController('karpenter', gone) })).toEqual([]);
  });
});

describe('the Lease', () => {
  test.each<[fact: string, text: string, isBlocked: boolean]>([
    ['is no guard where election is off', 'true', true],
    ['is no guard where election is off, by a number', '1', true],
    ['is a guard where election is on', 'false', false],
    ['is a guard where nothing is said', '', false],
  ])('%s', (_, text, isBlocked) => {
    const nodewright = aController('nodewright', { env: { DISABLE_LEADER_ELECTION: text } });
    const [finding] = findingsOf('lease', { nodewright });
    expect(finding).toMatch(isBlocked ? /^blocked: kube-system\/nodewright runs without leader election/ : /^ok: /);
  });

  test('has to be one for both', () => {
    const nodewright = aController('nodewright', { leaseKey: { name: 'own', namespace: 'other' } });
    expect(findingsOf('lease', { nodewright })[0]).toMatch(/^blocked: Nodewright wants the Lease other\/own/);
  });

  test.each<[fact: string, spec: Lease['spec'] | undefined, holder: string | undefined]>([
    ['that there is not', undefined, undefined],
    ['that nobody holds', { holderIdentity: '', renewTime: '2024-03-01T11:59:59.000000Z' }, undefined],
    ['that was never renewed', { holderIdentity: 'a' }, undefined],
    [
      'that is renewed',
      { holderIdentity: 'a', renewTime: '2024-03-01T11:59:50.000000Z', leaseDurationSeconds: 15 },
      'a',
    ],
    ['that ends now', { holderIdentity: 'a', renewTime: '2024-03-01T11:59:45.000000Z', leaseDurationSeconds: 15 }, 'a'],
    [
      'that has ended',
      { holderIdentity: 'a', renewTime: '2024-03-01T11:59:44.000000Z', leaseDurationSeconds: 15 },
      undefined,
    ],
  ])('%s is held by its holder alone', (_, spec, holder) => {
    const lease = spec === undefined ? undefined : ({ metadata: { name: 'l' }, spec } as Lease);
    expect(holderAt(lease, now)).toBe(holder);
  });
});

describe('settings', () => {
  test.each<
    [
      fact: string,
      karpenter: Record<string, string | undefined>,
      nodewright: Record<string, string | undefined>,
      findings: readonly string[],
    ]
  >([
    ['that are not written are the same', {}, {}, ['ok: both have the same settings']],
    ['that say the default are the same', { BATCH_MAX_DURATION: '10s' }, {}, ['ok: both have the same settings']],
    [
      'that say the same in other words are the same',
      { BATCH_MAX_DURATION: '60s' },
      { BATCH_MAX_DURATION: '1m' },
      ['ok: both have the same settings'],
    ],
    [
      'that differ are warned of',
      { BATCH_MAX_DURATION: '20s' },
      {},
      ['warning: Karpenter has "20s", Nodewright the default'],
    ],
    [
      'that name the cluster are blocked',
      { CLUSTER_NAME: 'a' },
      { CLUSTER_NAME: 'b' },
      ['blocked: Karpenter has "a", Nodewright "b"'],
    ],
    [
      'from another object are not known',
      { CLUSTER_NAME: undefined },
      { CLUSTER_NAME: 'b' },
      ['blocked: Karpenter has a value from another object, Nodewright "b"'],
    ],
    [
      'that cannot be read are compared as texts',
      { BATCH_MAX_DURATION: 'soon' },
      { BATCH_MAX_DURATION: 'later' },
      ['warning: Karpenter has "soon", Nodewright "later"'],
    ],
    ['that are a matter of each process may differ', { LOG_LEVEL: 'debug' }, {}, ['ok: both have the same settings']],
  ])('%s', (_, karpenter, nodewright, findings) => {
    const traits = {
      karpenter: aController('karpenter', { env: karpenter }),
      nodewright: aController('nodewright', { env: nodewright }),
    };
    expect(findingsOf('settings', traits)).toEqual(findings);
  });
});
