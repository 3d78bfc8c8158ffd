import { instant, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { AccountFacts } from './account-facts.ts';
import type { ManagedGroupFacts, NodeUpdateStage, ScalingGroupFacts } from './group-facts.ts';
import { restoredManagedGroup } from './restored-managed-group.ts';

const createdAt = instant(minutes(100));
const now = instant(minutes(110));

const managed: ManagedGroupFacts = {
  name: 'workers',
  arn: 'arn:aws:eks:us-east-1:111122223333:nodegroup/moon/workers/1',
  createdAt: instant(0),
  modifiedAt: createdAt,
  status: 'UPDATING',
  version: '1.31',
  releaseVersion: '1.31.2-20250101',
  amiType: 'AL2023_x86_64_STANDARD',
  capacityType: 'ON_DEMAND',
  scaling: { min: 1, max: 3, desired: 2 },
  subnetIds: [],
  nodeRole: 'role',
  labels: {},
  taints: [],
  tags: {},
  updateConfig: { maxUnavailable: 1 },
  scalingGroup: 'eks-workers',
  update: { id: 'u', createdAt, params: { Version: '1.31', ReleaseVersion: '1.31.3-20250224' } },
};

const templateOf = (version: string) => ({ id: 'lt-1', name: 'workers', version });

function instanceOf(id: string, version: string): ScalingGroupFacts['instances'][number] {
  const template = templateOf(version);
  return { id, instanceType: 'm5.large', zone: 'a', lifecycle: 'InService', healthy: true, protected: false, template };
}

type Seen = {
  readonly desired: number;
  /** Ids of instances, by the version of their template. The group launches from 2. */
  readonly versions: Readonly<Record<string, string>>;
  readonly stages?: Readonly<Record<string, NodeUpdateStage>>;
};

function recordOf({ desired, versions, stages = {} }: Seen) {
  const scaling = {
    name: 'eks-workers',
    desired,
    max: desired + 1,
    template: templateOf('2'),
    instances: Object.entries(versions).map(([id, version]) => instanceOf(id, version)),
  };
  const version = (number: number, ImageId: string) => ({ number, createdAt, data: { ImageId } });
  const template = { id: 'lt-1', name: 'workers', createdAt, data: {}, tags: {} };
  const facts = {
    now,
    scalingGroups: [scaling as unknown as ScalingGroupFacts],
    launchTemplates: [{ ...template, versions: [version(1, 'ami-1'), version(2, 'ami-2')] }],
    updateStages: new Map(Object.entries(stages)),
  } satisfies Partial<AccountFacts>;
  const { phase, since, surge, drains } = restoredManagedGroup(managed, facts).update?.record ?? {};
  return { phase, since, surge, drains };
}

test('an update whose group has grown waits for its new nodes since it was asked for', () => {
  const seen = { desired: 6, versions: { old1: '1', old2: '1', new1: '2' } };
  expect(recordOf(seen)).toEqual({ phase: 'scaleUp', since: createdAt, surge: 4, drains: {} });
});

test('an update that has set old nodes apart goes on with those that drain', () => {
  const versions = { old1: '1', old2: '1', old3: '1', new1: '2', new2: '2' };
  const stages = { old1: 'setApart', old2: 'cordoned', old3: 'draining' } as const;
  expect(recordOf({ desired: 6, versions, stages })).toEqual({
    phase: 'upgrade',
    since: createdAt,
    surge: 4,
    drains: { old2: { since: now, cordonedAt: now }, old3: { since: now } },
  });
});

test('an update without an old node begins with its first phase, which finds nothing to replace', () => {
  expect(recordOf({ desired: 5, versions: { new1: '2', new2: '2' } })).toMatchObject({ phase: 'setup', drains: {} });
});
