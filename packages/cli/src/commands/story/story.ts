import {
  apiVersionOf,
  deployments,
  ec2NodeClasses,
  isConditionTrue,
  type Instant,
  type KubernetesObject,
  nodePools,
  type ResourceType,
  toTimestamp,
  minutes,
} from '@nodewright/apis';
import type { Clock, KubernetesClient, Random } from '@nodewright/runtime';
import {
  type StoryLine,
  lineOfClaim,
  lineOfNode,
  lineOfNodeClass,
  lineOfPod,
  lineOfRolloutEvent,
  type NodeLife,
} from './chronicle.ts';
import { Lives, type ReleaseNames } from './lives.ts';
import { manifestText, objectsOf } from './manifests.ts';
import { Scene } from './scene.ts';

/** Where the story plays: the cluster, and the two calls to EKS that a person makes in it. */
export type Stage = {
  readonly clock: Clock;
  readonly client: KubernetesClient;
  readonly random: Random;
  readonly clusterName: string;
  readonly releases: ReleaseNames;
  /** @returns the id of the update */
  updateClusterVersion(minor: string): Promise<string>;
  /** `InProgress`, `Successful`, ... */
  updateStatus(id: string): Promise<string>;
};

export type Telling = {
  /** A command that the story types for the reader, or a sentence between two parts. */
  command(at: Instant, text: string): void;
  line(line: StoryLine): void;
};

/**
 * The walkthrough of upgrading nodes by drift: pending pods get a node, the control plane moves
 * on and the node follows, the pool is pointed at another node class and the node follows again.
 * @throws when a step of it does not come true in time
 */
export async function playStory(stage: Stage, tell: Telling): Promise<readonly NodeLife[]> {
  const scene = new Scene(stage);
  const lives = new Lives();
  await scene.synced();
  const stopTelling = tellChanges({ scene, lives, stage, tell });
  const settledOn = (minor: string, family: string): boolean => {
    const claims = scene.claims.store.list();
    const nodes = scene.nodes.store.list();
    return (
      claims.length === 1 &&
      nodes.length === 1 &&
      claims.every(
        (claim) =>
          isConditionTrue(claim, 'Initialized') && stage.releases(claim.status?.imageID ?? '')?.family === family,
      ) &&
      nodes.every((node) => node.status?.nodeInfo?.['kubeletVersion']?.startsWith(`v${minor}.`)) &&
      runningPods(scene) === 2
    );
  };
  try {
    await applying(stage, tell, 'basic.yaml', 'sample-deploy.yaml');
    await scene.until('two pods run on a node of 1.28', () => settledOn('1.28', 'AL2'), minutes(15));

    tell.command(
      stage.clock.now(),
      `aws eks update-cluster-version --name ${stage.clusterName} --kubernetes-version 1.29`,
    );
    await waitForUpdate(stage, await stage.updateClusterVersion('1.29'));
    tell.line({ at: stage.clock.now(), what: 'cluster', who: stage.clusterName, text: 'the control plane is at 1.29' });
    await scene.until('the node is replaced by one of 1.29', () => settledOn('1.29', 'AL2'), minutes(30));

    await applying(stage, tell, 'bottlerocket.yaml');
    const patch = { spec: { template: { spec: { nodeClassRef: { name: 'bottlerocket' } } } } };
    tell.command(stage.clock.now(), `kubectl patch nodepool default --type merge -p '${JSON.stringify(patch)}'`);
    await stage.client.patch(nodePools, { name: 'default' }, { type: 'merge', patch });
    await scene.until(
      'the node is replaced by one of Bottlerocket',
      () => settledOn('1.29', 'Bottlerocket'),
      minutes(30),
    );
    return lives.all(stage.releases);
  } finally {
    stopTelling();
    await scene.stop();
  }
}

const runningPods = (scene: Scene): number =>
  scene.pods.store
    .list()
    .filter((pod) => pod.metadata.namespace === 'default')
    .filter((pod) => pod.metadata.deletionTimestamp === undefined && pod.status?.phase === 'Running').length;

async function waitForUpdate(stage: Stage, update: string): Promise<void> {
  while ((await stage.updateStatus(update)) === 'InProgress') await stage.clock.sleep(10_000);
  const status = await stage.updateStatus(update);
  if (status !== 'Successful') throw new Error(`the update of the control plane ended as ${status}, not Successful`);
}

/** The kinds of the walkthrough's manifests, in the versions that are printed there. */
const storyKinds: readonly ResourceType[] = [
  { ...nodePools, version: 'v1beta1' },
  { ...ec2NodeClasses, version: 'v1beta1' },
  deployments,
];

async function applying(stage: Stage, tell: Telling, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    tell.command(stage.clock.now(), `kubectl apply -f ${name}`);
    for (const object of objectsOf(manifestText(name))) {
      await stage.client.create(resourceTypeOf(object), inDefaultNamespace(object));
    }
  }
}

/** As kubectl does with the namespace of its context. */
function inDefaultNamespace(object: KubernetesObject): KubernetesObject {
  if (!resourceTypeOf(object).namespaced) return object;
  return { ...object, metadata: { namespace: 'default', ...object.metadata } };
}

function resourceTypeOf(object: KubernetesObject): ResourceType {
  const type = storyKinds.find((kind) => kind.kind === object.kind && apiVersionOf(kind) === object.apiVersion);
  if (type === undefined) throw new Error(`the story knows no kind ${object.apiVersion} ${object.kind}`);
  return type;
}

/** Tells every change of the scene until the function that it returns is called. */
export function tellChanges(told: {
  readonly scene: Scene;
  readonly lives: Lives;
  readonly stage: Stage;
  readonly tell: Telling;
}): () => void {
  const { scene, lives, stage, tell } = told;
  const imageName = (id: string): string | undefined => {
    const release = stage.releases(id);
    return release === undefined ? undefined : `${release.family} ${release.version} for ${release.kubernetesVersion}`;
  };
  const say = (lines: readonly Omit<StoryLine, 'at'>[]): void => {
    for (const line of lines) tell.line({ at: stage.clock.now(), ...line });
  };
  const endings = [
    scene.claims.onChange((before, after) => {
      if (after !== undefined) lives.sawClaim(after);
      else if (before !== undefined) lives.removed(before.metadata.name, toTimestamp(stage.clock.now()));
      say(lineOfClaim(storyChangeOf(before, after), imageName));
    }),
    scene.nodes.onChange((before, after) => {
      if (after !== undefined) lives.sawNode(after);
      say(lineOfNode(storyChangeOf(before, after)));
    }),
    scene.pods.onChange((before, after) => {
      if ((after ?? before)?.metadata.namespace === 'default') say(lineOfPod(storyChangeOf(before, after)));
    }),
    scene.nodeClasses.onChange((before, after) => say(lineOfNodeClass(storyChangeOf(before, after), imageName))),
    scene.events.onChange((before, after) => {
      if (after !== undefined) lives.sawEvent(after);
      if (after !== undefined && before === undefined) say(lineOfRolloutEvent(after));
    }),
  ];
  return () => {
    for (const end of endings) end();
  };
}

const storyChangeOf = <T>(before: T | undefined, after: T | undefined) => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});
