import {
  deployments,
  hours,
  instant,
  type KubernetesObject,
  type Pod,
  readOwn,
  type ResourceType,
  statefulSets,
  ValueError,
} from '@nodewright/apis';
import {
  AwsError,
  FaultError,
  type Fault,
  type ImageRelease,
  obeyReleaseRequest,
  ReleaseFeedError,
} from '@nodewright/aws-endpoints';
import { ApiError, type Random } from '@nodewright/runtime';
import { nodes as nodeType } from '@nodewright/apis';
import type { PreparedScenario } from '../manifests/prepare-scenario.ts';
import { findServedType, listServedKinds } from '../reading/served-types.ts';
import type {
  DeleteTarget,
  ObjectTarget,
  PatchTarget,
  ReleaseBehavior,
  ScenarioAction,
  ScenarioFileStep,
} from '../reading/scenario-file.ts';
import type { WatchedLabels } from '../world/pod-labels-use.ts';
import { behaviorOfAll, concernsImage } from '../world/release-behaviors.ts';
import { collectionNames } from '../world/observed-cluster.ts';
import { updateManagedGroup } from '../world/managed-groups.ts';
import type { TestedWorld } from '../world/tested-world.ts';
import { applyObjects, RefusedObjectError } from './apply-objects.ts';
import { type ChosenNode, chooseNodes, drawSome } from './choose-nodes.ts';

/** A step that cannot be done as the world is. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

/** What a step does to the world at once. Steps that let time pass are the player's. */
export type InstantAction = Exclude<ScenarioAction, { readonly do: 'waitUntil' | 'expect' | 'advance' }>;

export type StepScene = {
  readonly world: TestedWorld;
  readonly prepared: PreparedScenario;
  readonly random: Random;
  readonly remark: (line: string) => void;
  /** Lets time pass until something is so. @returns whether it came true */
  readonly passUntil: (holds: () => boolean, withinMs: number) => Promise<boolean>;
};

/** @throws StepError when the world refuses it */
export async function performScenarioStep(step: ScenarioFileStep & InstantAction, scene: StepScene): Promise<void> {
  try {
    await performInstantAction(step, scene);
  } catch (error) {
    if (!isRefusedStep(error)) throw error;
    throw new StepError(error.message, { cause: error });
  }
}

const isRefusedStep = (error: unknown): error is Error =>
  error instanceof ApiError ||
  error instanceof AwsError ||
  error instanceof FaultError ||
  error instanceof ValueError ||
  error instanceof ReleaseFeedError ||
  error instanceof RefusedObjectError;

async function performInstantAction(step: ScenarioFileStep & InstantAction, scene: StepScene): Promise<void> {
  const { world } = scene;
  switch (step.do) {
    case 'release':
      return publishScenarioRelease(step, world);
    case 'withdraw':
    case 'deprecate':
      return void obeyReleaseRequest({ action: step.do, ...step.which }, contextOfRelease(world));
    case 'fault':
      return beginFaults(step, scene);
    case 'clear':
      return world.sandbox.aws.faults.clear();
    case 'upgrade':
      return upgradeAndWait(step.controlPlane, scene);
    case 'updateGroup':
      return updateManagedGroup(world.sandbox, step.group, step.release);
    case 'kill':
      return world.controller.kill(step.downMs);
    case 'scale':
      return scaleTo(step, world);
    case 'interrupt':
      return interruptNodes(step.nodes, scene);
    case 'terminate':
      for (const { instanceId } of chosenNodes(step.nodes, scene))
        world.sandbox.aws.ec2.instances.terminate(instanceId);
      return;
    case 'apply':
      return applyObjects(world, scene.prepared.applied.get(step) ?? [], scene.remark);
    case 'delete':
      return deleteTarget(step.target, scene);
    case 'patch':
      return patchTarget(step.target, step.merge, world);
    case 'cordon':
    case 'uncordon':
      return cordonNodes(chosenNodes(step.nodes, scene), step.do === 'cordon', world);
  }
}

const contextOfRelease = ({ sandbox: { aws }, time }: TestedWorld) => ({
  store: aws.releases,
  minor: aws.eks.controlPlane.version,
  now: time.clock.now(),
});

function publishScenarioRelease(
  { build, behaviors, place }: ScenarioFileStep & Extract<ScenarioAction, { do: 'release' }>,
  world: TestedWorld,
): void {
  const ofAll = behaviorOfAll(behaviors);
  const request = { ...build, ...(ofAll && { behavior: ofAll.behavior }) };
  const published = obeyReleaseRequest(request, contextOfRelease(world));
  const drawn = behaviors.filter((each) => each !== ofAll);
  for (const each of drawn) {
    if (!published.some((image) => concernsImage(each, image))) refuseIdleBehavior(each, published);
    if (each.pods !== undefined) watchPodLabels(world, { place, labels: each.pods });
  }
  world.behaviors.set(published, drawn);
}

/** @throws StepError */
function refuseIdleBehavior({ behavior, variant, arch }: ReleaseBehavior, published: readonly ImageRelease[]): never {
  const wanted = [variant, arch].filter((each) => each !== undefined).join(' ');
  const images = [...new Set(published.map((image) => `${image.variant} ${image.arch}`))];
  throw new StepError(
    `${behavior} concerns images for ${wanted}, and the release has none; it has ${images.join(', ')}`,
  );
}

const watchPodLabels = ({ podLabels, cluster }: TestedWorld, watched: WatchedLabels): void =>
  podLabels.watch(watched, cluster.list<Pod>(collectionNames.pods));

function beginFaults(
  { fault, forMs, nodes, place }: ScenarioFileStep & Extract<ScenarioAction, { do: 'fault' }>,
  scene: StepScene,
): void {
  if (fault.kind === 'node-behavior' && fault.pods !== undefined)
    watchPodLabels(scene.world, { place, labels: fault.pods });
  const { faults } = scene.world.sandbox.aws;
  const { clock } = scene.world.time;
  const wanted: readonly Fault[] =
    nodes === undefined
      ? [fault]
      : chosenNodes(nodes, scene).map(({ instanceId }) => ({ ...fault, instanceId }) as Fault);
  for (const each of wanted) {
    const { id } = faults.add(each);
    if (forMs !== undefined) clock.at(instant(clock.now() + forMs), () => faults.clear(id));
  }
}

function chosenNodes(choice: Parameters<typeof chooseNodes>[1], { world, random }: StepScene): readonly ChosenNode[] {
  const chosen = chooseNodes(world, choice, { random });
  if (chosen.kind === 'tooFew') throw new StepError(chosen.message);
  return chosen.nodes;
}

function interruptNodes(choice: Parameters<typeof chooseNodes>[1], { world, random }: StepScene): void {
  const chosen = chooseNodes(world, choice, { random, onlySpot: true });
  if (chosen.kind === 'tooFew') throw new StepError(chosen.message);
  for (const { instanceId } of chosen.nodes) world.sandbox.aws.faults.add({ kind: 'spot-interruption', instanceId });
}

const longestUpgradeMs = hours(2);

async function upgradeAndWait(version: string, { world, passUntil }: StepScene): Promise<void> {
  const { aws } = world.sandbox;
  const call = {
    service: 'eks',
    operation: 'UpdateClusterVersion',
    input: { name: world.settings.clusterName, version },
  };
  const { signal } = new AbortController();
  const answer = await world.time.finish(aws.answer(call, { signal, serving: { wait: (work) => work() } }));
  if (answer.kind === 'refused') throw new StepError(`EKS refuses it: ${answer.message}`);
  const isDone = await passUntil(() => aws.eks.controlPlane.version === version, longestUpgradeMs);
  if (!isDone) throw new StepError(`the control plane is still at ${aws.eks.controlPlane.version} after 2h`);
}

async function scaleTo(
  { kind, key, replicas }: Extract<ScenarioAction, { do: 'scale' }>,
  { time, sandbox }: TestedWorld,
): Promise<void> {
  const type = (kind === 'Deployment' ? deployments : statefulSets) as ResourceType;
  await time.finish(sandbox.admin.patch(type, key, { type: 'merge', patch: { spec: { replicas } } }));
}

/** @throws StepError for a kind that the cluster does not serve */
function typeOfTarget({ kind, apiVersion }: PatchTarget): ResourceType {
  const type = findServedType(kind, apiVersion);
  if (type !== undefined) return type;
  const version = apiVersion === undefined ? '' : ` in ${apiVersion}`;
  throw new StepError(`the cluster serves no ${kind}${version}; it serves ${listServedKinds().join(', ')}`);
}

const keyOfTarget = ({ name, namespace = 'default' }: ObjectTarget, { namespaced }: ResourceType) =>
  namespaced ? { name, namespace } : { name };

/** @throws StepError when fewer objects have the labels than are to be deleted */
async function deleteTarget(target: DeleteTarget, { world, random }: StepScene): Promise<void> {
  const { time, sandbox } = world;
  const type = typeOfTarget(target);
  const keys =
    'name' in target
      ? [keyOfTarget(target, type)]
      : drawLabelled(await listLabelled(type, target, world), target, random);
  for (const key of keys) await time.finish(sandbox.admin.delete(type, key));
}

type LabelledTarget = Exclude<DeleteTarget, ObjectTarget>;

async function listLabelled(type: ResourceType, { namespace, labels }: LabelledTarget, { time, sandbox }: TestedWorld) {
  const { items } = await time.finish(sandbox.admin.list(type, namespace === undefined ? {} : { namespace }));
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .filter(({ metadata }) =>
      Object.entries(labels).every(([name, value]) => readOwn(metadata.labels ?? {}, name) === value),
    )
    .map(objectKeyOf);
}

/** @throws StepError */
function drawLabelled<T>(keys: readonly T[], { kind, count }: LabelledTarget, random: Random): readonly T[] {
  const wanted = count ?? Math.max(1, keys.length);
  if (keys.length < wanted)
    throw new StepError(`${keys.length} objects of kind ${kind} have these labels, and the step is about ${wanted}`);
  return drawSome(keys, wanted, random);
}

/** @throws StepError when a kind is named and there is no object of it */
async function patchTarget(target: PatchTarget, patch: object, world: TestedWorld): Promise<void> {
  const { time, sandbox } = world;
  const type = typeOfTarget(target);
  const { name } = target;
  const keys =
    name === undefined ? await listObjectKeys(type, target, world) : [keyOfTarget({ ...target, name }, type)];
  if (keys.length === 0) throw new StepError(`there is no ${target.kind}`);
  for (const key of keys) await time.finish(sandbox.admin.patch(type, key, { type: 'merge', patch }));
}

async function listObjectKeys(type: ResourceType, { namespace }: PatchTarget, { time, sandbox }: TestedWorld) {
  const { items } = await time.finish(sandbox.admin.list(type, namespace === undefined ? {} : { namespace }));
  return items.map(objectKeyOf);
}

const objectKeyOf = ({ metadata }: KubernetesObject) => ({
  name: metadata.name,
  ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
});

async function cordonNodes(
  chosen: readonly ChosenNode[],
  unschedulable: boolean,
  { time, sandbox }: TestedWorld,
): Promise<void> {
  for (const { name } of chosen)
    await time.finish(sandbox.admin.patch(nodeType, { name }, { type: 'merge', patch: { spec: { unschedulable } } }));
}
