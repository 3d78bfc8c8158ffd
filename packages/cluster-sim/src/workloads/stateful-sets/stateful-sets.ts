import {
  controllerRevisions,
  persistentVolumeClaims,
  type Pod,
  pods,
  type StatefulSet,
  statefulSets,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import { type ClusterControlPlane, countingGapMs, type Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { indexByNamespace } from '../../objects/object-key.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { PodControl } from '../pod-control.ts';
import { perform } from './perform.ts';
import { plan, type StatefulSetSnapshot } from './plan.ts';

/** Keeps the pods and claims of StatefulSets, in order and by name. */
export function runStatefulSets(control: ClusterControlPlane): void {
  const { client } = control.options;
  const podControl = new PodControl(
    control,
    statefulSets,
    (deed, name, { metadata }) => `${deed} Pod ${name} in StatefulSet ${metadata.name} successful`,
    (because, name, { metadata }) => `create Pod ${name} in StatefulSet ${metadata.name} failed error: ${because}`,
  );
  const keys = startPlannedController(control, {
    name: 'stateful sets',
    gapMs: countingGapMs,
    observe: (key) => observe(control, podControl, key),
    plan,
    perform: (action, { set }) => perform(action, set, { client, podControl }),
  });
  watchStatefulSets(control, keys);
}

function observe(
  { watches, options }: ClusterControlPlane,
  podControl: PodControl,
  key: string,
): StatefulSetSnapshot | undefined {
  const set = watches.of(statefulSets).get(key);
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return undefined;
  const { uid = '', namespace = '' } = set.metadata;
  const hasClaims = (set.spec.volumeClaimTemplates ?? []).length > 0;
  return {
    set,
    owned: watches.of(pods).by(byController, uid),
    claims: hasClaims ? watches.of(persistentVolumeClaims).by(indexByNamespace, namespace) : [],
    revisions: watches.of(controllerRevisions).by(byController, uid),
    heldUntil: podControl.heldUntil(key),
    now: options.clock.now(),
  };
}

/** A set is looked at when it or one of its pods changes. */
function watchStatefulSets({ watches }: ClusterControlPlane, keys: Keys): void {
  watches.of(persistentVolumeClaims);
  watches.of(controllerRevisions);
  watches.of(statefulSets).onChange((before, after) => keys.add(objectKeyText((after ?? before) as StatefulSet)));
  watches.of(pods).onChange((before, after) => {
    const owner = controllerKey((after ?? before) as Pod, 'StatefulSet');
    if (owner !== undefined) keys.add(owner);
  });
}
