import { type PersistentVolumeClaim, persistentVolumeClaims, type Pod, pods } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../control-plane/control-plane.ts';
import { type ControllerPlan, startPlannedController } from '../control-plane/planned-controller.ts';
import { unlessRefusedAs } from '../control-plane/refusals.ts';
import { controlledBy } from '../objects/ownership.ts';
import { claimKeysOf } from './claims-of-pods.ts';

type ClaimTemplate = { readonly metadata?: object; readonly spec?: object };

/** Creates the claims of pods' ephemeral volumes. A pod owns its claims, so they go with it. */
export function runEphemeralClaims(control: ClusterControlPlane): void {
  const { client } = control.options;
  const keys = startPlannedController(control, {
    name: 'ephemeral volumes',
    observe: (key) => observe(control, key),
    plan: planEphemeralClaims,
    perform: async (claim) => {
      await unlessRefusedAs('AlreadyExists', client.create(persistentVolumeClaims, claim));
    },
  });
  watchEphemeralPods(control, keys);
}

type EphemeralSnapshot = {
  readonly pod: Pod;
  /** Keys of the pod's claims that exist. */
  readonly existing: readonly string[];
};

function observe({ watches }: ClusterControlPlane, key: string): EphemeralSnapshot | undefined {
  const pod = watches.of(pods).get(key);
  if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
  const claims = watches.of(persistentVolumeClaims);
  return { pod, existing: claimKeysOf(pod).filter((each) => claims.get(each) !== undefined) };
}

/** The claims that are missing, in the order of the pod's volumes. */
export const planEphemeralClaims = ({ pod, existing }: EphemeralSnapshot): ControllerPlan<PersistentVolumeClaim> => ({
  actions: (pod.spec.volumes ?? [])
    .flatMap(({ name, ephemeral }) => {
      const { volumeClaimTemplate: template } = (ephemeral ?? {}) as { readonly volumeClaimTemplate?: ClaimTemplate };
      return template === undefined ? [] : [newClaim(pod, `${pod.metadata.name}-${name}`, template)];
    })
    .filter((claim) => !existing.includes(objectKeyText(claim))),
});

const newClaim = (pod: Pod, name: string, { metadata, spec = {} }: ClaimTemplate): PersistentVolumeClaim => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: {
    ...metadata,
    name,
    ...(pod.metadata.namespace === undefined ? {} : { namespace: pod.metadata.namespace }),
    ownerReferences: [controlledBy(pods, pod)],
  },
  spec,
});

function watchEphemeralPods({ watches }: ClusterControlPlane, keys: Keys): void {
  watches.of(persistentVolumeClaims);
  watches.of(pods).onChange((_, after) => {
    if (after !== undefined && hasEphemeral(after)) keys.add(objectKeyText(after));
  });
}

const hasEphemeral = ({ spec }: Pod): boolean =>
  spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) ?? false;
