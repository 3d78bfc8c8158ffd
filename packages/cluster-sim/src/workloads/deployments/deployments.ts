import { type Deployment, deployments, pods, type ReplicaSet, replicaSets } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { countsTerminating } from '../../control-plane/controller-options.ts';
import { type ClusterControlPlane, countingGapMs, type Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { perform } from './perform.ts';
import { type DeploymentSnapshot, plan } from './plan.ts';
import { sortSets, sumOfCounts } from './rollout.ts';

/** Rolls Deployments out: one ReplicaSet for each template, and pods move from the old ones to the new one. */
export function runDeployments(control: ClusterControlPlane): void {
  const { client } = control.options;
  const events = recorderOf(control.options, 'deployment-controller');
  const keys = startPlannedController(control, {
    name: 'deployments',
    gapMs: countingGapMs,
    observe: (key) => observe(control, key),
    plan,
    perform: (action, { deployment }) => perform(action, deployment, { client, events }),
  });
  watchDeployments(control, keys);
}

function observe({ watches, options }: ClusterControlPlane, key: string): DeploymentSnapshot | undefined {
  const deployment = watches.of(deployments).get(key);
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return undefined;
  const owned = watches.of(replicaSets).by(byController, deployment.metadata.uid ?? '');
  const { current, old } = sortSets(deployment, owned);
  const countPods = ({ metadata }: ReplicaSet): number => watches.of(pods).by(byController, metadata.uid ?? '').length;
  const oldPods = sumOfCounts(old, countPods);
  return {
    deployment,
    current,
    old,
    oldPods,
    countsTerminating: countsTerminating(options),
    now: options.clock.now(),
  };
}

/** A Deployment is looked at when it or one of its ReplicaSets changes, and when one of its pods is gone. */
function watchDeployments({ watches }: ClusterControlPlane, keys: Keys): void {
  const sets = watches.of(replicaSets);
  watches.of(deployments).onChange((before, after) => keys.add(objectKeyText((after ?? before) as Deployment)));
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
