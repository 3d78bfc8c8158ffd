import type { Taint, TaintEffect } from '@nodewright/apis';
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import type { Bootstrap, NoBootstrap } from './bootstrap.ts';

/**
 * `[settings.kubernetes]` of Bottlerocket's TOML.
 * @see https://bottlerocket.dev/en/os/latest/#/api/settings/kubernetes/
 */
export function bootstrapOfSettings(text: string): Bootstrap | NoBootstrap {
  const settings = parsed(text);
  if (settings === undefined) return { because: 'the user data is no TOML' };
  const kubernetes = table(table(settings['settings'])['kubernetes']);
  const clusterName = kubernetes['cluster-name'];
  if (typeof clusterName !== 'string') return { because: 'settings.kubernetes.cluster-name is not set' };
  const maxPods = kubernetes['max-pods'];
  return {
    clusterName,
    labels: texts(kubernetes['node-labels']),
    taints: taintsOf(table(kubernetes['node-taints'])),
    ...(typeof maxPods === 'number' ? { maxPods } : {}),
    kubeReserved: texts(kubernetes['kube-reserved']),
    systemReserved: texts(kubernetes['system-reserved']),
    evictionHard: texts(kubernetes['eviction-hard']),
  };
}

function parsed(text: string): TomlTable | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

const table = (value: TomlValue | undefined): TomlTable =>
  typeof value === 'object' && !Array.isArray(value) ? (value as TomlTable) : {};

const texts = (value: TomlValue | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(table(value)).map(([key, value]) => [key, textOf(value)]));

const textOf = (value: TomlValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `key = ["value:effect", …]`, or one text in place of the list. */
function taintsOf(taints: TomlTable): readonly Taint[] {
  return Object.entries(taints).flatMap(([key, entries]) =>
    [entries].flat().map((entry): Taint => {
      const [value = '', effect] = textOf(entry).split(':');
      return { key, ...(value === '' ? {} : { value }), effect: effect as TaintEffect };
    }),
  );
}
