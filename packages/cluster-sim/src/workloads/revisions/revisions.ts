import {
  type ControllerRevision,
  controllerRevisions,
  type KubernetesObject,
  type LabelSelector,
  type PodTemplateSpec,
  type ResourceType,
  byNumberOf,
} from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { keyOfMeta } from '../../objects/object-key.ts';
import { unlessGone } from '../../control-plane/refusals.ts';
import { controlledBy } from '../../objects/ownership.ts';
import { hashOfTemplate } from '../../objects/template-hash.ts';

/** The label of a pod that names its revision. */
export const revisionLabel = 'controller-revision-hash';

/** An owner with a history of templates: a DaemonSet or a StatefulSet. */
type Revised = KubernetesObject & {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template?: PodTemplateSpec;
    readonly revisionHistoryLimit?: number;
  };
};

/** What becomes of the ControllerRevisions of an owner. */
export type RevisionAction =
  | { readonly kind: 'createRevision'; readonly revision: ControllerRevision }
  | { readonly kind: 'renumberRevision'; readonly revision: ControllerRevision; readonly to: number }
  | { readonly kind: 'deleteRevision'; readonly revision: ControllerRevision };

/** The revision of the owner's present template, all revisions with it, and the write that makes it so. */
export type PresentRevision = {
  readonly present: ControllerRevision;
  readonly history: readonly ControllerRevision[];
  readonly actions: readonly RevisionAction[];
};

/** Creates the revision of the present template, or makes it the latest again when an earlier template came back. */
export function planRevision<T extends Revised>(
  type: ResourceType<T>,
  owner: T,
  known: readonly ControllerRevision[],
): PresentRevision {
  const name = revisionName(owner);
  const same = known.find(({ metadata }) => metadata.name === name);
  const last = Math.max(0, ...known.map(({ revision }) => revision));
  if (same?.revision === last) return { present: same, history: known, actions: [] };
  const others = known.filter((revision) => revision !== same);
  if (same !== undefined) {
    const present = { ...same, revision: last + 1 };
    const actions: readonly RevisionAction[] = [{ kind: 'renumberRevision', revision: same, to: last + 1 }];
    return { present, history: [...others, present], actions };
  }
  const present = newRevision(type, owner, last + 1);
  return { present, history: [...known, present], actions: [{ kind: 'createRevision', revision: present }] };
}

/** Deletes the oldest revisions that are not in use, beyond the history that the owner keeps. */
export function planSurplusRevisions(
  owner: Revised,
  history: readonly ControllerRevision[],
  used: ReadonlySet<string>,
): readonly RevisionAction[] {
  const unused = history
    .filter(({ metadata }) => !used.has(metadata.name))
    .toSorted(byNumberOf(({ revision }) => revision));
  const surplus = unused.slice(0, Math.max(0, unused.length - (owner.spec.revisionHistoryLimit ?? 10)));
  return surplus.map((revision) => ({ kind: 'deleteRevision', revision }));
}

export async function performRevision(client: KubernetesClient, action: RevisionAction): Promise<void> {
  const key = keyOfMeta(action.revision.metadata);
  switch (action.kind) {
    case 'createRevision':
      await client.create(controllerRevisions, action.revision);
      return;
    case 'renumberRevision':
      await client.patch(controllerRevisions, key, { type: 'merge', patch: { revision: action.to } });
      return;
    case 'deleteRevision':
      await unlessGone(client.delete(controllerRevisions, key));
  }
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
