import { type KubernetesObject, printYaml } from '@nodewright/apis';
import { type InstallValues, listEnvironment, listInstallManifests, readInstallValues } from '@nodewright/manifests';
import { readSettings } from '../../controller/read-settings.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import type { OutputFormat } from '../../terminal/output.ts';
import type { ManifestsFlags } from './flags.ts';
import { readValuesFile } from './read-values-file.ts';
import { controllerSettings } from './setting-catalogue.ts';

export function printInstallManifests(this: CliContext, { values: path, output }: ManifestsFlags): void {
  const source = path === '-' ? 'standard input' : (path ?? 'no --values');
  const given = path === undefined ? {} : readValuesFile(path, source);
  const { values, complaints } = readInstallValues(given, controllerSettings);
  if (complaints.length > 0) throw new InputError(complaints.map((each) => `${source}: ${each}`).join('\n'));
  for (const warning of listControllerWarnings(values)) this.process.stderr.write(`${warning}\n`);
  this.process.stdout.write(printObjects(listInstallManifests(values, controllerSettings), output));
}

/** What the controller would say of its settings at the start. */
function listControllerWarnings(values: InstallValues): readonly string[] {
  const variables = listEnvironment(values, controllerSettings).map(({ name, value }) => [name, value] as const);
  return readSettings({}, Object.fromEntries(variables)).warnings;
}

const printObjects = (objects: readonly KubernetesObject[], output: OutputFormat = 'yaml'): string =>
  output === 'yaml'
    ? printYaml(objects)
    : `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2)}\n`;
