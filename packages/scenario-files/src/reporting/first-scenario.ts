import {
  convertManifest,
  type Deployment,
  type EC2NodeClass,
  instant,
  type KubernetesObject,
  type NodePool,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import { chooseZones, findNamedZones } from '@nodewright/aws-endpoints';
import { inventedVersion, readImageUse } from '../incidents/image-use.ts';
import { chooseMinor } from '../world/choose-minor.ts';
import { usualMinor, usualStart } from '../world/usual-cluster.ts';

/**
 * A first scenario for manifests: pods find nodes, a bad release stops early or not, the largest Deployment doubles, a zone runs
 * dry, the controller dies. It passes for most manifests; its remarks say what to make stricter.
 */
export function printFirstScenario(objects: readonly KubernetesObject[], given: readonly string[]): string {
  const pools = objects.filter((object): object is NodePool => object.kind === 'NodePool');
  const workload = largestDeployment(objects);
  const nodeClasses = objects.map(convertManifest).filter(({ kind }) => kind === 'EC2NodeClass') as EC2NodeClass[];
  const { followed, pin } = readImageUse(nodeClasses);
  const family = followed[0] ?? pin?.family ?? 'AL2023';
  return [
    '# yaml-language-server: $schema=scenario.schema.json',
    '# nodewright schema scenario > scenario.schema.json makes editors complete this file.',
    'apiVersion: nodewright.dev/v1alpha1',
    'kind: Scenario',
    'metadata: { name: our pools serve our pods }',
    'spec:',
    ...clusterFor(nodeClasses),
    `  given: [${given.map((path) => JSON.stringify(path)).join(', ')}]`,
    '  steps:',
    ...(workload === undefined ? probeSteps(pools) : []),
    '    - waitUntil: nodes.all(n, n.ready) && pods.all(p, p.ready)',
    '      within: 20m',
    ...(workload === undefined ? [] : scaleSteps(workload)),
    `    - fault: { kind: insufficient-capacity, zone: ${firstZoneOf(objects)}, for: 1h }`,
    '    - kill: controller',
    '    - advance: 2h',
    '    - waitUntil: pods.all(p, p.ready)',
    '      within: 20m',
    '    # Its kubelets freeze after three hours. With a NodeRolloutPolicy, at most one node should ever run it:',
    `    # - expect: instances.filter(i, i.release == "${inventedVersion(family, 0)}").size() <= 1`,
    `    - release: { family: ${family}, version: "${inventedVersion(family, 0)}", behavior: stopsRenewing after 3h }`,
    '    - advance: 1h',
    '    - waitUntil: pods.all(p, p.ready)',
    '      within: 20m',
    '  never:',
    '    - unschedulable for 30m',
    `    - nodes > ${Math.max(20, 4 * (workload?.spec.replicas ?? 5))}`,
    '',
  ].join('\n');
}

/** The first zone that the manifests name, of the region where the cluster is. */
function firstZoneOf(objects: readonly KubernetesObject[]): string {
  const { region, zones } = chooseZones(objects);
  return findNamedZones(objects).find((zone) => zone.startsWith(region)) ?? zones[0] ?? '';
}

const nameOfWorkload = ({ metadata }: Deployment): string => `${metadata.namespace ?? 'default'}/${metadata.name}`;

function largestDeployment(objects: readonly KubernetesObject[]): Deployment | undefined {
  const all = objects.filter((object): object is Deployment => object.kind === 'Deployment' && !isControllerOf(object));
  return all.toSorted(inReverse(byNumberOf(({ spec }) => spec.replicas ?? 1)))[0];
}

const isControllerOf = ({ metadata }: KubernetesObject): boolean =>
  metadata?.labels?.['app.kubernetes.io/name'] === 'karpenter';

const scaleSteps = (workload: Deployment): readonly string[] => [
  `    - scale: { deployment: ${nameOfWorkload(workload)}, replicas: ${2 * Math.max(1, workload.spec.replicas ?? 1)} }`,
  '    - waitUntil: pods.all(p, p.ready)',
  '      within: 20m',
];

/** Manifests without a workload get one for each pool, so that there are nodes. */
function probeSteps(pools: readonly NodePool[]): readonly string[] {
  const names = pools.map(({ metadata }) => metadata.name);
  return names.flatMap((name) => [
    '    - apply:',
    '        apiVersion: apps/v1',
    '        kind: Deployment',
    `        metadata: { name: probe-${name}, namespace: default }`,
    '        spec:',
    '          replicas: 3',
    `          selector: { matchLabels: { probe: ${JSON.stringify(name)} } }`,
    '          template:',
    `            metadata: { labels: { probe: ${JSON.stringify(name)} } }`,
    '            spec:',
    `              nodeSelector: { karpenter.sh/nodepool: ${JSON.stringify(name)} }`,
    '              tolerations: [{ operator: Exists }]',
    "              containers: [{ name: probe, image: pause, resources: { requests: { cpu: '1' } } }]",
  ]);
}

/** A version that pins and Amazon Linux 2 have images for. */
function clusterFor(nodeClasses: readonly EC2NodeClass[]): readonly string[] {
  const minor = chooseMinor(nodeClasses, instant(usualStart));
  return minor === usualMinor ? [] : [`  cluster: { kubernetesVersion: "${minor}" }`];
}
