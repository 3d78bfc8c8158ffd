import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { convertManifest, type KubernetesObject, type NodePool, type Pod } from '@nodewright/apis';
import { decodeSnapshot, type Snapshot } from '@nodewright/forecast';
import type {
  GivenPath,
  ScenarioCase,
  ScenarioCluster,
  ScenarioFile,
  ScenarioFileStep,
} from '../reading/scenario-file.ts';
import { ScenarioFileError } from '../reading/source-text.ts';
import { findClusterName } from '../world/prepare-account.ts';
import { type GivenCluster, sortGivenObjects, type TypedObject } from './given-cluster.ts';
import { type GivenObject, readManifestFiles } from './manifest-files.ts';
import { placeCluster } from './place-cluster.ts';

/** One play of a scenario, with all its manifests read. */
export type PreparedScenario = {
  readonly scenario: ScenarioFile;
  readonly case: ScenarioCase;
  readonly steps: readonly ScenarioFileStep[];
  readonly clusterName: string;
  readonly given: GivenCluster;
  /** What the apply steps apply. */
  readonly applied: ReadonlyMap<ScenarioFileStep, readonly TypedObject[]>;
  readonly remarks: readonly string[];
  /** The cluster in which it begins. */
  readonly snapshot?: Snapshot;
};

export type PreparationOptions = {
  readonly standardInput: () => string;
  /** Manifests that take the place of kinds that they have objects of: NodePools, EC2NodeClasses, policies. */
  readonly instead?: readonly GivenPath[];
};

const defaultClusterName = 'scenario';

/**
 * Reads what a scenario needs beside its file.
 * @throws ScenarioFileError for manifests that cannot be read
 */
export function prepareScenario(
  scenario: ScenarioFile,
  played: ScenarioCase,
  { standardInput, instead = [] }: PreparationOptions,
): PreparedScenario {
  const source = { from: scenario.file, standardInput, clusterName: scenario.cluster.name ?? defaultClusterName };
  const read = (paths: readonly GivenPath[]) => readManifestFiles(paths, source);
  const files = read([...scenario.given, ...played.given]);
  const own = instead.length === 0 ? undefined : read(instead);
  const objects = own === undefined ? files.objects : replaceKinds(files.objects, own.objects);
  const given = sortGivenObjects([...objects, ...listMissing(objects.map(({ object }) => object))]);
  const steps = [...scenario.steps, ...played.steps];
  const applied = new Map(
    steps.flatMap((step) => (step.do === 'apply' ? [[step, appliedObjects(step, read)] as const] : [])),
  );
  const snapshot = readSnapshotOf(scenario);
  const named = [given.objects, ...applied.values()].flatMap((list) => list.map(({ object }) => object));
  const cluster = placeCluster(scenario, named);
  return {
    scenario: { ...scenario, cluster },
    case: played,
    steps,
    ...(snapshot && { snapshot }),
    clusterName:
      snapshot?.clusterName ?? scenario.cluster.name ?? findClusterName(given.nodeClasses) ?? defaultClusterName,
    given,
    applied,
    remarks: [...files.remarks, ...(own?.remarks ?? []), ...given.remarks, ...describeMinor(scenario.cluster, cluster)],
  };
}

/** Tells of a Kubernetes version that was chosen for the manifests, and is not in the file. */
const describeMinor = (written: ScenarioCluster, { kubernetesVersion }: ScenarioCluster): readonly string[] =>
  kubernetesVersion === undefined || written.kubernetesVersion !== undefined
    ? []
    : [
        `the cluster has Kubernetes ${kubernetesVersion}, the newest version with images for the EC2NodeClasses; cluster.kubernetesVersion sets another one`,
      ];

/** @throws ScenarioFileError for a file that is something else */
function readSnapshotOf({ file, cluster }: ScenarioFile): Snapshot | undefined {
  const { snapshot } = cluster;
  if (snapshot === undefined) return undefined;
  try {
    return decodeSnapshot(readFileSync(resolve(dirname(file), snapshot.path)));
  } catch (error) {
    throw new ScenarioFileError([{ place: snapshot.place, message: `${snapshot.path}: ${(error as Error).message}` }]);
  }
}

function appliedObjects(
  step: Extract<ScenarioFileStep, { do: 'apply' }>,
  read: (paths: readonly GivenPath[]) => { readonly objects: readonly GivenObject[] },
): readonly TypedObject[] {
  const written = step.objects.map((object) => ({ object, file: step.place.file }));
  return sortGivenObjects([...read(step.paths).objects, ...written]).objects;
}

const replaceableKinds: ReadonlySet<string> = new Set([
  'NodePool',
  'EC2NodeClass',
  'NodeRolloutPolicy',
  'ImageRule',
  'DisruptionPause',
]);

/** The kinds that a team has of its own take the place of those of the scenario. */
function replaceKinds(objects: readonly GivenObject[], own: readonly GivenObject[]): readonly GivenObject[] {
  const replacing = own.filter(({ object }) => replaceableKinds.has(object.kind ?? ''));
  const kinds = new Set(replacing.map(({ object }) => object.kind));
  const expiry = objects
    .map(({ object }) => expiryOfPool(object))
    .find((each) => each !== undefined && each !== 'Never');
  return [
    ...objects.filter(({ object }) => !kinds.has(object.kind)),
    ...(expiry === undefined ? replacing : replacing.map((given) => withExpiryOfPool(given, expiry))),
  ];
}

const expiryOfPool = (object: KubernetesObject): string | undefined =>
  object.kind === 'NodePool' ? (object as NodePool).spec.template.spec.expireAfter : undefined;

/** Gives a pool of the team the expiry of the scenario: an incident about nodes that expire takes an hour, and not a month. */
function withExpiryOfPool(given: GivenObject, expireAfter: string): GivenObject {
  const object = convertManifest(given.object);
  if (object.kind !== 'NodePool') return given;
  const { spec } = object as NodePool;
  const template = { ...spec.template, spec: { ...spec.template.spec, expireAfter } };
  return { ...given, object: { ...object, spec: { ...spec, template } } as NodePool };
}

const standingNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** What manifests refer to and a cluster would have: namespaces, service accounts and priority classes. */
function listMissing(objects: readonly KubernetesObject[]): readonly GivenObject[] {
  const has = (kind: string, name: string): boolean =>
    objects.some((object) => object.kind === kind && object.metadata?.name === name);
  const namespaces = new Set(objects.flatMap(({ metadata }) => metadata?.namespace ?? []));
  const needs = objects.flatMap((object) => podNeeds(object));
  const missing: KubernetesObject[] = [
    ...[...namespaces]
      .filter((name) => !standingNamespaces.has(name) && !has('Namespace', name))
      .map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    ...needs
      .filter(({ account }) => account !== undefined && account !== 'default' && !has('ServiceAccount', account))
      .map(({ account = '', namespace }) => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: account, namespace },
      })),
    ...needs
      .filter(
        ({ priority }) => priority !== undefined && !priority.startsWith('system-') && !has('PriorityClass', priority),
      )
      .map(({ priority = '' }) => ({
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name: priority },
        value: 0,
      })),
  ];
  return missing.map((object) => ({ object, file: 'scenario' }));
}

type PodNeeds = {
  readonly namespace: string;
  readonly account: string | undefined;
  readonly priority: string | undefined;
};

function podNeeds({ kind, metadata, ...rest }: KubernetesObject): readonly PodNeeds[] {
  const { spec } = rest as { readonly spec?: { readonly template?: { readonly spec?: Pod['spec'] } } };
  const pod = kind === 'Pod' ? (spec as Pod['spec'] | undefined) : spec?.template?.spec;
  if (pod === undefined || !Array.isArray(pod.containers)) return [];
  const { serviceAccountName, priorityClassName } = pod as { serviceAccountName?: string; priorityClassName?: string };
  return [{ namespace: metadata?.namespace ?? 'default', account: serviceAccountName, priority: priorityClassName }];
}
