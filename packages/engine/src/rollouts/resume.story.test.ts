import { hours, type ImageRule, minutes, type NodeRolloutPolicySpec, toTimestamp } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';

const variant = 'AL2023/amd64/none';
const arm = 'AL2023/arm64/none';
const waves = [
  { name: 'canary', nodes: 1, soak: '1h' },
  { name: 'all', nodes: '100%' },
];

/** A fleet whose rollout to v2 soaks in its canary. */
function aSoakingFleet(policy: NodeRolloutPolicySpec = {}, variants: readonly string[] = [variant]): SimulatedFleet {
  const pools = variants.map((each, index) => ({ name: `pool-${index}`, nodes: 3, variant: each }));
  const fleet = new SimulatedFleet({ random: seededRandom('resume'), policy: { waves, ...policy }, pools });
  fleet.reconcile();
  fleet.publish('v2');
  live(fleet, minutes(20));
  expect(stateOf(fleet)).toBe('Soaking');
  return fleet;
}

function live(fleet: SimulatedFleet, ms: number): void {
  for (let passed = 0; passed < ms; passed += minutes(1)) {
    fleet.advanceTime(minutes(1));
    fleet.reconcile();
  }
}

const stateOf = (fleet: SimulatedFleet) => fleet.rollouts[0]?.status?.state;

/** Asks the rollout to v2, and says what came of it after some minutes. */
function ask(fleet: SimulatedFleet, kind: 'halt' | 'resume' | 'rollback', value = 'INC-7') {
  fleet.requests.push({ rollout: 'test-1', kind, value, by: 'ann', at: fleet.now });
  live(fleet, minutes(3));
  const { answer, refused = false } = fleet.rollouts[0]?.status?.log?.at(-1) ?? {};
  return { answer, refused, causes: fleet.rollouts.map(({ spec }) => spec.cause), state: stateOf(fleet) };
}

const aRule = (name: string, reason: string): ImageRule => ({
  apiVersion: 'nodewright.dev/v1alpha1',
  kind: 'ImageRule',
  metadata: { name },
  spec: {
    match: {
      family: 'AL2023',
      versions: ['v2'],
      variants: { architectures: ['amd64'], accelerators: ['none'] },
    },
    verdict: 'Blocked',
    reason,
  },
});
const ofOtherPolicy = aRule('halted-al2023-v2-amd64-none', 'batch-1 halted: INC-7');

for (const isHaltAskedToo of [false, true])
  test(`a rollout that halted because another policy blocked its image ${isHaltAskedToo ? 'and a person asked' : ''} says so when it is resumed, and goes on once that rule is gone`, () => {
    const fleet = aSoakingFleet();
    fleet.rules.push(ofOtherPolicy);
    live(fleet, minutes(2));
    expect(fleet.rollouts[0]?.status?.halted).toMatchObject({ reason: 'TargetBlocked', rules: [] });
    if (isHaltAskedToo) ask(fleet, 'halt');
    expect(ask(fleet, 'resume')).toEqual({
      answer:
        'ImageRule halted-al2023-v2-amd64-none still blocks v2 (batch-1 halted: INC-7): delete it (`kubectl delete imagerule halted-al2023-v2-amd64-none`) or resume the rollout that wrote it, and ask again',
      refused: true,
      causes: ['NewRelease'],
      state: 'Halted',
    });
    fleet.rules = [];
    live(fleet, minutes(5));
    expect(stateOf(fleet)).toBe('Halted');
    expect(ask(fleet, 'resume', 'the rule is gone')).toEqual({
      answer: 'the rollout goes on',
      refused: false,
      causes: ['NewRelease'],
      state: 'Soaking',
    });
    live(fleet, hours(3));
    expect(stateOf(fleet)).toBe('Complete');
  });

test('a rule of a person keeps a halted rollout from being resumed, too, and its own rule does not', () => {
  const fleet = aSoakingFleet();
  ask(fleet, 'halt');
  fleet.rules.push(aRule('cve-1', 'CVE-1'));
  expect(ask(fleet, 'resume').answer).toBe(
    'ImageRule cve-1 still blocks v2 (CVE-1): delete it (`kubectl delete imagerule cve-1`), and ask again',
  );
  fleet.rules = fleet.rules.filter(({ metadata }) => metadata.name !== 'cve-1');
  expect(ask(fleet, 'resume', 'looked at')).toMatchObject({ answer: 'the rollout goes on', state: 'Soaking' });
  expect(fleet.rules).toEqual([]);
});

test('the answer about a withdrawn release says what follows while it is withdrawn', () => {
  const fleet = aSoakingFleet();
  for (const { image } of fleet.wanted) fleet.withdrawn.add(image);
  live(fleet, minutes(2));
  expect(ask(fleet, 'resume')).toMatchObject({
    answer: 'the rollout goes on; it halts again if v2 is still withdrawn',
    causes: ['NewRelease'],
    state: 'Halted',
  });
  fleet.withdrawn.clear();
  expect(ask(fleet, 'resume', 'it is back')).toMatchObject({ causes: ['NewRelease'], state: 'Soaking' });
});

test('a release that was withdrawn after the halt is not gone on with', () => {
  const fleet = aSoakingFleet();
  ask(fleet, 'halt');
  fleet.rules = [];
  for (const { image } of fleet.wanted) fleet.withdrawn.add(image);
  live(fleet, minutes(2));
  expect(ask(fleet, 'resume')).toMatchObject({
    answer: expect.stringContaining('v2 is withdrawn, its family went back to an older release'),
    refused: true,
    state: 'Halted',
  });
});

test('of variants that stand for themselves the free one goes on, and the answer names the other', () => {
  const fleet = aSoakingFleet({ health: { variants: 'Independent' } }, [variant, arm]);
  ask(fleet, 'halt');
  fleet.rules.push(aRule('cve-1', 'CVE-1'));
  expect(ask(fleet, 'resume').answer).toMatch(/^the rollout goes on; ImageRule cve-1 still blocks v2 \(CVE-1\)/);
  expect(fleet.rollouts[0]?.status?.halted).toMatchObject({ reason: 'TargetBlocked', variants: [variant] });
  live(fleet, hours(3));
  const onNew = fleet.nodes.filter(({ image, leaving }) => image.startsWith('ami-v2') && !leaving);
  expect(onNew.filter((node) => node.variant === arm)).toHaveLength(3);
});

test('a rollout that has begun halts when its release halts upstream, and goes on when that is over', () => {
  const promotion = { require: [{ from: { ssmParameter: '/staging' } }] };
  const fleet = new SimulatedFleet({ random: seededRandom('resume'), policy: { waves, promotion } });
  const staging = (verdict: 'Proven' | 'Halted'): void => {
    const at = toTimestamp(fleet.now);
    const release = { variant, release: 'v2', completedAt: at, nodeHours: 1, pods: 1, failures: 1, verdict };
    const record = { cluster: 'staging', policy: 'p', at, releases: [release] };
    fleet.upstream = [{ requirement: 0, readAt: fleet.now, kind: 'read', record }];
  };
  staging('Proven');
  fleet.reconcile();
  fleet.publish('v2');
  live(fleet, minutes(20));
  expect(stateOf(fleet)).toBe('Soaking');
  staging('Halted');
  live(fleet, minutes(2));
  expect(fleet.rollouts.map(({ spec, status }) => [spec.cause, status?.halted?.reason])).toEqual([
    ['Promotion', 'HaltedUpstream'],
  ]);
  expect(ask(fleet, 'resume')).toMatchObject({
    answer:
      'v2 halted in staging with 1 failed nodes: resume the rollout there, or take that place out of promotion.require, and ask again',
    refused: true,
    causes: ['Promotion'],
    state: 'Halted',
  });
  staging('Proven');
  expect(ask(fleet, 'resume', 'staging goes on')).toMatchObject({
    answer: 'the rollout goes on',
    causes: ['Promotion'],
  });
  live(fleet, hours(3));
  expect(stateOf(fleet)).toBe('Complete');
});

test('a release is wanted again when the rule is deleted that blocked it, unless a person has taken it back', () => {
  for (const isTakenBack of [false, true]) {
    const fleet = aSoakingFleet(isTakenBack ? {} : { onHalt: 'Rollback' });
    fleet.rules.push(aRule('cve-1', 'CVE-1'));
    live(fleet, minutes(10));
    if (isTakenBack) ask(fleet, 'rollback');
    live(fleet, hours(3));
    expect(fleet.rollouts.map(({ spec, status }) => [spec.cause, status?.state])).toEqual([
      ['NewRelease', 'Superseded'],
      ['Rollback', 'Complete'],
    ]);
    fleet.rules = fleet.rules.filter(({ metadata }) => metadata.name !== 'cve-1');
    live(fleet, hours(3));
    expect(fleet.rules.map(({ metadata }) => metadata.name)).toEqual(
      isTakenBack ? ['halted-al2023-v2-amd64-none'] : [],
    );
    expect(fleet.rollouts.at(-1)?.spec.cause).toBe(isTakenBack ? 'Rollback' : 'NewRelease');
  }
});

test('an approval of a wave that has begun is refused, with the request that leads on', () => {
  const policy = { waves, health: { withoutEvidence: 'Wait' as const } };
  const fleet = new SimulatedFleet({ random: seededRandom('resume'), policy, startsPerHour: 0 });
  fleet.reconcile();
  fleet.publish('v2');
  live(fleet, minutes(20));
  const approve = (value: string) => {
    fleet.requests.push({ rollout: 'test-1', kind: 'approve', value, by: 'ann', at: fleet.now });
    live(fleet, minutes(1));
    return fleet.rollouts[0]?.status?.log?.at(-1);
  };
  expect(approve('canary=go')).toMatchObject({
    refused: true,
    answer: 'wave canary has begun, and waits for no approval',
  });
  live(fleet, hours(2));
  expect(fleet.rollouts[0]?.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'WaitingForApproval', status: 'True', reason: 'SoakSkipNeeded' }),
  );
  expect(approve('canary=go on')).toMatchObject({
    refused: true,
    answer: expect.stringMatching(
      /^wave canary has begun, and an approval changes nothing: .*annotate it with nodewright.dev\/skip-soak=canary=<reason> to go on$/,
    ),
  });
  expect(approve('all=go on')).toEqual(expect.objectContaining({ answer: 'wave all is approved' }));
});
