import {
  type CustomResourceDefinition,
  type DefinitionObject,
  definitionObjects,
  type KubernetesObject,
  ownCrds,
  type ResourceType,
  byTextOf,
} from '@nodewright/apis';
import { type KubernetesClient, listAll } from '@nodewright/runtime';
import { withCluster } from '../../reading/open-cluster.ts';
import type { CliContext } from '../../terminal/context.ts';
import { NotNowError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { printTable } from '../../terminal/table.ts';
import type { CrdsFlags } from './flags.ts';
import { listPrintedCrds } from './listed-definitions.ts';
import { type ComparedDefinition, type DefinitionFinding, judgeDefinition } from './judge-definitions.ts';

/** `nodewright crds --upgrade-check`. */
export async function checkDefinitions(this: CliContext, flags: CrdsFlags): Promise<void> {
  const compared = await withCluster(flags, ({ client }) => observeDefinitions(client, listPrintedCrds(flags)));
  const findings = compared.flatMap(judgeDefinition);
  const object = { kind: 'DefinitionReport', findings };
  writeAnswer(this, flags.output, { object, text: printDefinitionFindings(findings) });
  const blocked = findings.filter(({ state }) => state === 'blocked').length;
  if (blocked > 0) throw new NotNowError(`${blocked} findings stand against applying the definitions`);
  const webhook = flags.conversionWebhook;
  const flag = webhook === undefined ? '' : ` --conversion-webhook ${webhook.namespace}/${webhook.name}`;
  this.process.stderr.write(
    `Apply the definitions first, then update the controller:\n  nodewright crds${flag} | kubectl apply --server-side --force-conflicts -f -\n`,
  );
}

const printDefinitionFindings = (findings: readonly DefinitionFinding[]): string =>
  printTable(
    ['STATE', 'DEFINITION', 'MESSAGE'],
    findings.map(({ state, subject, message }) => [state, subject, message]),
  );

/** Reads the definitions of the cluster and, of each kind, the objects in the version that is stored from now on. */
export async function observeDefinitions(
  client: KubernetesClient,
  printed: readonly CustomResourceDefinition[],
): Promise<readonly ComparedDefinition[]> {
  const compared: ComparedDefinition[] = [];
  for (const ours of [...printed, ...ownCrds()].toSorted(byTextOf(({ metadata }) => metadata.name))) {
    const theirs = await client.get(definitionObjects, { name: ours.metadata.name });
    const version = ours.spec.versions.find(({ storage }) => storage)?.name ?? '';
    compared.push({ ours, theirs, objects: await listStoredObjects(client, ours.spec, version, theirs) });
  }
  return compared;
}

async function listStoredObjects(
  client: KubernetesClient,
  { group, names, scope }: ComparedDefinition['ours']['spec'],
  version: string,
  theirs: DefinitionObject | undefined,
): Promise<readonly KubernetesObject[]> {
  const isServed = theirs?.spec?.versions?.some(({ name, served }) => name === version && served === true) ?? false;
  if (!isServed) return [];
  const { plural, kind } = names;
  const type: ResourceType = { group, version, plural, kind, namespaced: scope === 'Namespaced' };
  return (await listAll(client, type)).items;
}
