import {
  type Deployment,
  deployments,
  fromTimestamp,
  imageRules,
  instant,
  type KubernetesObject,
  nodeClaims,
  nodePools,
  nodeRolloutPolicies,
  nodes,
  pods,
  type ResourceType,
  statefulSets,
  toTimestamp,
  minutes,
} from '@nodewright/apis';
import type { Fault, ImageRelease, NodeBehavior } from '@nodewright/aws-endpoints';
import { ApiError } from '@nodewright/runtime';
import type { History, HistoryStep, SimulatedFamily, StepAction } from '../histories/history.ts';
import { simulatedPolicyName } from '../histories/manifests.ts';
import { askOfRollout, pauseFor, writePolicy } from './rollout-steps.ts';
import { simulatedCluster, type SimulatedWorld } from './simulated-world.ts';

/** Lets a step of a history happen. What it is about may be gone: then nothing happens. */
export async function performHistoryStep(world: SimulatedWorld, step: HistoryStep, history: History): Promise<void> {
  try {
    await performAction(world, step, history);
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof Error && error.name === 'FaultError')) throw error;
  }
}

async function performAction(world: SimulatedWorld, step: StepAction, history: History): Promise<void> {
  const { sandbox, time } = world;
  switch (step.do) {
    case 'release':
      publishNextBuild(world, step.family, step.behavior);
      return;
    case 'withdraw':
      return withdrawNewestBuild(world, step.family);
    case 'block':
      return blockNewest(world, step.family, step.minutes);
    case 'scale':
      return scaleWorkload(world, history, step);
    case 'relabel':
      return patchPool(world, step.pool, { template: { metadata: { labels: { round: step.value } } } });
    case 'rebudget':
      return patchPool(world, step.pool, { disruption: { budgets: step.budgets } });
    case 'consolidate':
      return patchPool(world, step.pool, {
        disruption: { consolidationPolicy: step.policy, consolidateAfter: step.after },
      });
    case 'limit':
      return patchPool(world, step.pool, { limits: { cpu: String(step.cpu) } });
    case 'protect':
      return protectFor(world, step);
    case 'fault':
      return beginFault(world, step.minutes, step.fault);
    case 'misbehave':
      return withInstance(world, step.nth, (instanceId) =>
        beginFault(world, step.minutes, { kind: 'node-behavior', behavior: step.behavior, instanceId }),
      );
    case 'interrupt':
      return withInstance(world, step.nth, (instanceId) =>
        beginFault(world, 10, { kind: 'spot-interruption', instanceId }),
      );
    case 'lose':
      return withInstance(world, step.nth, (instanceId) => sandbox.aws.ec2.instances.terminate(instanceId));
    case 'delete':
      return deleteNth(world, step.what, step.nth);
    case 'evict':
      return evictOne(world, step.nth);
    case 'crash':
      return leadingProcess(world)?.killAfter(step.afterWrites, step.downSeconds * 1_000);
    case 'hand-over':
      return leadingProcess(world)?.replace();
    case 'outage':
      return cutOff(world, step.of, step.minutes);
    case 'upgrade':
      return upgradeControlPlane(world, step.version);
    case 'policy':
      return writePolicy(world, step.policy);
    case 'unpolicy':
      return time.finish(sandbox.admin.delete(nodeRolloutPolicies, { name: simulatedPolicyName }));
    case 'pause':
      return pauseFor(world, step);
    case 'ask':
      return askOfRollout(world, step.request);
  }
}

const leadingProcess = ({ operators }: SimulatedWorld) => operators.find(({ isLeader }) => isLeader) ?? operators[0];

function afterMinutes({ time: { clock } }: SimulatedWorld, count: number, work: () => void): void {
  clock.at(instant(clock.now() + minutes(count)), work);
}

const prefixes: Readonly<Record<SimulatedFamily, 'AL2023' | 'Bottlerocket'>> = {
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
};

/** The builds that nodes of the family get now, one for each machine. */
function newestBuilds(
  { sandbox, time }: SimulatedWorld,
  family: SimulatedFamily,
  variant: ImageRelease['variant'] = 'standard',
): readonly ImageRelease[] {
  const { releases, eks } = sandbox.aws;
  const visible = releases
    .visibleOf(eks.controlPlane.version, time.clock.now())
    .filter((release) => release.family === prefixes[family] && release.variant === variant);
  return visible.filter((release) => release.version === visible[0]?.version);
}

/** Publishes a build above the newest one, for every machine that the newest one is for. */
export function publishNextBuild(
  world: SimulatedWorld,
  family: SimulatedFamily,
  behavior: NodeBehavior,
  variant: ImageRelease['variant'] = 'standard',
): readonly ImageRelease[] {
  const { sandbox, time, random } = world;
  const now = toTimestamp(time.clock.now());
  const builds = newestBuilds(world, family, variant).map((build): ImageRelease => {
    const version = versionAfter(newestVersionEver(world, build));
    return {
      ...build,
      version,
      name: build.name.replace(build.version.replace(/^v/, ''), version.replace(/^v/, '')),
      imageId: `ami-0${random.hex(16)}`,
      createdAt: now,
      publishedAt: now,
      behavior,
    };
  });
  for (const build of builds) sandbox.aws.releases.publish(build);
  return builds;
}

/** Versions of releases that were taken back are not used again. */
function newestVersionEver(
  { sandbox, time }: SimulatedWorld,
  { family, variant, arch, kubernetesVersion, version }: ImageRelease,
): string {
  const [newest] = sandbox.aws.releases
    .list({ family, variant, arch, kubernetesVersion })
    .filter(({ publishedAt }) => fromTimestamp(publishedAt) <= time.clock.now());
  return newest?.version ?? version;
}

/** `v20240901` goes to `v20240902`, `1.20.3` to `1.20.4`. */
const versionAfter = (version: string): string => version.replace(/\d+$/, (number) => String(Number(number) + 1));

/** Takes the newest builds back, if older ones remain. */
function withdrawNewestBuild(world: SimulatedWorld, family: SimulatedFamily): void {
  const { sandbox, time } = world;
  for (const { imageId } of newestBuilds(world, family)) sandbox.aws.releases.withdraw({ imageId }, time.clock.now());
}

async function blockNewest(world: SimulatedWorld, family: SimulatedFamily, lengthMinutes: number): Promise<void> {
  const { sandbox, time, random } = world;
  const ids = newestBuilds(world, family).map(({ imageId }) => imageId);
  if (ids.length === 0) return;
  const until = toTimestamp(instant(time.clock.now() + minutes(lengthMinutes)));
  await time.finish(
    sandbox.admin.create(imageRules, {
      metadata: { name: `block-${random.nameSuffix(6)}` },
      spec: { match: { ids }, verdict: 'Blocked', reason: 'the history says so', until },
    }),
  );
}

async function scaleWorkload(
  { sandbox, time }: SimulatedWorld,
  { cluster }: History,
  { workload, replicas }: Extract<StepAction, { readonly do: 'scale' }>,
): Promise<void> {
  const kind = cluster.workloads.find(({ name }) => name === workload)?.kind;
  const type = (kind === 'StatefulSet' ? statefulSets : deployments) as ResourceType<Deployment>;
  const patch = { spec: { replicas } };
  await time.finish(sandbox.admin.patch(type, { name: workload, namespace: 'default' }, { type: 'merge', patch }));
}

export async function patchPool({ sandbox, time }: SimulatedWorld, name: string, spec: object): Promise<void> {
  await time.finish(sandbox.admin.patch(nodePools, { name }, { type: 'merge', patch: { spec } }));
}

const nthOf = <T>(all: readonly T[], nth: number): T | undefined => all[nth % Math.max(1, all.length)];

export const steppedKinds: Readonly<Record<'pods' | 'nodes' | 'nodeclaims', ResourceType>> = {
  pods,
  nodes,
  nodeclaims: nodeClaims,
};

export async function listKind(
  { sandbox, time }: SimulatedWorld,
  what: keyof typeof steppedKinds,
): Promise<readonly KubernetesObject[]> {
  const { items } = await time.finish(
    sandbox.admin.list(steppedKinds[what], what === 'pods' ? { namespace: 'default' } : {}),
  );
  return items;
}

async function protectFor(
  world: SimulatedWorld,
  { what, nth, minutes }: Extract<StepAction, { readonly do: 'protect' }>,
): Promise<void> {
  const { sandbox, time } = world;
  const chosen = nthOf(await listKind(world, what), nth);
  if (chosen === undefined) return;
  const { name, namespace } = chosen.metadata;
  const key = { name, ...(namespace !== undefined && { namespace }) };
  const annotate = (value: string | null) =>
    sandbox.admin.patch(steppedKinds[what], key, {
      type: 'merge',
      patch: { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': value } } },
    });
  await time.finish(annotate('true'));
  afterMinutes(world, minutes, () => void annotate(null).catch(() => undefined)); // it may be gone by then
}

function beginFault(world: SimulatedWorld, minutes: number, fault: Fault): void {
  const { faults } = world.sandbox.aws;
  const active = faults.add(fault);
  if (endsInstance(active.fault))
    world.reclaimed.set(active.fault.instanceId ?? '', {
      at: world.time.clock.now(),
      takesBack: active.fault.kind === 'spot-interruption',
    });
  afterMinutes(world, minutes, () => faults.clear(active.id));
}

type EndingFault = Extract<Fault, { readonly kind: 'spot-interruption' | 'scheduled-change' | 'impaired-instance' }>;

/** Whether the cloud says of an instance that it will end, or is broken. */
const endsInstance = (fault: Fault): fault is EndingFault =>
  fault.kind === 'spot-interruption' || fault.kind === 'scheduled-change' || fault.kind === 'impaired-instance';

/** Does something to an instance that runs. */
function withInstance({ sandbox }: SimulatedWorld, nth: number, work: (instanceId: string) => void): void {
  const chosen = nthOf(
    sandbox.aws.ec2.instances.all().filter(({ state }) => state === 'running'),
    nth,
  );
  if (chosen !== undefined) work(chosen.id);
}

async function deleteNth(world: SimulatedWorld, what: keyof typeof steppedKinds, nth: number): Promise<void> {
  const chosen = nthOf(await listKind(world, what), nth);
  if (chosen === undefined) return;
  const { name, namespace } = chosen.metadata;
  await world.time.finish(
    world.sandbox.admin.delete(steppedKinds[what], { name, ...(namespace !== undefined && { namespace }) }),
  );
}

async function evictOne(world: SimulatedWorld, nth: number): Promise<void> {
  const chosen = nthOf(await listKind(world, 'pods'), nth);
  if (chosen === undefined) return;
  await world.time.finish(world.sandbox.admin.evict({ name: chosen.metadata.name, namespace: 'default' }));
}

function cutOff(world: SimulatedWorld, side: 'kubernetes' | 'aws', minutes: number): void {
  const { operators } = world;
  const chosen = leadingProcess(world);
  chosen?.disconnect(side);
  afterMinutes(world, minutes, () => {
    for (const operator of operators) operator.reconnect();
  });
}

/** Begins an upgrade of the control plane. */
export async function upgradeControlPlane({ sandbox, time }: SimulatedWorld, version: string): Promise<void> {
  const { signal } = new AbortController();
  const call = { service: 'eks', operation: 'UpdateClusterVersion', input: { name: simulatedCluster.name, version } };
  await time.finish(sandbox.aws.answer(call, { signal, serving: { wait: (work) => work() } }));
}
