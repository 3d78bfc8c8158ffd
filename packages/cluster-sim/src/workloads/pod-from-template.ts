import type { KubernetesObject, Pod, PodTemplateSpec, ResourceType } from '@nodewright/apis';
import { controlledBy } from '../objects/ownership.ts';

export type PodOwner = { readonly type: ResourceType; readonly object: KubernetesObject };

/** A pod of the owner. The API server completes its name, because it knows which names are taken. */
export function podFromTemplate({ metadata, spec }: PodTemplateSpec, owner: PodOwner): Pod {
  const prefix = `${owner.object.metadata.name}-`;
  const { labels, annotations, finalizers } = metadata ?? {};
  const { namespace } = owner.object.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: prefix,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ownerReferences: [controlledBy(owner.type, owner.object)],
    },
    spec,
  };
}
