import {
  type Deployment,
  deployments,
  type KubernetesObject,
  pods,
  type ReplicaSet,
  replicaSets,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import { newReplicaSet, nextRevision, revisionAnnotation, revisionOfReplicaSet } from './replica-set.ts';
import { firstReplicas, nextScalings, type Rollout, type ReplicaScaling, sortSets, wantedReplicas } from './rollout.ts';
import { deploymentStatus, progressDeadline } from './status.ts';

/** Rolls Deployments out: a ReplicaSet per template, pods moved from the old ones to the new. */
export function runDeployments(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client, clock } = options;
  const events = recorderOf(options, 'deployment-controller');
  const known = watches.of(deployments);
  const sets = watches.of(replicaSets);

  const observe = (deployment: Deployment): Rollout => {
    const owned = sets.by(byController, deployment.metadata.uid ?? '');
    const { current, old } = sortSets(deployment, owned);
    const oldPods = old.reduce(
      (sum, { metadata }) => sum + watches.of(pods).by(byController, metadata.uid ?? '').length,
      0,
    );
    return { deployment, current, old, oldPods };
  };

  const reconcile = async (key: string): Promise<Recheck> => {
    const deployment = known.get(key);
    if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return undefined;
    const rollout = observe(deployment);
    if (rollout.current === undefined && deployment.spec.paused !== true) {
      const set = newReplicaSet(deployment, rollout.old, firstReplicas(rollout));
      await client.create(replicaSets, set);
      if (wantedReplicas(set) > 0) tell(deployment, scaledMessage(set.metadata.name, 0, wantedReplicas(set)));
    }
    for (const scaling of nextScalings(rollout)) await scale(deployment, scaling);
    for (const set of outlived(rollout)) await unlessGone(client.delete(replicaSets, keyOfMeta(set.metadata)));
    await number(rollout);
    await report(rollout);
    return progressDeadline(deployment);
  };

  /** The lock makes a decision on an outdated ReplicaSet fail. */
  const scale = async (deployment: Deployment, { set, to }: ReplicaScaling): Promise<void> => {
    const patch = { metadata: { resourceVersion: set.metadata.resourceVersion }, spec: { replicas: to } };
    await client.patch(replicaSets, keyOfMeta(set.metadata), { type: 'merge', patch });
    tell(deployment, scaledMessage(set.metadata.name, wantedReplicas(set), to));
  };

  const tell = (about: Deployment, message: string): void =>
    events.publish({ kind: deployments, about, type: 'Normal', reason: 'ScalingReplicaSet', message });

  /** The ReplicaSet in charge has the highest revision, also when it is an earlier one that came back. */
  const number = async ({ deployment, current, old }: Rollout): Promise<void> => {
    if (current === undefined) return;
    const revision = String(Math.max(revisionOfReplicaSet(current), nextRevision(old)));
    const patch = { metadata: { annotations: { [revisionAnnotation]: revision } } };
    const isNumbered = ({ metadata }: KubernetesObject): boolean =>
      metadata.annotations?.[revisionAnnotation] === revision;
    if (!isNumbered(current)) await client.patch(replicaSets, keyOfMeta(current.metadata), { type: 'merge', patch });
    if (isNumbered(deployment)) return;
    await unlessGone(client.patch(deployments, keyOfMeta(deployment.metadata), { type: 'merge', patch }));
  };

  const report = async (rollout: Rollout): Promise<void> => {
    const { deployment } = rollout;
    const status = deploymentStatus(rollout, clock.now());
    if (!differsFromPatch(deployment.status, status as Parameters<typeof differsFromPatch>[1])) return;
    const key = keyOfMeta(deployment.metadata);
    await unlessGone(client.patch(deployments, key, { type: 'merge', patch: { status } }, { subresource: 'status' }));
  };

  const keys = control.controller('deployments', reconcile, countingGapMs);
  known.onChange((before, after) => keys.add(objectKeyText((after ?? before) as Deployment)));
  sets.onChange((before, after) => {
    const owner = controllerKey((after ?? before) as ReplicaSet, 'Deployment');
    if (owner !== undefined) keys.add(owner);
  });
  watches.of(pods).onChange((before, after) => {
    const set = after === undefined && before !== undefined ? controllerKey(before, 'ReplicaSet') : undefined;
    const owner = set === undefined ? undefined : sets.get(set);
    const deployment = owner === undefined ? undefined : controllerKey(owner, 'Deployment');
    if (deployment !== undefined) keys.add(deployment);
  });
}

const scaledMessage = (name: string, from: number, to: number): string =>
  `Scaled ${to > from ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;

/** Empty ReplicaSets beyond the history that is kept. */
function outlived({ deployment, old }: Rollout): readonly ReplicaSet[] {
  const empty = old.filter((set) => wantedReplicas(set) === 0 && (set.status?.replicas ?? 0) === 0);
  return empty.slice(0, Math.max(0, empty.length - (deployment.spec.revisionHistoryLimit ?? 10)));
}
