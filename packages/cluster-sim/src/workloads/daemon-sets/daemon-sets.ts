import {
  controllerRevisions,
  type DaemonSet,
  daemonSets,
  nodes,
  type Pod,
  pods,
  type PodTemplateSpec,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { scheduledBy } from '../../scheduler/relevance.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { PodControl } from '../pod-control.ts';
import { podFromTemplate } from '../pod-from-template.ts';
import { presentRevision, revisionLabel } from '../revisions/revisions.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import { pinnedTo } from './placement.ts';
import { type DaemonPlan, planDaemons, revisionOfDaemonSet } from './plan.ts';

/** Keeps one pod of each DaemonSet on every node that it is for. */
export function runDaemonSets(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const sets = watches.of(daemonSets);
  const history = watches.of(controllerRevisions);
  const podControl = new PodControl(control, daemonSets);

  const reconcile = async (key: string): Promise<Recheck> => {
    const set = sets.get(key);
    if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
    const owned = watches.of(pods).by(byController, set.metadata.uid ?? '');
    const plan = planDaemons(set, watches.of(nodes).all(), owned);
    await presentRevision(options.client, daemonSets, set, history.by(byController, set.metadata.uid ?? ''));
    const held = podControl.heldUntil(key);
    if (held === undefined) await perform(set, plan);
    await report(set, plan);
    return held;
  };

  const perform = async (set: DaemonSet, { create, remove }: DaemonPlan): Promise<void> => {
    const template = withRevision(set);
    for (const nodeName of create) {
      const pod = podFromTemplate(pinnedTo(nodeName, template), { type: daemonSets, object: set });
      await podControl.create(set, pod);
    }
    for (const pod of remove) await podControl.delete(set, pod);
  };

  const report = async (set: DaemonSet, plan: DaemonPlan): Promise<void> => {
    const status = { ...plan.status, observedGeneration: set.metadata.generation ?? 0 };
    if (!differsFromPatch(set.status, status)) return;
    const key = keyOfMeta(set.metadata);
    await unlessGone(
      options.client.patch(daemonSets, key, { type: 'merge', patch: { status } }, { subresource: 'status' }),
    );
  };

  const keys = control.controller('daemon sets', reconcile, countingGapMs);
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

function withRevision(set: DaemonSet): PodTemplateSpec {
  const { template } = set.spec;
  const labels = { ...template.metadata?.labels, [revisionLabel]: revisionOfDaemonSet(set) };
  return { ...template, metadata: { ...template.metadata, labels } };
}
