import type { Pod } from '@nodewright/apis';
import { readSettings } from '../../controller/read-settings.ts';
import type { ControllerSettings } from '../../controller/setting-table.ts';
import { InputError } from '../../terminal/exit-status.ts';
import type { EnvironmentVariable } from './manifests.ts';

export type PodSettings =
  | { readonly kind: 'settings'; readonly settings: ControllerSettings; readonly warnings: readonly string[] }
  /** The operator would end at once, with this line. */
  | { readonly kind: 'refused'; readonly because: string };

/**
 * The settings that the environment and the arguments of the operator's container give. Values from config maps and
 * secrets, and from the container's resources, count as not set.
 */
export function settingsOfPod({ metadata, spec }: Pod): PodSettings {
  const [container] = spec.containers;
  const variables = (container as { readonly env?: readonly EnvironmentVariable[] } | undefined)?.env ?? [];
  const environment = variables.flatMap(({ name, value, valueFrom }): [string, string][] => {
    const found = value ?? podFieldText(metadata, valueFrom?.fieldRef?.fieldPath);
    return found === undefined ? [] : [[name, found]];
  });
  try {
    const namespace: [string, string] = ['LEADER_ELECTION_NAMESPACE', metadata.namespace ?? ''];
    return { kind: 'settings', ...readSettings({}, Object.fromEntries([namespace, ...environment])) };
  } catch (failure) {
    if (!(failure instanceof InputError)) throw failure;
    return { kind: 'refused', because: failure.message };
  }
}

function podFieldText({ name, namespace }: Pod['metadata'], path: string | undefined): string | undefined {
  if (path === 'metadata.name') return name;
  return path === 'metadata.namespace' ? namespace : undefined;
}
