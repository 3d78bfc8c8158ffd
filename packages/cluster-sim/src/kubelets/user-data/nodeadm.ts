import { mergeRecords, type Taint, yamlComplaint } from '@nodewright/apis';
import { parseAllDocuments } from 'yaml';
import type { Bootstrap } from './bootstrap.ts';
import { readKubeletFlags, shellWords } from './kubelet-flags.ts';

type NodeConfig = {
  readonly kind?: string;
  readonly spec?: {
    readonly cluster?: { readonly name?: string };
    readonly kubelet?: { readonly config?: KubeletConfig; readonly flags?: readonly string[] };
    readonly instance?: { readonly localStorage?: { readonly strategy?: string } };
  };
};

type KubeletConfig = {
  readonly registerWithTaints?: readonly Taint[];
  readonly maxPods?: number;
  readonly podsPerCore?: number;
  readonly kubeReserved?: Readonly<Record<string, string>>;
  readonly systemReserved?: Readonly<Record<string, string>>;
  readonly evictionHard?: Readonly<Record<string, string>>;
};

/**
 * NodeConfig documents merged in order, later fields over earlier ones: Amazon Linux 2023.
 * @see https://awslabs.github.io/amazon-eks-ami/nodeadm/doc/api/
 */
export function bootstrapOfNodeConfigs(texts: readonly string[]): Bootstrap | undefined {
  const configs = texts.flatMap(nodeConfigs);
  if (configs.length === 0) return undefined;
  const names = configs.flatMap(({ spec }) => spec?.cluster?.name ?? []);
  const config = mergeRecords<unknown>(configs.map(({ spec }) => spec?.kubelet?.config)) as KubeletConfig;
  const flags = configs.flatMap(({ spec }) => spec?.kubelet?.flags ?? []);
  const strategy = configs.flatMap(({ spec }) => spec?.instance?.localStorage?.strategy ?? []).at(-1);
  const fromFlags = readKubeletFlags(flags.flatMap(shellWords));
  return {
    clusterName: names.at(-1) ?? '',
    labels: fromFlags.labels ?? {},
    taints: [...(config.registerWithTaints ?? []), ...(fromFlags.taints ?? [])],
    ...readKubeletConfig(config),
    ...(arrayStrategies.has(strategy?.toUpperCase() ?? '') && { usesInstanceStore: true }),
  };
}

/** The strategies that put the files of pods on the local disks; `Mount` mounts each for itself. */
const arrayStrategies: ReadonlySet<string> = new Set(['RAID0', 'RAID10']);

function nodeConfigs(text: string): readonly NodeConfig[] {
  if (yamlComplaint(text) !== undefined) return [];
  return parseAllDocuments(text)
    .map((document) => (document.errors.length > 0 ? undefined : (document.toJS() as NodeConfig | null)))
    .flatMap((config) => (config?.kind === 'NodeConfig' ? [config] : []));
}

function readKubeletConfig(config: KubeletConfig): Partial<Bootstrap> {
  const { maxPods, podsPerCore, kubeReserved, systemReserved, evictionHard } = config;
  return {
    ...(maxPods === undefined ? {} : { maxPods }),
    ...(podsPerCore === undefined ? {} : { podsPerCore }),
    ...(kubeReserved === undefined ? {} : { kubeReserved }),
    ...(systemReserved === undefined ? {} : { systemReserved }),
    ...(evictionHard === undefined ? {} : { evictionHard }),
  };
}
