import { persistentVolumeClaims, type Pod, pods } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Recheck } from '../control-plane/control-plane.ts';
import { unlessRefusedAs } from '../control-plane/refusals.ts';
import { controlledBy } from '../objects/ownership.ts';

type ClaimTemplate = { readonly metadata?: object; readonly spec?: object };

/** Makes the claims of pods' ephemeral volumes; they go with their pods. */
export function runEphemeralClaims(control: ClusterControlPlane): void {
  const known = control.watches.of(pods);
  const claims = control.watches.of(persistentVolumeClaims);

  const reconcile = async (key: string): Promise<Recheck> => {
    const pod = known.get(key);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return undefined;
    for (const { name, ephemeral } of pod.spec.volumes ?? []) {
      const template = (ephemeral as { readonly volumeClaimTemplate?: ClaimTemplate } | undefined)?.volumeClaimTemplate;
      if (template === undefined) continue;
      const claim = {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: {
          ...template.metadata,
          name: `${pod.metadata.name}-${name}`,
          ...(pod.metadata.namespace === undefined ? {} : { namespace: pod.metadata.namespace }),
          ownerReferences: [controlledBy(pods, pod)],
        },
        spec: template.spec ?? {},
      };
      if (claims.get(objectKeyText(claim)) !== undefined) continue;
      await unlessRefusedAs('AlreadyExists', control.options.client.create(persistentVolumeClaims, claim));
    }
    return undefined;
  };

  const keys = control.controller('ephemeral volumes', reconcile);
  known.onChange((_, after) => {
    if (after !== undefined && hasEphemeral(after)) keys.add(objectKeyText(after));
  });
}

const hasEphemeral = ({ spec }: Pod): boolean =>
  spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) ?? false;
