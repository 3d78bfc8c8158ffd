import { type DashboardPart, dashboardParts, type HiddenParts } from '../rows/dashboard-changes.ts';
import { awsSources } from '../rows/missing-rights.ts';

/** `pods` and `nodepools.karpenter.sh`, as `kubectl auth can-i list` takes them. */
export type ReadableKind = string;

const poolKinds: readonly ReadableKind[] = ['nodes', 'nodeclaims.karpenter.sh', 'nodepools.karpenter.sh'];
const rolloutKinds: readonly ReadableKind[] = [
  'noderolloutpolicies.nodewright.dev',
  'noderollouts.nodewright.dev',
  'imagerules.nodewright.dev',
];
const imageKinds: readonly ReadableKind[] = [
  ...rolloutKinds,
  'ec2nodeclasses.karpenter.k8s.aws',
  'nodeclaims.karpenter.sh',
];

/** Sentences about nodes name what holds them. */
const nodeKinds: readonly ReadableKind[] = [
  ...poolKinds,
  ...rolloutKinds,
  'ec2nodeclasses.karpenter.k8s.aws',
  'disruptionpauses.nodewright.dev',
  'nodegroups.nodewright.dev',
  'pods',
  'persistentvolumeclaims',
  'poddisruptionbudgets.policy',
];

/** Every kind from which something is written into a part. Whoever may not list all of them does not see the part. */
const kindsOfPart: Readonly<Record<DashboardPart, readonly ReadableKind[]>> = {
  nodes: ['nodes'],
  nodeUse: ['nodes', 'pods'],
  nodeReasons: nodeKinds,
  blockers: nodeKinds,
  savings: nodeKinds,
  keptNodes: nodeKinds,
  rollouts: [...rolloutKinds, 'nodes', 'pods'],
  policies: rolloutKinds,
  notifications: rolloutKinds,
  nodeGroups: nodeKinds,
  images: imageKinds,
  nodeClasses: imageKinds,
  spending: poolKinds,
  waiting: ['pods'],
  podReasons: [...poolKinds, 'ec2nodeclasses.karpenter.k8s.aws', 'pods', 'persistentvolumeclaims'],
};

/** Every kind that a reader may have to be allowed to list. */
export const dashboardKinds: readonly ReadableKind[] = [...new Set(Object.values(kindsOfPart).flat())];

/** What the view does not show to a reader who may list only some kinds, and which rights are missing. */
export const listHiddenParts = (kinds: ReadonlySet<ReadableKind>): HiddenParts =>
  hideParts((part) => kindsOfPart[part].filter((kind) => !kinds.has(kind)));

/** Where pods could run. */
const placementKinds: readonly ReadableKind[] = [
  'daemonsets.apps',
  'namespaces',
  'persistentvolumes',
  'storageclasses.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'nodeoverlays.karpenter.sh',
  'capacitybuffers.autoscaling.x-k8s.io',
  'podtemplates',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'services',
  'replicationcontrollers',
];

const movingKinds: readonly ReadableKind[] = [...nodeKinds, ...placementKinds, 'endpointslices.discovery.k8s.io'];

/**
 * What a part rests on beside the kinds that it names, and what of AWS: read without them, it would be wrong. Nodes and images are
 * told without AWS, too, as far as the cluster knows them.
 */
const kindsBehindPart: { readonly [Part in DashboardPart]?: readonly ReadableKind[] } = {
  nodeReasons: movingKinds,
  blockers: movingKinds,
  savings: [...movingKinds, awsSources.types],
  keptNodes: [...movingKinds, awsSources.types],
  rollouts: movingKinds,
  nodeGroups: movingKinds,
  images: ['nodepools.karpenter.sh'],
  nodeClasses: ['nodepools.karpenter.sh'],
  spending: ['ec2nodeclasses.karpenter.k8s.aws', 'nodeoverlays.karpenter.sh', awsSources.types],
  podReasons: [...placementKinds, awsSources.types],
};

/** What cannot be shown of a cluster that was read without some kinds. */
export const listUnreadParts = (unread: ReadonlySet<ReadableKind>): HiddenParts =>
  hideParts((part) => [
    ...new Set([...kindsOfPart[part], ...(kindsBehindPart[part] ?? [])].filter((kind) => unread.has(kind))),
  ]);

/** What is hidden for one reason or the other. */
export const joinHiddenParts = (a: HiddenParts, b: HiddenParts): HiddenParts =>
  hideParts((part) => [...new Set([...(a[part] ?? []), ...(b[part] ?? [])])]);

const hideParts = (listMissing: (part: DashboardPart) => readonly ReadableKind[]): HiddenParts =>
  Object.fromEntries(
    dashboardParts.flatMap((part) => {
      const missing = listMissing(part);
      return missing.length === 0 ? [] : [[part, missing] as const];
    }),
  );
