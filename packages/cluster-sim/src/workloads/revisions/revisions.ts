import {
  type ControllerRevision,
  controllerRevisions,
  type KubernetesObject,
  type LabelSelector,
  type PodTemplateSpec,
  type ResourceType,
} from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { controlledBy } from '../../objects/ownership.ts';
import { hashOfTemplate } from '../../objects/template-hash.ts';

/** The label by which pods tell the revision they come from. */
export const revisionLabel = 'controller-revision-hash';

/** An owner whose templates are remembered: a DaemonSet or a StatefulSet. */
type Revised = KubernetesObject & {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template?: PodTemplateSpec;
    readonly revisionHistoryLimit?: number;
  };
};

/**
 * The revision of the owner's present template. It is made when there is none, and becomes the latest again when an
 * earlier template came back.
 */
export async function presentRevision<T extends Revised>(
  client: KubernetesClient,
  type: ResourceType<T>,
  owner: T,
  history: readonly ControllerRevision[],
): Promise<ControllerRevision> {
  const name = revisionName(owner);
  const same = history.find(({ metadata }) => metadata.name === name);
  const last = Math.max(0, ...history.map(({ revision }) => revision));
  if (same === undefined) return client.create(controllerRevisions, newRevision(type, owner, last + 1));
  if (same.revision === last) return same;
  const patch = { revision: last + 1 };
  return client.patch(controllerRevisions, keyOfMeta(same.metadata), { type: 'merge', patch });
}

/** Forgets the oldest revisions that nothing uses any more, beyond the history that is kept. */
export async function forgetRevisions(
  client: KubernetesClient,
  owner: Revised,
  history: readonly ControllerRevision[],
  used: ReadonlySet<string>,
): Promise<void> {
  const unused = byRevision(history).filter(({ metadata }) => !used.has(metadata.name));
  const surplus = unused.slice(0, Math.max(0, unused.length - (owner.spec.revisionHistoryLimit ?? 10)));
  for (const { metadata } of surplus) await unlessGone(client.delete(controllerRevisions, keyOfMeta(metadata)));
}

/** The template that a revision stands for. */
export function templateOfRevision(data: ControllerRevision['data']): PodTemplateSpec | undefined {
  if (data === undefined) return undefined;
  const { $patch: _, ...template } = data.spec.template as PodTemplateSpec & { readonly $patch?: string };
  return template;
}

function newRevision<T extends Revised>(type: ResourceType<T>, owner: T, revision: number): ControllerRevision {
  const template = templateOfOwner(owner);
  const { namespace } = owner.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: revisionName(owner),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...template.metadata?.labels, 'controller.kubernetes.io/hash': hashOfTemplate(template) },
      ownerReferences: [controlledBy(type, owner)],
    },
    data: { spec: { template: { ...template, $patch: 'replace' } as PodTemplateSpec } },
    revision,
  };
}

const templateOfOwner = ({ spec }: Revised): PodTemplateSpec => spec.template ?? noTemplate;

const noTemplate: PodTemplateSpec = { spec: { containers: [] } };

const revisionName = (owner: Revised): string => `${owner.metadata.name}-${hashOfTemplate(templateOfOwner(owner))}`;

const byRevision = (history: readonly ControllerRevision[]): readonly ControllerRevision[] =>
  history.toSorted((a, b) => a.revision - b.revision);
