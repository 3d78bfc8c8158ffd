import { byText, type KubernetesObject, type NodeGroup } from '@nodewright/apis';
import type { Snapshot } from '@nodewright/forecast';
import { type Random, seededRandom } from '@nodewright/runtime';
import { drawHistory } from '@nodewright/simulation';
import type { ForecastChange, ForecastRelease } from '../../packages/forecast/src/run/forecast-change.ts';
import { drawPolicy } from '../../packages/simulation/src/histories/draw-policy.ts';
import type { SimulatedFamily } from '../../packages/simulation/src/histories/history.ts';
import { policyManifest } from '../../packages/simulation/src/histories/manifests.ts';
import { type SnappedGroupKind, type SnappedGroups, snappedNodeGroups } from './snapped-groups.ts';
import type { SnappedPast } from './snapped-world.ts';

/** A cluster, what it has behind it, and what is then done to it: all drawn from one seed. */
export type ForecastCase = {
  readonly past: SnappedPast;
  readonly change: ChangeName;
  /** The change, for the objects that the cluster has then. */
  readonly changeOf: (snapshot: Snapshot) => ForecastChange;
  /** How long it is followed. */
  readonly minutes: number;
};

type ChangeDrawing = (snapshot: Snapshot, random: Random) => Partial<ForecastChange>;

const nothing: ForecastChange = { manifests: [], releases: [] };

/** A release of a family that is newer than all that are known. */
const newestOf = (family: string, nth: number): ForecastRelease =>
  family === 'AL2023' ? { family, version: `v203${nth}0101` } : { family, version: `v1.99.${nth}` };

const aliasFamilies: Readonly<Record<SimulatedFamily, string>> = { al2023: 'AL2023', bottlerocket: 'Bottlerocket' };

const familiesOf = ({ kubernetes }: Snapshot): readonly string[] =>
  (kubernetes['ec2nodeclasses.karpenter.k8s.aws'] ?? []).map(
    ({ metadata }) => aliasFamilies[metadata.name as SimulatedFamily],
  );

/** The changes that are drawn, each with its manifests for a cluster. */
const changes = {
  nothing: () => ({}),
  label: (snapshot) => ({ manifests: relabelledPools(snapshot) }),
  tag: (snapshot) => ({ manifests: mapSpecs(snapshot, 'ec2nodeclasses', (spec) => ({ ...spec, tags: { a: 'b' } })) }),
  release: (snapshot) => ({ releases: familiesOf(snapshot).map((family) => newestOf(family, 9)) }),
  scale: (snapshot, random) => ({
    manifests: mapSpecs(snapshot, 'deployments', (spec) => ({ ...spec, replicas: random.integer(7) })),
  }),
  budget: (snapshot) => ({
    manifests: mapSpecs(snapshot, 'poddisruptionbudgets', (spec) => ({ ...spec, maxUnavailable: 0 })),
  }),
  consolidate: (snapshot) => ({
    manifests: mapSpecs(snapshot, 'nodepools', (spec) => ({
      ...spec,
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s' },
    })),
  }),
  policy: (snapshot, random) => ({
    manifests: [drawnPolicy(random), ...relabelledPools(snapshot)],
    releases: familiesOf(snapshot).map((family) => newestOf(family, 9)),
  }),
  upgrade: ({ kubernetesVersion }) => ({ kubernetesVersion: kubernetesVersion === '1.30' ? '1.31' : '1.32' }),
  keepGroups: (snapshot) => ({ manifests: nodeGroupsOf(snapshot) }),
  updateGroup: ({ aws }) => ({ groupUpdates: (aws.managedGroups ?? []).map(({ name }) => ({ group: name })) }),
  keepGroupsInWaves: (snapshot, random) => ({
    manifests: [drawnPolicy(random), ...nodeGroupsOf(snapshot)],
    releases: [newestOf('AL2023', 9)],
  }),
} satisfies Readonly<Record<string, ChangeDrawing>>;

export type ChangeName = keyof typeof changes;

/** Those of clusters with node groups, beside `release` and `upgrade`. */
const changesOfGroups: ReadonlySet<ChangeName> = new Set(['keepGroups', 'updateGroup', 'keepGroupsInWaves']);

const allChanges = (Object.keys(changes) as readonly ChangeName[]).toSorted(byText);
const changeNames = allChanges.filter((name) => !changesOfGroups.has(name));
const groupChangeNames: readonly ChangeName[] = [...changesOfGroups, 'release', 'upgrade'];

/** The case of a seed. Clusters are small: many small ones show more than a few large ones. */
export function drawForecastCase(seed: string): ForecastCase {
  const random = seededRandom(`forecast case ${seed}`);
  const { cluster } = drawHistory(seed, { nodes: 2 + random.integer(3) });
  const ofGroups = random.fork('groups');
  const hasGroups = ofGroups.next() < 0.3;
  const change = hasGroups ? ofGroups.pick(groupChangeNames) : random.pick(changeNames);
  const comesUp = 5 + random.integer(4);
  const isUnderWay = random.next() < 0.4;
  const drawing: ChangeDrawing = changes[change];
  return {
    past: {
      seed,
      cluster,
      minutes: comesUp + (isUnderWay ? 3 + random.integer(4) : 0),
      ...(isUnderWay && {
        underWay: {
          change: { releases: [newestOf(aliasFamilies[random.pick(cluster.pools).family], 1)] },
          minute: comesUp,
        },
      }),
      ...(hasGroups && { groups: drawGroups(ofGroups, isUnderWay) }),
    },
    change,
    changeOf: (snapshot) => ({ ...nothing, ...drawing(snapshot, random.fork('change')) }),
    minutes: hasGroups ? 30 : change === 'upgrade' || cluster.policy !== undefined ? 20 : 9,
  };
}

/** An update of a managed group that is under way is not told by EKS in full, and no forecast can be equal to it. */
function drawGroups(random: Random, isUnderWay: boolean): SnappedGroups {
  const which = random.pick<readonly SnappedGroupKind[]>([['managed'], ['plain'], ['managed', 'plain']]);
  const isKept = random.next() < 0.5 && !(isUnderWay && which.includes('managed'));
  return { which, isKept, release: isKept ? 'newest' : random.pick(['newest', 'previous']) };
}

/** The NodeGroups of the groups that are there. */
const nodeGroupsOf = ({ aws: { managedGroups = [], scalingGroups = [] } }: Snapshot): readonly NodeGroup[] => {
  const names = new Set([...managedGroups, ...scalingGroups].map(({ name }) => name));
  return Object.values(snappedNodeGroups).filter(({ metadata }) => names.has(metadata.name));
};

const drawnPolicy = (random: Random): KubernetesObject =>
  Object.assign(
    { apiVersion: 'nodewright.dev/v1alpha1', kind: 'NodeRolloutPolicy' },
    policyManifest(drawPolicy(random)),
  );

type Spec = Readonly<Record<string, unknown>>;
type WithSpec = KubernetesObject & { readonly spec?: Spec };

/** The objects of a kind as they stand, with something else in their specs. */
const mapSpecs = ({ kubernetes }: Snapshot, plural: string, specOf: (spec: Spec) => Spec): readonly WithSpec[] =>
  Object.entries(kubernetes)
    .filter(([collection]) => collection.split('.', 1)[0] === plural)
    .flatMap(([, objects]) => objects)
    .map((object: WithSpec) => ({ ...object, spec: specOf(object.spec ?? {}) }));

const relabelledPools = (snapshot: Snapshot): readonly WithSpec[] =>
  mapSpecs(snapshot, 'nodepools', (spec) => {
    const template = spec['template'] as { readonly metadata?: { readonly labels?: object } };
    const labels = { ...template.metadata?.labels, round: 'second' };
    return { ...spec, template: { ...template, metadata: { ...template.metadata, labels } } };
  });
