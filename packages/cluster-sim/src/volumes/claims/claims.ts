import {
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  type PersistentVolume,
  type PersistentVolumeClaim,
  storageClasses,
} from '@nodewright/apis';
import { type IndexBy, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { selectedNodeKey } from './claim-step.ts';
import { perform } from './perform.ts';
import { changePhase, type VolumeClaimSnapshot, plan, zoneOfNode } from './plan.ts';

/** Gives claims their volumes, and takes volumes back whose claims are gone. */
export function runClaims(control: ClusterControlPlane): void {
  const { client } = control.options;
  const events = recorderOf(control.options, 'persistentvolume-controller');
  const claims = startPlannedController(control, {
    name: 'persistent volume claims',
    observe: (key) => observe(control, key),
    plan,
    perform: (action, { claim }) => perform(action, claim, { client, events }),
  });
  const volumes = startPlannedController(control, {
    name: 'persistent volumes',
    observe: (name) => control.watches.of(persistentVolumes).get(name),
    plan: planUnclaimed,
    perform: (action) => perform(action, undefined, { client, events }),
  });
  watchStorage(control, { claims, volumes });
}

function observe({ watches }: ClusterControlPlane, key: string): VolumeClaimSnapshot {
  const claim = watches.of(persistentVolumeClaims).get(key);
  const volumes = watches.of(persistentVolumes);
  const selectedNode = watches.of(nodes).get(claim?.metadata.annotations?.[selectedNodeKey] ?? '');
  return {
    claim,
    claimed: volumes.by(byClaim, key),
    volume: volumes.get(claim?.spec?.volumeName ?? ''),
    storage: { storageClasses: watches.of(storageClasses).all(), volumes: volumes.all(), selectedNode },
    firstZone: zoneOfNode(watches.of(nodes).all().find(zoneOfNode)),
  };
}

/** A volume without a claim is available to all claims. */
const planUnclaimed = (volume: PersistentVolume) => ({
  actions: volume.spec?.claimRef === undefined ? changePhase(volume, 'Available') : [],
});

type StorageKeys = { readonly claims: Keys; readonly volumes: Keys };

/**
 * A claim is looked at when it or a volume of it changes. All claims that are not bound are looked at when a class
 * changes, and when a volume without a claim appears.
 */
function watchStorage({ watches }: ClusterControlPlane, keys: StorageKeys): void {
  const claims = watches.of(persistentVolumeClaims);
  watches.of(nodes);
  const checkUnbound = (): void => {
    for (const claim of claims.all()) if (claim.status?.phase !== 'Bound') keys.claims.add(objectKeyText(claim));
  };
  claims.onChange((before, after) => keys.claims.add(objectKeyText((after ?? before) as PersistentVolumeClaim)));
  watches.of(storageClasses).onChange(checkUnbound);
  watches.of(persistentVolumes).onChange((before, after) => {
    for (const key of byClaim((after ?? before) as PersistentVolume)) keys.claims.add(key);
    if (before !== undefined || after === undefined || after.spec?.claimRef !== undefined) return;
    keys.volumes.add(objectKeyText(after));
    checkUnbound();
  });
}

/** Volumes by the key of the claim that they are bound to. */
const byClaim: IndexBy<PersistentVolume> = ({ spec }) =>
  spec?.claimRef?.name === undefined ? [] : [`${spec.claimRef.namespace}/${spec.claimRef.name}`];
