import {
  type ControllerRevision,
  controllerRevisions,
  type DaemonSet,
  daemonSets,
  type KubernetesObject,
  pods,
  type StatefulSet,
  statefulSets,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import { hashOfTemplate } from '@nodewright/cluster-sim';
import { resourceNameOf } from '../snapshot/kinds.ts';
import { type ClusterObjects, snapshotObjects } from '../snapshot/read-cluster-objects.ts';

const revisionHashLabel = 'controller-revision-hash';

/** What a revision is called in the cluster, and what the controllers of the embedded one call it. */
type Renaming = {
  readonly owner: string;
  readonly from: string;
  readonly to: string;
  readonly labels: ReadonlyMap<string, string>;
};

/**
 * The objects with the present revisions of DaemonSets and StatefulSets under the names that the embedded controllers look for.
 * Names have a hash of the template, and another formula would look like another template: all pods would be made anew.
 */
export function alignRevisions(objects: ClusterObjects): ClusterObjects {
  const revisions = snapshotObjects(objects, controllerRevisions);
  const renamings = new Map(
    [...snapshotObjects(objects, daemonSets), ...snapshotObjects(objects, statefulSets)].flatMap((owner) => {
      const found = renamingOf(owner, revisions);
      return found === undefined ? [] : [[owner.metadata.uid ?? '', found] as const];
    }),
  );
  if (renamings.size === 0) return objects;
  const aligned = (type: typeof pods | typeof controllerRevisions | typeof statefulSets) =>
    snapshotObjects<KubernetesObject>(objects, type).map((object) => align(object, renamings));
  return Object.fromEntries(
    Object.entries(objects).map(([resource, all]) => {
      const type = [pods, controllerRevisions, statefulSets].find((each) => resourceNameOf(each) === resource);
      return [resource, type === undefined ? all : aligned(type)];
    }),
  );
}

function renamingOf(owner: DaemonSet | StatefulSet, revisions: readonly ControllerRevision[]): Renaming | undefined {
  const { uid = '', name } = owner.metadata;
  const own = revisions.filter(({ metadata }) => metadata.ownerReferences?.some((reference) => reference.uid === uid));
  const present = own.toSorted(inReverse(byNumberOf(({ revision }) => revision)))[0];
  if (present === undefined || owner.spec.template === undefined) return undefined;
  const to = `${name}-${hashOfTemplate(owner.spec.template)}`;
  const from = present.metadata.name;
  if (from === to) return undefined;
  const short = (revision: string): string => revision.slice(name.length + 1);
  // Pods of a DaemonSet carry the hash alone, those of a StatefulSet the whole name.
  return {
    owner: uid,
    from,
    to,
    labels: new Map([
      [from, to],
      [short(from), short(to)],
    ]),
  };
}

function align(object: KubernetesObject, renamings: ReadonlyMap<string, Renaming>): KubernetesObject {
  const { metadata } = object;
  const own = renamings.get(metadata.uid ?? '');
  if (own !== undefined) return alignSet(object as StatefulSet, own);
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const renaming = renamings.get(owner?.uid ?? '');
  if (renaming === undefined) return object;
  const label = renaming.labels.get(metadata.labels?.[revisionHashLabel] ?? '');
  const name = metadata.name === renaming.from ? renaming.to : metadata.name;
  const labels = label === undefined ? metadata.labels : { ...metadata.labels, [revisionHashLabel]: label };
  return { ...object, metadata: { ...metadata, name, ...(labels === undefined ? {} : { labels }) } };
}

/** The status of a StatefulSet names its revisions. */
function alignSet(set: StatefulSet, { labels }: Renaming): StatefulSet {
  const { status } = set;
  if (status === undefined) return set;
  const renamed = Object.entries(status).map(([field, value]) => [
    field,
    typeof value === 'string' ? (labels.get(value) ?? value) : value,
  ]);
  return { ...set, status: Object.fromEntries(renamed) };
}
