import type { KubernetesObject, Pod, PodTemplateSpec, ResourceType } from '@nodewright/apis';
import type { Random } from '@nodewright/runtime';
import { controlledBy } from './ownership.ts';

export type PodOwner = { readonly type: ResourceType; readonly object: KubernetesObject };

/** A pod of its owner's, named after it. */
export function podFromTemplate({ metadata, spec }: PodTemplateSpec, owner: PodOwner, random: Random): Pod {
  const prefix = `${owner.object.metadata.name}-`;
  const { labels, annotations, finalizers } = metadata ?? {};
  const { namespace } = owner.object.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${prefix}${random.nameSuffix(5)}`,
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
