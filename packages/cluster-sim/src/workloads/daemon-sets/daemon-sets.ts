import { controllerRevisions, type DaemonSet, daemonSets, nodes, type Pod, pods } from '@nodewright/apis';
import { type KubernetesClient, objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { patchStatus } from '../../control-plane/writes.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { scheduledBy } from '../../scheduler/relevance.ts';
import { PodControl } from '../pod-control.ts';
import { performRevision } from '../revisions/revisions.ts';
import { DaemonTallies } from './daemon-tallies.ts';
import { type DaemonSetAction, type DaemonSetSnapshot, plan } from './plan.ts';

/** Keeps one pod of each DaemonSet on every node that it is for. */
export function runDaemonSets(control: ClusterControlPlane): void {
  const podControl = new PodControl(control, daemonSets);
  const tallies = new DaemonTallies(control);
  const { client } = control.options;
  const keys = startPlannedController(control, {
    name: 'daemon sets',
    gapMs: countingGapMs,
    observe: (key) => observe(control, { podControl, tallies }, key),
    plan,
    perform: (action, { set }) => perform(action, set, { client, podControl }),
  });
  watchDaemonSets(control, keys);
}

type DaemonSources = { readonly podControl: PodControl; readonly tallies: DaemonTallies };

function observe(
  { watches }: ClusterControlPlane,
  { podControl, tallies }: DaemonSources,
  key: string,
): DaemonSetSnapshot | undefined {
  const set = watches.of(daemonSets).get(key);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
  const { uid = '' } = set.metadata;
  return {
    set,
    nodes: tallies.of(set),
    history: watches.of(controllerRevisions).by(byController, uid),
    heldUntil: podControl.heldUntil(key),
  };
}

type DaemonSetWriters = { readonly client: KubernetesClient; readonly podControl: PodControl };

function perform(action: DaemonSetAction, set: DaemonSet, { client, podControl }: DaemonSetWriters): Promise<void> {
  switch (action.kind) {
    case 'createPod':
      return podControl.create(set, action.pod);
    case 'deletePod':
      return podControl.delete(set, action.pod);
    case 'writeStatus':
      return patchStatus(client, daemonSets, set, action.status);
    default:
      return performRevision(client, action);
  }
}

/** A set is looked at when it or one of its pods changes, and all sets when a node comes, goes, or is labelled anew. */
function watchDaemonSets({ watches }: ClusterControlPlane, keys: Keys): void {
  const sets = watches.of(daemonSets);
  watches.of(controllerRevisions);
  sets.onChange((before, after) => keys.add(objectKeyText((after ?? before) as DaemonSet)));
  watches.of(pods).onChange((before, after) => {
    const owner = controllerKey((after ?? before) as Pod, 'DaemonSet');
    if (owner !== undefined) keys.add(owner);
  });
  watches.of(nodes).onChange((before, after) => {
    if (before !== undefined && after !== undefined && scheduledBy(before) === scheduledBy(after)) return;
    for (const set of sets.all()) keys.add(objectKeyText(set));
  });
}
