import type { Deployment, EC2NodeClass, StatefulSet } from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { type Document, parseAllDocuments } from 'yaml';
import type { PreparedScenario } from '../manifests/prepare-scenario.ts';
import { settleWorld } from '../world/tested-world.ts';

/** A workload whose replicas a history may change. */
export type FuzzWorkload = {
  readonly kind: 'deployment' | 'statefulSet';
  /** `default/web`. */
  readonly key: string;
  readonly replicas: number;
  /** Labels of its pods. */
  readonly labels: Readonly<Record<string, string>>;
};

/** What random histories are drawn for: the parts of a scenario that stay, and what there is to happen to. */
export type FuzzSubject = {
  readonly name: string;
  /** `cluster`, `given`, `always` and `never`, as they are written. */
  readonly spec: Readonly<Record<string, unknown>>;
  readonly workloads: readonly FuzzWorkload[];
  readonly families: readonly string[];
  readonly zones: readonly string[];
  /** The minor version after that of the cluster, where it has images. */
  readonly nextMinor?: string;
};

type WrittenScenario = {
  readonly kind?: string;
  readonly spec?: Readonly<Record<string, unknown>> & { readonly cases?: readonly Readonly<Record<string, unknown>>[] };
};

/**
 * @param text the file of the scenario
 * @param at which scenario of the file, and which of its cases
 */
export function readFuzzSubject(
  prepared: PreparedScenario,
  text: string,
  at: { readonly scenario: number; readonly case: number },
): FuzzSubject {
  const documents = parseAllDocuments(text) as readonly Document.Parsed[];
  const written = documents.map((document) => document.toJS() as WrittenScenario);
  const spec = written.filter(({ kind }) => kind === 'Scenario')[at.scenario]?.spec ?? {};
  const own = spec.cases?.[at.case] ?? {};
  const lists = (['given', 'always', 'never'] as const).flatMap((name) => {
    const all = [spec[name], own[name]].flat().filter((each) => each !== undefined);
    return all.length === 0 ? [] : [[name, all] as const];
  });
  return {
    name: prepared.case.name === '' ? prepared.scenario.name : `${prepared.scenario.name} (${prepared.case.name})`,
    spec: { ...(spec['cluster'] !== undefined && { cluster: spec['cluster'] }), ...Object.fromEntries(lists) },
    ...describeWorld(prepared),
  };
}

/** The subject of manifests that no scenario names. */
export const fuzzManifests = (prepared: PreparedScenario, given: readonly string[]): FuzzSubject => ({
  name: `the manifests ${given.join(', ')}`,
  spec: { given },
  ...describeWorld(prepared),
});

function describeWorld(prepared: PreparedScenario): Omit<FuzzSubject, 'name' | 'spec'> {
  const { given, scenario, clusterName, snapshot } = prepared;
  const objects = given.objects.map(({ object }) => object);
  const { kubernetesVersion, zones, start } = settleWorld({
    cluster: scenario.cluster,
    clusterName,
    manifests: objects,
    seed: 1,
    ...(snapshot && { snapshot }),
  });
  const [major = '1', minor = '0'] = kubernetesVersion.split('.');
  const next = `${major}.${Number(minor) + 1}`;
  const hasImages = builtInReleases()
    .of(next)
    .some(({ publishedAt }) => Date.parse(publishedAt) <= start);
  return {
    workloads: objects.flatMap((object) => fuzzWorkloadOf(object as Deployment | StatefulSet) ?? []),
    families: [...new Set(given.nodeClasses.flatMap(familiesOfClass))],
    zones,
    ...(hasImages && { nextMinor: next }),
  };
}

function fuzzWorkloadOf({ kind, metadata, spec }: Deployment | StatefulSet): FuzzWorkload | undefined {
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return undefined;
  return {
    kind: kind === 'Deployment' ? 'deployment' : 'statefulSet',
    key: `${metadata.namespace ?? 'default'}/${metadata.name}`,
    replicas: spec.replicas ?? 1,
    labels: spec.template?.metadata?.labels ?? {},
  };
}

const drawnFamilies: ReadonlyMap<string, string> = new Map([
  ['al2023', 'AL2023'],
  ['bottlerocket', 'Bottlerocket'],
  ['al2', 'AL2'],
]);

/** Families of which a class would launch a new release. Images of a team's own count as Amazon Linux, as in every scenario. */
function familiesOfClass({ spec }: EC2NodeClass): readonly string[] {
  const words = [
    spec.amiFamily ?? '',
    ...(spec.amiSelectorTerms ?? []).map(({ alias = '' }) => alias.split('@', 1).join('')),
  ];
  const found = words.flatMap((word) => drawnFamilies.get(word.toLowerCase()) ?? []);
  return found.length === 0 ? ['AL2023'] : found;
}
