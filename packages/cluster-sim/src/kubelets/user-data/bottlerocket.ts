import type { Taint, TaintEffect } from '@nodewright/apis';
import { parse, TomlError, type TomlTable, type TomlValue } from 'smol-toml';
import type { Bootstrap, NoBootstrap } from './bootstrap.ts';

/**
 * `[settings.kubernetes]` of Bottlerocket's TOML.
 * @see https://bottlerocket.dev/en/os/latest/#/api/settings/kubernetes/
 */
export function bootstrapOfSettings(text: string): Bootstrap | NoBootstrap {
  const settings = parseTomlSettings(text);
  if (settings === undefined) return { because: 'the user data is no TOML' };
  const kubernetes = readTable(readTable(settings['settings'])['kubernetes']);
  const clusterName = kubernetes['cluster-name'];
  if (typeof clusterName !== 'string') return { because: 'settings.kubernetes.cluster-name is not set' };
  const maxPods = kubernetes['max-pods'];
  const sysctl = readTextTable(readTable(readTable(settings['settings'])['kernel'])['sysctl']);
  const hugePages = Number(sysctl['vm.nr_hugepages'] ?? 0);
  return {
    clusterName,
    labels: readTextTable(kubernetes['node-labels']),
    taints: taintsOfTable(readTable(kubernetes['node-taints'])),
    ...(typeof maxPods === 'number' ? { maxPods } : {}),
    kubeReserved: readTextTable(kubernetes['kube-reserved']),
    systemReserved: readTextTable(kubernetes['system-reserved']),
    evictionHard: readTextTable(kubernetes['eviction-hard']),
    ...(initsEphemeralStorage(readTable(settings['settings'])) && { usesInstanceStore: true }),
    ...(hugePages > 0 && { hugePages }),
  };
}

/** One of the commands at boot makes the local disks one array: `["apiclient", "ephemeral-storage", "init"]`. */
const initsEphemeralStorage = (settings: TomlTable): boolean =>
  Object.values(readTable(settings['bootstrap-commands']))
    .flatMap((entry) => readTable(entry)['commands'] ?? [])
    .some((command) => Array.isArray(command) && initDisksCommand.every((word, at) => command[at] === word));

const initDisksCommand = ['apiclient', 'ephemeral-storage', 'init'];

function parseTomlSettings(text: string): TomlTable | undefined {
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}

const readTable = (value: TomlValue | undefined): TomlTable =>
  typeof value === 'object' && !Array.isArray(value) ? (value as TomlTable) : {};

const readTextTable = (value: TomlValue | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(readTable(value)).map(([key, value]) => [key, printTomlValue(value)]));

const printTomlValue = (value: TomlValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `key = ["value:effect", …]`, or one text in place of the list. */
function taintsOfTable(taints: TomlTable): readonly Taint[] {
  return Object.entries(taints).flatMap(([key, entries]) =>
    [entries].flat().map((entry): Taint => {
      const [value = '', effect] = printTomlValue(entry).split(':');
      return { key, ...(value === '' ? {} : { value }), effect: effect as TaintEffect };
    }),
  );
}
