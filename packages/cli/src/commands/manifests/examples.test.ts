import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '@nodewright/apis';
import { listInstallManifests, readInstallValues } from '@nodewright/manifests';
import { parseManifests } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { controllerSettings } from './setting-catalogue.ts';

const example = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../../../../examples/real-cluster', name), 'utf8');

/** What is printed where the example has names in capitals. */
const { values } = readInstallValues(
  { image: 'REGISTRY/nodewright:VERSION', region: 'us-east-1', settings: { clusterName: 'CLUSTER_NAME' } },
  controllerSettings,
);
const printed = listInstallManifests(values, controllerSettings);
const ofAccess = /^(?:Namespace|ServiceAccount|(?:Cluster)?Role(?:Binding)?)$/;
const ofWork = /^(?:PodDisruptionBudget|Service|Deployment)$/;
const printedOf = (kinds: RegExp) => printed.filter(({ kind }) => kinds.test(kind ?? ''));

/** The examples have no labels but those that the cluster reads. */
const withoutLabels = ({ metadata, ...rest }: KubernetesObject): KubernetesObject => {
  const { labels = {}, ...own } = metadata;
  const read = Object.entries(labels).filter(([name]) => name.startsWith('rbac.authorization.k8s.io/'));
  return { ...rest, metadata: { ...own, ...(read.length === 0 ? {} : { labels: Object.fromEntries(read) }) } };
};

test('examples/real-cluster/rbac.yaml has the rules that are printed', () => {
  expect(parseManifests(example('rbac.yaml'))).toEqual(printedOf(ofAccess).map(withoutLabels));
});

test('examples/real-cluster/deployment.yaml is what is printed', () => {
  const text = example('deployment.yaml').replace('value: REGION', 'value: us-east-1');
  expect(parseManifests(text)).toEqual(printedOf(ofWork));
});

test('both examples together are all that is printed, but for the definitions', () => {
  const rest = printed.filter(({ kind = '' }) => !ofAccess.test(kind) && !ofWork.test(kind));
  expect(new Set(rest.map(({ kind }) => kind))).toEqual(new Set(['CustomResourceDefinition']));
});
