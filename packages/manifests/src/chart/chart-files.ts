import { type KubernetesObject, listKarpenterCrds, ownCrds, printYaml, readOwn } from '@nodewright/apis';
import { listAccessObjects } from '../access/access-objects.ts';
import { listConversionAccess } from '../access/conversion-access.ts';
import { listPageAccess } from '../access/page-access.ts';
import { listPeopleAccess } from '../access/people-access.ts';
import { serviceAccountObject } from '../objects/accounts.ts';
import { conversionServiceObject } from '../objects/conversion-webhook.ts';
import { deploymentObject } from '../objects/deployment.ts';
import {
  disruptionBudgetObject,
  metricsServiceObject,
  podMonitorObject,
  serviceMonitorObject,
} from '../objects/surroundings.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';
import { buildHelperTemplates } from './helper-templates.ts';
import { chartNotes } from './chart-notes.ts';
import { readSymbolicValues, templateExpressions } from './symbolic-values.ts';
import { accountBlocks, monitorBlocks, placeBlock, podBlocks } from './template-blocks.ts';
import { buildValuesSchema } from './values-schema.ts';
import { valuesText } from './values-text.ts';

/** The files of a chart by their paths in its folder. */
export type ChartFiles = ReadonlyMap<string, string>;

/** The chart `nodewright`, made from the objects that `nodewright manifests` prints. */
export function buildChartFiles(catalogue: SettingCatalogue, version: string): ChartFiles {
  const values = readSymbolicValues(catalogue);
  const monitor = (field: 'serviceMonitor' | 'podMonitor', object: KubernetesObject): string =>
    `{{- if .Values.${field}.create }}\n${templateOf([object], monitorBlocks(field))}{{- end }}\n`;
  return new Map([
    ['Chart.yaml', chartText(version)],
    ['values.yaml', valuesText],
    ['values.schema.json', `${JSON.stringify(buildValuesSchema(catalogue), null, 2)}\n`],
    ['templates/_helpers.tpl', buildHelperTemplates(catalogue)],
    ['templates/NOTES.txt', chartNotes],
    [
      'templates/service-account.yaml',
      `{{- if .Values.createServiceAccount }}\n${templateOf([serviceAccountObject(values)], accountBlocks)}{{- end }}\n`,
    ],
    ['templates/access.yaml', templateOf(listAccessObjects(values, catalogue), {})],
    ['templates/people-access.yaml', templateOf(listPeopleAccess(values), {})],
    [
      'templates/page-access.yaml',
      `{{- if ne (include "nodewright.uiPort" .) "0" }}\n${templateOf(listPageAccess(values), {})}{{- end }}\n`,
    ],
    [
      'templates/conversion-webhook.yaml',
      `{{- if ne (include "nodewright.conversionWebhookPort" .) "0" }}\n${templateOf(
        [...listConversionAccess(values, catalogue), conversionServiceObject(values, catalogue)],
        {},
      )}{{- end }}\n`,
    ],
    ['templates/disruption-budget.yaml', templateOf([disruptionBudgetObject(values)], {})],
    ['templates/service.yaml', templateOf([metricsServiceObject(values, catalogue)], {})],
    [
      'templates/deployment.yaml',
      `{{- include "nodewright.check" . }}\n${templateOf([deploymentObject(values, catalogue)], podBlocks)}`,
    ],
    ['templates/service-monitor.yaml', monitor('serviceMonitor', serviceMonitorObject(values))],
    ['templates/pod-monitor.yaml', monitor('podMonitor', podMonitorObject(values))],
    ...listDefinitionFiles(),
  ]);
}

const chartText = (version: string): string =>
  [
    'apiVersion: v2',
    'name: nodewright',
    'description: A node lifecycle controller for Amazon EKS, API-compatible with Karpenter',
    'type: application',
    `version: ${version}`,
    `appVersion: "${version}"`,
    '',
  ].join('\n');

/** Definitions are installed by Helm before everything else, and never changed or deleted by it. */
function listDefinitionFiles(): readonly (readonly [string, string])[] {
  const definitions = [...listKarpenterCrds(), ...ownCrds()];
  const names = definitions.map(({ metadata }) => `${metadata.name}.yaml`);
  const kustomization = ['apiVersion: kustomize.config.k8s.io/v1beta1', 'kind: Kustomization', 'resources:'];
  return [
    ...definitions.map((definition) => [`crds/${definition.metadata.name}.yaml`, printYaml([definition])] as const),
    ['crds/Kustomization', [...kustomization, ...names.map((name) => `- ${name}`), ''].join('\n')],
  ];
}

/** The objects as a template: words of the symbolic values become expressions, and some fields blocks. */
function templateOf(objects: readonly KubernetesObject[], blocks: Readonly<Record<string, readonly string[]>>): string {
  const marked = printYaml(objects.map((object) => markFields(object, new Set(Object.keys(blocks)))));
  const filled = marked.replaceAll(/^( *)(\w+): zz-block$/gm, (_line, indent: string, field: string) =>
    placeBlock(readOwn(blocks, field) ?? [], indent),
  );
  return templateExpressions.reduce((text, [word, expression]) => text.replaceAll(word, expression), filled);
}

/** The object with a word in the place of the fields' values, at every depth. A selector keeps what it has. */
function markFields<T>(value: T, fields: ReadonlySet<string>): T {
  if (Array.isArray(value)) return value.map((item: unknown) => markFields(item, fields)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    fields.has(name) ? 'zz-block' : markFields(member as unknown, fields),
  ]);
  return Object.fromEntries(entries) as T;
}
